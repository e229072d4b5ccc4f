import { deepEqual, getOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { ObjectMeta } from './object-meta.ts';
import { isMetaField } from './prune.ts';
import type { StructuralSchema } from './structure/structural.ts';
import { decodeTyped } from './typed/decode-at-once.ts';

/**
 * Whether pruning, defaulting or the decoding of embedded metadata would change
 * a stored custom resource: false for nearly all, so that reads can pass its
 * bytes on. Looks at every field once and allocates nothing, except for the
 * metadata of embedded resources. The metadata of the object itself is not
 * looked at: the server keeps it well-formed.
 */
export function needsWork(object: JsonObject, schema: StructuralSchema): boolean {
  return objectNeedsWork(object, schema, true, schema.preserveUnknown ? KEEP_HERE : PRUNE);
}

type Schema = StructuralSchema | undefined;

/** What happens to unknown keys: dropped; kept at this level; kept here and everywhere below. */
type Mode = 0 | 1 | 2;
const PRUNE = 0;
const KEEP_HERE = 1;
const KEEP_BELOW = 2;

function nodeNeedsWork(value: JsonValue, schema: Schema, mode: Mode): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (mode === PRUNE && schema?.preserveUnknown === true) mode = KEEP_HERE;
  if (Array.isArray(value)) return arrayNeedsWork(value, schema, mode);
  if (schema === undefined) {
    return mode === PRUNE && hasKeys(value);
  }
  if (schema.embedded && embeddedMetaNeedsWork(value)) return true;
  return objectNeedsWork(value, schema, schema.embedded, mode);
}

function objectNeedsWork(
  value: JsonObject,
  schema: StructuralSchema,
  isResource: boolean,
  mode: Mode,
): boolean {
  const { defaulted, properties, additionalProperties: others } = schema;
  for (let i = 0; i < defaulted.length; i++) {
    // a null that gives way to the default is found with the other nulls
    if (!Object.hasOwn(value, (defaulted[i] as { name: string }).name)) return true;
  }
  for (const key in value) {
    let child = properties?.get(key);
    let childMode: Mode = mode === KEEP_BELOW ? KEEP_BELOW : PRUNE;
    if (child === undefined) {
      if (typeof others === 'object') child = others;
      else if (others === undefined) {
        if (mode !== PRUNE || (isResource && isMetaField(key))) continue;
        return true;
      }
    }
    const item = value[key] as JsonValue;
    if (item === null) {
      if (child !== undefined && !child.nullable) return true;
    } else if (typeof item === 'object') {
      if (isResource && key === 'metadata') childMode = KEEP_BELOW;
      if (nodeNeedsWork(item, child, childMode)) return true;
    }
  }
  return false;
}

function arrayNeedsWork(value: JsonValue[], schema: Schema, mode: Mode): boolean {
  const items = schema?.items;
  if (items === undefined && mode !== PRUNE) return false;
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as JsonValue;
    if (item === null) {
      if (items !== undefined && !items.nullable && items.default !== undefined) return true;
    } else if (typeof item === 'object') {
      // below preserve-unknown, items are preserved as the list is
      if (nodeNeedsWork(item, items, mode)) return true;
    }
  }
  return false;
}

function hasKeys(value: JsonObject): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

function embeddedMetaNeedsWork(value: JsonObject): boolean {
  if (typeof (getOwn(value, 'apiVersion') ?? '') !== 'string') return true;
  if (typeof (getOwn(value, 'kind') ?? '') !== 'string') return true;
  const metadata = getOwn(value, 'metadata');
  if (metadata === undefined) return false;
  const decoded = decodeTyped(metadata, ObjectMeta);
  return decoded.error !== undefined || !deepEqual(decoded.value, metadata);
}
