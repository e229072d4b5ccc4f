// Made from compare.ts by `npm run generate:twins`: the same without rests.
import {
  DEDUCED,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  type Shape,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';
import { EMPTY_SET, type FieldSet, MEMBER, type OpenFieldSet, SELF } from './field-set.ts';
import { fieldElement } from './field-element.ts';
import { itemElement, itemsByElement } from './list-item.ts';
import {
  type Changes,
  Collector,
  type Comparison,
  NO_CHANGES,
  compareScalars,
  hasKeys,
  merged,
} from './compare.ts';
import { type JsonObject, type JsonValue, deepEqual, hasOwn, isObject } from '../../api/json.ts';

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

function compareAt(schema: MergeSchema, l: JsonValue, r: JsonValue): Changes | undefined {
  if (l === r) return undefined;
  const shape = shapeOf(schema, r);
  const before = shapeOf(schema, l);
  const changes = compareAs(shape, schema, l, r);
  return before === shape ? changes : merged(changes, compareAs(before, schema, l, r));
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
  return compareScalars(l, r);
}

function compareMaps(map: MergeMap, l: JsonObject, r: JsonObject): Changes | undefined {
  const into = new Collector();
  for (const key of Object.keys(l)) {
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const before = l[key] as JsonValue;
    if (!hasOwn(r, key)) {
      const whole = typeof before === 'object' ? wholeFields(schema, before) : MEMBER;
      into.put('removed', fieldElement(key), whole);
    } else {
      const after = r[key] as JsonValue;
      const below =
        typeof before === 'object' || typeof after === 'object'
          ? compareAt(schema, before, after)
          : compareScalars(before, after);
      if (below !== undefined) into.putAll(fieldElement(key), below);
    }
  }
  for (const key of Object.keys(r)) {
    if (hasOwn(l, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const after = r[key] as JsonValue;
    const whole = typeof after === 'object' ? wholeFields(schema, after) : MEMBER;
    into.put('added', fieldElement(key), whole);
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

/** A value that one side lacks: the place itself, every object and item in it, and every leaf. */
function wholeFields(schema: MergeSchema, value: JsonValue): FieldSet {
  if (typeof value !== 'object') return MEMBER;
  const shape = shapeOf(schema, value);
  // the place itself comes first: to put it before tens of thousands of others would copy them
  const below: OpenFieldSet = {};
  if (shape === 'map' && isObject(value)) {
    const map = schema.map as MergeMap;
    if (map.atomic) return MEMBER;
    if (hasKeys(value)) below[SELF] = MEMBER;
    for (const key of Object.keys(value)) {
      const child = value[key] as JsonValue;
      const schema = fieldSchema(map, key) ?? DEDUCED;
      below[fieldElement(key)] = typeof child === 'object' ? wholeFields(schema, child) : MEMBER;
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
