import type { ServedResource } from '../../registry/served-resource.ts';
import { metadataOffset } from '../../storage/stored-bytes.ts';

/*
 * Parts of an object's finished bytes. They are canonical JSON without blanks:
 * apiVersion, kind and metadata come first, so parts can be cut out without
 * reading the rest.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

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

/** An object's metadata, braces included; undefined when the bytes have none. */
export function metadataOf(bytes: Buffer): Buffer | undefined {
  const inside = metadataOffset(bytes);
  if (inside < 0) return undefined;
  const end = endOfObject(bytes, inside);
  return end < 0 ? undefined : bytes.subarray(inside - 1, end);
}

/** Position behind the brace that closes the object into which `inside` points, or -1. */
function endOfObject(bytes: Buffer, inside: number): number {
  let depth = 1;
  for (let at = inside; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at < 0) return -1;
    } else if (byte === OPENING_BRACE) depth++;
    else if (byte === CLOSING_BRACE && --depth === 0) return at + 1;
  }
  return -1;
}

/** Position of the quote that closes the string opened at `start`, or -1. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return -1;
}
