import { deepEqual, hasOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import {
  DEDUCED,
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  type Shape,
} from '../merge-schema.ts';
import { fieldElement } from './field-element.ts';
import { EMPTY_SET, MEMBER, SELF, union, type FieldSet, type OpenFieldSet } from './field-set.ts';
import { itemElement, itemsByElement } from './list-item.ts';

/** How a value differs from another. An item that was there several times may be both removed and added. */
export interface Comparison {
  /** Fields of the old value that the new one lacks. */
  readonly removed: FieldSet;
  /** Leaves of both with different values. */
  readonly modified: FieldSet;
  /** Fields that only the new value has, with the objects and items that hold them. */
  readonly added: FieldSet;
}

type Part = keyof Comparison;
const PARTS: readonly Part[] = ['removed', 'modified', 'added'];

/** The differences at one place and below it, as nodes; undefined parts have none. */
type Changes = Partial<Record<Part, FieldSet>>;

const MODIFIED: Changes = Object.freeze({ modified: MEMBER });

const NO_CHANGES: Comparison = { removed: EMPTY_SET, modified: EMPTY_SET, added: EMPTY_SET };

/**
 * Compares two objects by their schema: leaf by leaf, items of lists by key or
 * value, their order not at all. Parts that are the same object in both are not
 * looked into.
 *
 * Source: structured-merge-diff, typed/compare.go.
 *
 * @throws ListItemError when items of a changed list cannot be told apart
 */
export function compareObjects(
  schema: MergeSchema,
  before: JsonObject,
  after: JsonObject,
): Comparison {
  const { removed, modified, added } = compareAt(schema, before, after) ?? {};
  if (removed === undefined && modified === undefined && added === undefined) return NO_CHANGES;
  return {
    removed: removed ?? EMPTY_SET,
    modified: modified ?? EMPTY_SET,
    added: added ?? EMPTY_SET,
  };
}

export function isUnchanged(comparison: Comparison): boolean {
  return comparison === NO_CHANGES;
}

function compareAt(schema: MergeSchema, l: JsonValue, r: JsonValue): Changes | undefined {
  if (l === r) return undefined;
  const shape = shapeOf(schema, r);
  const before = shapeOf(schema, l);
  const changes = compareAs(shape, schema, l, r);
  return before === shape ? changes : merged(changes, compareAs(before, schema, l, r));
}

/** A value that changed its shape is compared as both: what it was is gone, what it is now is there. */
function merged(a: Changes | undefined, b: Changes | undefined): Changes | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const both: Changes = {};
  for (const part of PARTS) {
    const [x, y] = [a[part], b[part]];
    const node = x === undefined || y === undefined ? (x ?? y) : nodeUnion(x, y);
    if (node !== undefined) both[part] = node;
  }
  return both;
}

function nodeUnion(a: FieldSet, b: FieldSet): FieldSet {
  return union({ node: a }, { node: b })['node'] ?? MEMBER;
}

function compareAs(
  shape: Shape,
  schema: MergeSchema,
  l: JsonValue,
  r: JsonValue,
): Changes | undefined {
  if (shape === 'map') {
    const [a, b] = [isObject(l) ? l : {}, isObject(r) ? r : {}];
    const map = schema.map as MergeMap;
    if (!map.atomic && (hasKeys(a) || hasKeys(b))) return compareMaps(map, a, b);
  } else if (shape === 'list') {
    const [a, b] = [Array.isArray(l) ? l : [], Array.isArray(r) ? r : []];
    const list = schema.list as MergeList;
    if (list.type !== 'atomic' && a.length + b.length > 0) return compareLists(list, a, b);
  }
  return deepEqual(l, r) ? undefined : MODIFIED;
}

function hasKeys(value: JsonObject): boolean {
  for (const key in value) if (hasOwn(value, key)) return true;
  return false;
}

