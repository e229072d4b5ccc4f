import type { ServedResource } from '../registry/served-resource.ts';
import { metadataRange } from '../storage/metadata-range.ts';

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
