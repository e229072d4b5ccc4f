import type { ObjectMeta } from '../api/object.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { metadataOffset } from './stored-bytes.ts';

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

/** Where an object's metadata stands in its bytes, braces included. */
export interface MetadataRange {
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

/** An object's metadata without its managed fields, which are often most of it. */
export function metadataWithoutManagers(bytes: Buffer): ObjectMeta {
  const { start, end, managedStart, managedEnd } = metadataRange(bytes);
  if (managedEnd === 0) return parseStoredJson(bytes.subarray(start, end));
  const parts = [bytes.subarray(start, managedStart), bytes.subarray(managedEnd, end)];
  return parseStoredJson(Buffer.concat(parts));
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
