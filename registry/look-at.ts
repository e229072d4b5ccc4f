import { getPath, type JsonObject } from '../api/json.ts';
import { parseJson } from '../api/json-parse.ts';
import type { MetadataRange } from '../storage/metadata-range.ts';

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
