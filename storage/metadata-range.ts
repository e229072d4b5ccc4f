import type { ObjectMeta } from '../api/object.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { endOfString, endOfTree, standsAt } from '../api/json-scan.ts';
import { metadataOffset } from './stored-bytes.ts';

/*
 * Parts of an object's finished bytes. They are canonical JSON without blanks:
 * apiVersion, kind and metadata come first, so parts can be cut out without
 * reading the rest.
 */

const QUOTE = 0x22;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;

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
        managedEnd = endOfTree(bytes, at + MANAGED_FIELDS.length - 1);
        at = managedEnd - 1;
        // One of the commas around them goes as well.
        if (bytes[managedEnd] === COMMA) managedEnd++;
        else if (bytes[managedStart - 1] === COMMA) managedStart--;
      } else {
        at = endOfString(bytes, at);
      }
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      at = endOfTree(bytes, at) - 1;
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
