// Made from value-fields.ts by `npm run generate:twins`: the same without rests.
import {
  DEDUCED,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  shapeOf,
} from '../merge-schema.ts';
import {
  EMPTY_SET,
  type FieldSet,
  MEMBER,
  type OpenFieldSet,
  SELF,
  withSelf,
} from './field-set.ts';
import { fieldElement } from './field-element.ts';
import { fieldsOfLeaf, isEmptyObject, isLeafNode } from './value-fields.ts';
import { itemElement } from './list-item.ts';
import { type JsonObject, type JsonValue, isObject } from '../../api/json.ts';

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
  const shape = shapeOf(schema, value);
  if (shape === 'map' && isObject(value)) {
    const map = schema.map as MergeMap;
    return map.atomic ? MEMBER : fieldsOfMap(map, value);
  }
  if (shape === 'list' && Array.isArray(value)) {
    const list = schema.list as MergeList;
    return list.type === 'atomic' ? MEMBER : fieldsOfList(list, value);
  }
  return fieldsOfLeaf(schema, value);
}

function fieldsOfMap(map: MergeMap, value: JsonObject): FieldSet | undefined {
  let out: OpenFieldSet | undefined;
  for (const key of Object.keys(value)) {
    const declared = map.fields.get(key);
    const child = value[key] as JsonValue;
    const schema = declared ?? map.element ?? DEDUCED;
    const below = typeof child === 'object' ? fieldsAt(schema, child) : fieldsOfLeaf(schema, child);
    const named = declared === undefined || child === null || isEmptyObject(child);
    const node = named ? withSelf(below) : below;
    if (node !== undefined) (out ??= {})[fieldElement(key)] = node;
  }
  return out;
}

/** An item that occurs more than once is spoken of as a whole. */
function fieldsOfList(list: MergeList, items: readonly JsonValue[]): FieldSet | undefined {
  if (items.length === 0) return undefined;
  const out: OpenFieldSet = {};
  for (const item of items) {
    const element = itemElement(list, item);
    const isFirst = out[element] === undefined;
    out[element] = isFirst ? withSelf(fieldsAt(list.element, item)) : MEMBER;
  }
  return out;
}

/**
 * The set with every struct field that has members below it as a member too.
 * Removal works on such sets: a field goes as a whole when all of it goes.
 * `isNamed`: the place that the set stands for is a member, too.
 */
export function withNamedFields(
  schema: MergeSchema | undefined,
  set: FieldSet,
  isNamed = false,
): FieldSet {
  const { map, list } = schema ?? {};
  // the place itself comes first: to put it before tens of thousands of others would copy them
  const out: OpenFieldSet = isNamed ? { [SELF]: MEMBER } : {};
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
    out[element] = withNamedFields(below, node, declared !== undefined);
  }
  return out;
}
