import { getPath, type JsonObject } from '../api/json.ts';
import { parseJson } from '../api/json-parse.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { metadataRange, type MetadataRange } from '../storage/metadata-range.ts';

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
