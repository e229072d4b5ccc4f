import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  DEDUCED,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { fieldElement } from './field-element.ts';
import {
  EMPTY_SET,
  MEMBER,
  SELF,
  withSelf,
  type FieldSet,
  type OpenFieldSet,
} from './field-set.ts';
import { itemElement } from './list-item.ts';

/**
 * The fields that a configuration speaks of: its leaves, and the places that
 * exist by being named (items of lists, keys of maps, empty objects). A struct
 * that holds something is not among them: its fields are.
 *
 * Source: structured-merge-diff, typed/tofieldset.go.
 *
 * @throws ListItemError when items of a list cannot be told apart
 */
export function* fieldsSteps(schema: MergeSchema, value: JsonObject): Steps<FieldSet> {
  return (yield* fieldsAt(schema, value)) ?? EMPTY_SET;
}

/** The node of a place, or undefined when nothing in it is spoken of. */
function* fieldsAt(schema: MergeSchema, value: JsonValue): Steps<FieldSet | undefined> {
  const shape = shapeOf(schema, value);
  if (shape === 'map' && isObject(value)) {
    const map = schema.map as MergeMap;
    return map.atomic ? MEMBER : yield* fieldsOfMap(map, value);
  }
  if (shape === 'list' && Array.isArray(value)) {
    const list = schema.list as MergeList;
    return list.type === 'atomic' ? MEMBER : yield* fieldsOfList(list, value);
  }
  return fieldsOfLeaf(schema, value);
}

/** The same of what has nothing below it, or not what the schema says. */
export function fieldsOfLeaf(schema: MergeSchema, value: JsonValue): FieldSet | undefined {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return MEMBER;
    case 'map':
      return (schema.map as MergeMap).atomic ? MEMBER : undefined;
    case 'list':
      return (schema.list as MergeList).type === 'atomic' ? MEMBER : undefined;
    case 'none':
      return undefined;
  }
}

function* fieldsOfMap(map: MergeMap, value: JsonObject): Steps<FieldSet | undefined> {
  let out: OpenFieldSet | undefined;
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const declared = map.fields.get(key);
    const child = value[key] as JsonValue;
    const schema = declared ?? map.element ?? DEDUCED;
    const below =
      typeof child === 'object' ? yield* fieldsAt(schema, child) : fieldsOfLeaf(schema, child);
    const named = declared === undefined || child === null || isEmptyObject(child);
    const node = named ? withSelf(below) : below;
    if (node !== undefined) (out ??= {})[fieldElement(key)] = node;
  }
  return out;
}

/** `{}`; an empty list is not one. */
export function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** An item that occurs more than once is spoken of as a whole. */
function* fieldsOfList(list: MergeList, items: readonly JsonValue[]): Steps<FieldSet | undefined> {
  if (items.length === 0) return undefined;
  const out: OpenFieldSet = {};
  for (const item of items) {
    if (isStepOver()) yield;
    const element = itemElement(list, item);
    const isFirst = out[element] === undefined;
    out[element] = isFirst ? withSelf(yield* fieldsAt(list.element, item)) : MEMBER;
  }
  return out;
}

/**
 * The set with every struct field that has members below it as a member too.
 * Removal works on such sets: a field goes as a whole when all of it goes.
 * `isNamed`: the place that the set stands for is a member, too.
 */
export function* withNamedFields(
  schema: MergeSchema | undefined,
  set: FieldSet,
  isNamed = false,
): Steps<FieldSet> {
  const { map, list } = schema ?? {};
  // the place itself comes first: to put it before tens of thousands of others would copy them
  const out: OpenFieldSet = isNamed ? { [SELF]: MEMBER } : {};
  for (const element of Object.keys(set)) {
    if (isStepOver()) yield;
    const node = set[element] as FieldSet;
    out[element] = node;
    if (element === SELF || isLeafNode(node)) continue;
    const isField = element.startsWith('f:');
    const declared = isField ? map?.fields.get(element.slice(2)) : undefined;
    const below = isField
      ? (declared ?? map?.element)
      : element.startsWith('k:')
        ? list?.element
        : undefined;
    yield;
    out[element] = yield* withNamedFields(below, node, declared !== undefined);
  }
  return out;
}

/** Whether the set has nothing below this node. */
export function isLeafNode(node: FieldSet): boolean {
  for (const _ in node) return false;
  return true;
}
