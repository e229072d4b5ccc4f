import { hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import {
  DEDUCED,
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { isMember, SELF, type FieldSet } from './field-set.ts';
import { itemElement } from './list-item.ts';

/**
 * The part of a value that lies on the way to the members of a set or below
 * them. Items keep their keys, since nothing else tells them apart.
 */
export function viewOf(schema: MergeSchema, value: JsonValue, fields: FieldSet): JsonValue {
  switch (shapeOf(schema, value)) {
    case 'map': {
      const map = schema.map as MergeMap;
      return isObject(value) && !map.atomic ? viewOfMap(map, value, fields) : value;
    }
    case 'list': {
      const list = schema.list as MergeList;
      if (!Array.isArray(value) || list.type === 'atomic') return value;
      return viewOfList(list, value, fields);
    }
    case 'scalar':
    case 'none':
      return value;
  }
}

function viewOfMap(map: MergeMap, value: JsonObject, fields: FieldSet): JsonObject {
  const out: JsonObject = {};
  for (const element in fields) {
    const key = element.slice(2);
    if (element === SELF || !element.startsWith('f:') || !hasOwn(value, key)) continue;
    const node = fields[element] as FieldSet;
    const child = value[key] as JsonValue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    setOwn(out, key, isMember(node) ? child : viewOf(schema, child, node));
  }
  return out;
}

function viewOfList(list: MergeList, items: readonly JsonValue[], fields: FieldSet): JsonValue[] {
  const out: JsonValue[] = [];
  for (const item of items) {
    const node = fields[itemElement(list, item)];
    if (node === undefined) continue;
    if (isMember(node) || !isObject(item)) out.push(item);
    else out.push({ ...keysOf(list, item), ...(viewOf(list.element, item, node) as JsonObject) });
  }
  return out;
}

function keysOf(list: MergeList, item: JsonObject): JsonObject {
  const keys: JsonObject = {};
  for (const { name } of list.keys) {
    if (hasOwn(item, name)) setOwn(keys, name, item[name] as JsonValue);
  }
  return keys;
}
