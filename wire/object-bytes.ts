import { getPath, type JsonObject } from '../api/json.ts';
import { parseJson } from '../api/json-parse.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { metadataOffset } from '../storage/stored-bytes.ts';

/*
 * Parts of an object's finished bytes. They are canonical JSON without blanks:
 * apiVersion, kind and metadata come first, so parts can be cut out without
 * reading the rest.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

const prefixes = new WeakMap<ServedResource, Buffer>();

/** `{"apiVersion":"…","kind":"…",`: how every object of the resource begins. */
export function typeMetaPrefix(resource: ServedResource): Buffer {
  let prefix = prefixes.get(resource);
  if (prefix === undefined) {
    const { apiVersion, kind } = resource;
    const typeMeta = JSON.stringify({ apiVersion, kind: kind.kind });
    prefix = Buffer.from(`${typeMeta.slice(0, -1)},`);
    prefixes.set(resource, prefix);
  }
  return prefix;
}

/** Do the bytes begin with the prefix, and go on after it? */
export function beginsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length > prefix.length && prefix.compare(bytes, 0, prefix.length) === 0;
}

/** Where an object's metadata stands in its bytes, braces included. */
interface MetadataRange {
  readonly start: number;
  readonly end: number;
  /** `"managedFields":[…]` with a comma; nothing when both are 0. */
  readonly managedStart: number;
  readonly managedEnd: number;
}

const MANAGED_FIELDS = Buffer.from('"managedFields":[');
const COMMA = 0x2c;

/**
 * Finds an object's metadata.
 *
 * @throws Error when the bytes are not an object that this server has written
 */
export function metadataRange(bytes: Buffer): MetadataRange {
  const inside = metadataOffset(bytes);
  if (inside < 0) throw new Error('an object has no metadata');
  let managedStart = 0;
  let managedEnd = 0;
  let at = inside;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      if (managedEnd === 0 && standsAt(bytes, at, MANAGED_FIELDS)) {
        managedStart = at;
        managedEnd = endOfValue(bytes, at + MANAGED_FIELDS.length - 1);
        at = managedEnd - 1;
        // One of the commas around them goes as well.
        if (bytes[managedEnd] === COMMA) managedEnd++;
        else if (bytes[managedStart - 1] === COMMA) managedStart--;
      } else {
        at = endOfString(bytes, at);
      }
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      at = endOfValue(bytes, at) - 1;
    } else if (byte === CLOSING_BRACE) {
      break;
    }
  }
  return { start: inside - 1, end: at + 1, managedStart, managedEnd };
}

/** An object's metadata, braces included. */
export function metadataOf(bytes: Buffer): Buffer {
  const { start, end } = metadataRange(bytes);
  return bytes.subarray(start, end);
}

/**
 * The object without its managed fields, which are often half of it and which
 * no built-in kind shows. `isExact`: a custom resource, whose columns may look
 * at anything: managed fields are read when they are asked for, and integers
 * keep all their digits.
 */
export function lookAt(
  bytes: Buffer,
  { managedStart, managedEnd }: MetadataRange,
  isExact: boolean,
): JsonObject {
  if (managedEnd === 0) return parsed(bytes.toString('utf8'), isExact);
  const text = bytes.toString('utf8', 0, managedStart) + bytes.toString('utf8', managedEnd);
  const object = parsed(text, isExact);
  if (isExact) {
    Object.defineProperty(object.metadata, 'managedFields', {
      enumerable: true,
      get: () => getPath(parsed(bytes.toString('utf8'), true), 'metadata', 'managedFields'),
    });
  }
  return object;
}

/** Digits that JSON.parse may lose. */
const MANY_DIGITS = /\d{16}/;

function parsed(text: string, isExact: boolean): JsonObject {
  if (!isExact || !MANY_DIGITS.test(text)) return JSON.parse(text) as JsonObject;
  return parseJson(text).value as JsonObject;
}

function standsAt(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 1; i < what.length; i++) if (bytes[at + i] !== what[i]) return false;
  return true;
}

/** Position behind the object or array that begins at `start`. */
function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth++;
    else if ((byte === CLOSING_BRACE || byte === CLOSING_BRACKET) && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Position of the quote that closes the string opened at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return bytes.length;
}
