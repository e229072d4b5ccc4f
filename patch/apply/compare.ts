import { deepEqual, hasOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
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
import { EMPTY_SET, MEMBER, SELF, type FieldSet, type OpenFieldSet } from './field-set.ts';
import { union } from './field-set-at-once.ts';
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
export type Changes = Partial<Record<Part, FieldSet>>;

const MODIFIED: Changes = Object.freeze({ modified: MEMBER });

export const NO_CHANGES: Comparison = { removed: EMPTY_SET, modified: EMPTY_SET, added: EMPTY_SET };

/**
 * Compares two objects by their schema: leaf by leaf, items of lists by key or
 * value, their order not at all. Parts that are the same object in both are not
 * looked into.
 *
 * Source: structured-merge-diff, typed/compare.go.
 *
 * @throws ListItemError when items of a changed list cannot be told apart
 */
export function* compareSteps(
  schema: MergeSchema,
  before: JsonObject,
  after: JsonObject,
): Steps<Comparison> {
  const { removed, modified, added } = (yield* compareAt(schema, before, after)) ?? {};
  if (removed === undefined && modified === undefined && added === undefined) return NO_CHANGES;
  return {
    removed: removed ?? EMPTY_SET,
    modified: modified ?? EMPTY_SET,
    added: added ?? EMPTY_SET,
  };
}

/** By identity: a comparison without changes is always the one constant. */
export function isUnchanged(comparison: Comparison): boolean {
  return comparison === NO_CHANGES;
}

function* compareAt(schema: MergeSchema, l: JsonValue, r: JsonValue): Steps<Changes | undefined> {
  if (l === r) return undefined;
  const shape = shapeOf(schema, r);
  const before = shapeOf(schema, l);
  const changes = yield* compareAs(shape, schema, l, r);
  return before === shape ? changes : merged(changes, yield* compareAs(before, schema, l, r));
}

/** A value that changed its shape is compared as both: what it was is gone, what it is now is there. */
export function merged(a: Changes | undefined, b: Changes | undefined): Changes | undefined {
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

function* compareAs(
  shape: Shape,
  schema: MergeSchema,
  l: JsonValue,
  r: JsonValue,
): Steps<Changes | undefined> {
  if (shape === 'map') {
    const [a, b] = [isObject(l) ? l : {}, isObject(r) ? r : {}];
    const map = schema.map as MergeMap;
    if (!map.atomic && (hasKeys(a) || hasKeys(b))) return yield* compareMaps(map, a, b);
  } else if (shape === 'list') {
    const [a, b] = [Array.isArray(l) ? l : [], Array.isArray(r) ? r : []];
    const list = schema.list as MergeList;
    if (list.type !== 'atomic' && a.length + b.length > 0) return yield* compareLists(list, a, b);
  }
  return compareScalars(l, r);
}

/** Two scalars have the same shape, whatever the schema says. */
export function compareScalars(l: JsonValue, r: JsonValue): Changes | undefined {
  return deepEqual(l, r) ? undefined : MODIFIED;
}

/** Whether there is a member. It stops at the first one and makes no array. */
export function hasKeys(value: JsonObject): boolean {
  for (const key in value) if (hasOwn(value, key)) return true;
  return false;
}

function* compareMaps(map: MergeMap, l: JsonObject, r: JsonObject): Steps<Changes | undefined> {
  const into = new Collector();
  for (const key of Object.keys(l)) {
    if (isStepOver()) yield;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const before = l[key] as JsonValue;
    if (!hasOwn(r, key)) {
      const whole = typeof before === 'object' ? yield* wholeFields(schema, before) : MEMBER;
      into.put('removed', fieldElement(key), whole);
    } else {
      const after = r[key] as JsonValue;
      const below =
        typeof before === 'object' || typeof after === 'object'
          ? yield* compareAt(schema, before, after)
          : compareScalars(before, after);
      if (below !== undefined) into.putAll(fieldElement(key), below);
    }
  }
  for (const key of Object.keys(r)) {
    if (isStepOver()) yield;
    if (hasOwn(l, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const after = r[key] as JsonValue;
    const whole = typeof after === 'object' ? yield* wholeFields(schema, after) : MEMBER;
    into.put('added', fieldElement(key), whole);
  }
  return into.changes;
}

function* compareLists(
  list: MergeList,
  l: readonly JsonValue[],
  r: readonly JsonValue[],
): Steps<Changes | undefined> {
  if (deepEqual(l as JsonValue[], r as JsonValue[])) return undefined;
  const into = new Collector();
  const before = itemsByElement(list, l);
  const after = itemsByElement(list, r);
  for (const [element, items] of before) {
    if (isStepOver()) yield;
    yield* compareItems(into, list, element, items, after.get(element) ?? []);
  }
  for (const [element, items] of after) {
    if (isStepOver()) yield;
    if (!before.has(element)) yield* compareItems(into, list, element, [], items);
  }
  return into.changes;
}

/** Items that occur twice are compared as one whole; what comes of it or out of it is marked by its element. */
function* compareItems(
  into: Collector,
  list: MergeList,
  element: string,
  l: readonly JsonValue[],
  r: readonly JsonValue[],
): Steps<void> {
  const [before] = l;
  const [after] = r;
  if (l.length > 1 && r.length > 1) {
    if (!deepEqual(l as JsonValue[], r as JsonValue[])) into.put('modified', element, MEMBER);
  } else if (l.length > 1) {
    if (after !== undefined) into.put('added', element, yield* wholeFields(list.element, after));
    into.put('removed', element, MEMBER);
  } else if (r.length > 1) {
    if (before !== undefined)
      into.put('removed', element, yield* wholeFields(list.element, before));
    into.put('added', element, MEMBER);
  } else if (before === undefined) {
    if (after !== undefined) into.put('added', element, yield* wholeFields(list.element, after));
  } else if (after === undefined)
    into.put('removed', element, yield* wholeFields(list.element, before));
  else into.putAll(element, yield* compareAt(list.element, before, after));
}

/** Gathers the changes of a place from those of its children. */
export class Collector {
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
function* wholeFields(schema: MergeSchema, value: JsonValue): Steps<FieldSet> {
  if (typeof value !== 'object') return MEMBER;
  const shape = shapeOf(schema, value);
  // the place itself comes first: to put it before tens of thousands of others would copy them
  const below: OpenFieldSet = {};
  if (shape === 'map' && isObject(value)) {
    const map = schema.map as MergeMap;
    if (map.atomic) return MEMBER;
    if (hasKeys(value)) below[SELF] = MEMBER;
    for (const key of Object.keys(value)) {
      if (isStepOver()) yield;
      const child = value[key] as JsonValue;
      const schema = fieldSchema(map, key) ?? DEDUCED;
      below[fieldElement(key)] =
        typeof child === 'object' ? yield* wholeFields(schema, child) : MEMBER;
    }
  } else if (shape === 'list' && Array.isArray(value)) {
    const list = schema.list as MergeList;
    if (list.type === 'atomic') return MEMBER;
    if (value.length > 0) below[SELF] = MEMBER;
    const twice = new Set<string>();
    for (const item of value) {
      if (isStepOver()) yield;
      const element = itemElement(list, item);
      if (below[element] !== undefined) twice.add(element);
      below[element] = twice.has(element) ? MEMBER : yield* wholeFields(list.element, item);
    }
  }
  return below;
}
