import { deepEqual, hasOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { MergeMap, MergeSchema } from '../merge-schema.ts';
import { compareObjects } from './compare-at-once.ts';
import { Collector, isUnchanged, NO_CHANGES, type Comparison } from './compare.ts';
import { fieldElement } from './field-element.ts';
import { EMPTY_SET, MEMBER, SELF, type FieldSet, type OpenFieldSet } from './field-set.ts';
import { typedProblems } from './typed-check-at-once.ts';

/** Ends the walk. */
const DOES_NOT_FIT = new Error('an object does not fit its schema');

/**
 * What a write changes, without `metadata.managedFields`: one walk over both
 * objects checks and compares them. The general way makes copies without that
 * field, checks each copy, and compares them. What is not a struct, map or
 * scalar on both sides is left to it, field by field.
 *
 * Undefined where one of the objects does not fit its schema.
 */
export function plainChanges(
  schema: MergeSchema,
  before: JsonObject,
  after: JsonObject,
): Comparison | undefined {
  if (!isObject(before['metadata']) || !isObject(after['metadata'])) return undefined;
  if (schema.map === undefined || schema.map.atomic) return undefined;
  try {
    const changes = changesOfMap(schema, schema.map, before, after, 'object');
    if (changes === undefined) return NO_CHANGES;
    const { removed = EMPTY_SET, modified = EMPTY_SET, added = EMPTY_SET } = changes;
    return { removed, modified, added };
  } catch (error) {
    if (error === DOES_NOT_FIT) return undefined;
    throw error;
  }
}

/** Where a map stands, as far as something in it is left out. */
type Place = 'object' | 'metadata' | 'other';

function changesOfMap(
  schema: MergeSchema,
  map: MergeMap,
  before: JsonObject,
  after: JsonObject,
  place: Place,
): Collector['changes'] {
  let into: Collector | undefined;
  for (const key in before) {
    if (key === 'managedFields' && place === 'metadata') continue;
    const l = before[key] as JsonValue;
    if (!hasOwn(after, key)) {
      putField((into ??= new Collector()), key, inGeneral(schema, key, l, undefined));
      continue;
    }
    const r = after[key] as JsonValue;
    const field = fieldOf(map, key);
    if (typeof l !== 'object' && typeof r !== 'object') {
      checkScalar(field, l);
      if (l === r) continue;
      checkScalar(field, r);
      if (!deepEqual(l, r)) (into ??= new Collector()).put('modified', fieldElement(key), MEMBER);
    } else if (isObject(l) && isObject(r) && field.map?.atomic === false) {
      const placeBelow = key === 'metadata' && place === 'object' ? 'metadata' : 'other';
      const below = changesOfMap(field, field.map, l, r, placeBelow);
      if (below !== undefined) (into ??= new Collector()).putAll(fieldElement(key), below);
    } else {
      const changes = inGeneral(schema, key, l, r);
      if (!isUnchanged(changes)) putField((into ??= new Collector()), key, changes);
    }
  }
  for (const key in after) {
    if (hasOwn(before, key) || (key === 'managedFields' && place === 'metadata')) continue;
    const whole = wholeOf(schema, map, key, after[key] as JsonValue);
    (into ??= new Collector()).put('added', fieldElement(key), whole);
  }
  return into?.changes;
}

/** A new field of a map: the place itself, every object and item in it, and every leaf. */
function wholeOf(schema: MergeSchema, map: MergeMap, key: string, value: JsonValue): FieldSet {
  const field = fieldOf(map, key);
  if (typeof value !== 'object') {
    checkScalar(field, value);
    return MEMBER;
  }
  if (!isObject(value) || field.map?.atomic !== false) {
    return inGeneral(schema, key, undefined, value).added[fieldElement(key)] ?? MEMBER;
  }
  let set: OpenFieldSet | undefined;
  for (const below in value) {
    set ??= { [SELF]: MEMBER };
    set[fieldElement(below)] = wholeOf(field, field.map, below, value[below] as JsonValue);
  }
  return set ?? MEMBER;
}

function fieldOf(map: MergeMap, key: string): MergeSchema {
  const field = map.fields.get(key) ?? map.element;
  if (field === undefined) throw DOES_NOT_FIT;
  return field;
}

/** Of a value that is neither null nor an object or list. */
function checkScalar({ scalar }: MergeSchema, value: JsonValue): void {
  const type = typeof value;
  const fits =
    scalar === 'numeric'
      ? type === 'number' || type === 'bigint'
      : scalar === 'untyped' || type === scalar;
  if (!fits) throw DOES_NOT_FIT;
}

/** One field in the general way, as that of objects that have no other; undefined: that object lacks it. */
function inGeneral(
  schema: MergeSchema,
  key: string,
  l: JsonValue | undefined,
  r: JsonValue | undefined,
): Comparison {
  const before: JsonObject = l === undefined ? {} : { [key]: l };
  const after: JsonObject = r === undefined ? {} : { [key]: r };
  for (const object of [before, after]) {
    if (typedProblems(schema, object, 'stored') !== undefined) throw DOES_NOT_FIT;
  }
  return compareObjects(schema, before, after);
}

function putField(into: Collector, key: string, changes: Comparison): void {
  const element = fieldElement(key);
  for (const part of ['removed', 'modified', 'added'] as const) {
    const node = changes[part][element];
    if (node !== undefined) into.put(part, element, node);
  }
}
