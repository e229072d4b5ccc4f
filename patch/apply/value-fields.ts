import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
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
  isMember,
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
export function fieldsOfValue(schema: MergeSchema, value: JsonObject): FieldSet {
  return fieldsAt(schema, value) ?? EMPTY_SET;
}

/** The node of a place, or undefined when nothing in it is spoken of. */
function fieldsAt(schema: MergeSchema, value: JsonValue): FieldSet | undefined {
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return MEMBER;
    case 'map': {
      const map = schema.map as MergeMap;
      if (map.atomic) return MEMBER;
      return isObject(value) ? fieldsOfMap(map, value) : undefined;
    }
    case 'list': {
      const list = schema.list as MergeList;
      if (list.type === 'atomic') return MEMBER;
      return Array.isArray(value) ? fieldsOfList(list, value) : undefined;
    }
    case 'none':
      return undefined;
  }
}

function fieldsOfMap(map: MergeMap, value: JsonObject): FieldSet | undefined {
  let out: OpenFieldSet | undefined;
  for (const key of Object.keys(value)) {
    const declared = map.fields.get(key);
    const child = value[key] as JsonValue;
    const below = fieldsAt(declared ?? map.element ?? DEDUCED, child);
    const named = declared === undefined || child === null || isEmptyObject(child);
    const node = named ? withSelf(below) : below;
    if (node !== undefined) (out ??= {})[fieldElement(key)] = node;
  }
  return out;
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** An item that occurs more than once is spoken of as a whole. */
function fieldsOfList(list: MergeList, items: readonly JsonValue[]): FieldSet | undefined {
  if (items.length === 0) return undefined;
  const out: OpenFieldSet = {};
  for (const item of items) {
    const element = itemElement(list, item);
    out[element] = out[element] === undefined ? withSelf(fieldsAt(list.element, item)) : MEMBER;
  }
  return out;
}

/**
 * The set with every struct field that has members below it as a member too.
 * Removal works on such sets: a field goes as a whole when all of it goes.
 */
export function withNamedFields(schema: MergeSchema | undefined, set: FieldSet): FieldSet {
  const { map, list } = schema ?? {};
  const out: OpenFieldSet = {};
  for (const element of Object.keys(set)) {
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
    const inner = withNamedFields(below, node);
    out[element] = declared !== undefined && !isMember(node) ? withSelf(inner) : inner;
  }
  return out;
}

function isLeafNode(node: FieldSet): boolean {
  for (const _ in node) return false;
  return true;
}