function compareMaps(map: MergeMap, l: JsonObject, r: JsonObject): Changes | undefined {
  const into = new Collector();
  for (const key of Object.keys(l)) {
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const before = l[key] as JsonValue;
    if (!hasOwn(r, key)) into.put('removed', fieldElement(key), wholeFields(schema, before));
    else {
      const below = compareAt(schema, before, r[key] as JsonValue);
      if (below !== undefined) into.putAll(fieldElement(key), below);
    }
  }
  for (const key of Object.keys(r)) {
    if (hasOwn(l, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    into.put('added', fieldElement(key), wholeFields(schema, r[key] as JsonValue));
  }
  return into.changes;
}

function compareLists(
  list: MergeList,
  l: readonly JsonValue[],
  r: readonly JsonValue[],
): Changes | undefined {
  if (deepEqual(l as JsonValue[], r as JsonValue[])) return undefined;
  const into = new Collector();
  const before = itemsByElement(list, l);
  const after = itemsByElement(list, r);
  for (const [element, items] of before) {
    compareItems(into, list, element, items, after.get(element) ?? []);
  }
  for (const [element, items] of after) {
    if (!before.has(element)) compareItems(into, list, element, [], items);
  }
  return into.changes;
}

/** Items that occur twice are compared as one whole; what comes of it or out of it is marked by its element. */
function compareItems(
  into: Collector,
  list: MergeList,
  element: string,
  l: readonly JsonValue[],
  r: readonly JsonValue[],
): void {
  const [before] = l;
  const [after] = r;
  if (l.length > 1 && r.length > 1) {
    if (!deepEqual(l as JsonValue[], r as JsonValue[])) into.put('modified', element, MEMBER);
  } else if (l.length > 1) {
    if (after !== undefined) into.put('added', element, wholeFields(list.element, after));
    into.put('removed', element, MEMBER);
  } else if (r.length > 1) {
    if (before !== undefined) into.put('removed', element, wholeFields(list.element, before));
    into.put('added', element, MEMBER);
  } else if (before === undefined) {
    if (after !== undefined) into.put('added', element, wholeFields(list.element, after));
  } else if (after === undefined) into.put('removed', element, wholeFields(list.element, before));
  else into.putAll(element, compareAt(list.element, before, after));
}

/** Gathers the changes of a place from those of its children. */
class Collector {
  changes: Partial<Record<Part, OpenFieldSet>> | undefined;

  put(part: Part, element: string, node: FieldSet): void {
    const changes = (this.changes ??= {});
    (changes[part] ??= {})[element] = node;
  }

  putAll(element: string, below: Changes | undefined): void {
    if (below === undefined) return;
    for (const part of PARTS) {
      const node = below[part];
      if (node !== undefined) this.put(part, element, node);
    }
  }
}

/** A value that one side lacks: the place itself, every object and item in it, and every leaf. */
function wholeFields(schema: MergeSchema, value: JsonValue): FieldSet {
  const shape = shapeOf(schema, value);
  // the place itself comes first: to put it before tens of thousands of others would copy them
  const below: OpenFieldSet = {};
  if (shape === 'map' && isObject(value)) {
    const map = schema.map as MergeMap;
    if (map.atomic) return MEMBER;
    if (hasKeys(value)) below[SELF] = MEMBER;
    for (const key of Object.keys(value)) {
      below[fieldElement(key)] = wholeFields(
        fieldSchema(map, key) ?? DEDUCED,
        value[key] as JsonValue,
      );
    }
  } else if (shape === 'list' && Array.isArray(value)) {
    const list = schema.list as MergeList;
    if (list.type === 'atomic') return MEMBER;
    if (value.length > 0) below[SELF] = MEMBER;
    const twice = new Set<string>();
    for (const item of value) {
      const element = itemElement(list, item);
      if (below[element] !== undefined) twice.add(element);
      below[element] = twice.has(element) ? MEMBER : wholeFields(list.element, item);
    }
  }
  return below;
}
