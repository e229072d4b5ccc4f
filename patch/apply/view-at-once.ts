// Made from view.ts by `npm run generate:twins`: the same without rests.
import {
  DEDUCED,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';
import { EMPTY_SET, type FieldSet, SELF, isMember } from './field-set.ts';
import { itemElement } from './list-item.ts';
import { keysOf } from './view.ts';
import { type JsonObject, type JsonValue, hasOwn, isObject, setOwn } from '../../api/json.ts';

/**
 * The part of a value that lies on the way to the members of a set or below
 * them. Items keep their keys, since nothing else tells them apart. Every object
 * and list on the way also keeps one of its other places that have an owner, if
 * there is one: what loses everything in the view loses everything in the value.
 */
export function viewOf(
  schema: MergeSchema,
  value: JsonValue,
  fields: FieldSet,
  owned: FieldSet,
): JsonValue {
  switch (shapeOf(schema, value)) {
    case 'map': {
      const map = schema.map as MergeMap;
      return isObject(value) && !map.atomic ? viewOfMap(map, value, fields, owned) : value;
    }
    case 'list': {
      const list = schema.list as MergeList;
      if (!Array.isArray(value) || list.type === 'atomic') return value;
      return viewOfList(list, value, fields, owned);
    }
    case 'scalar':
    case 'none':
      return value;
  }
}

function viewOfMap(
  map: MergeMap,
  value: JsonObject,
  fields: FieldSet,
  owned: FieldSet,
): JsonObject {
  const out = signOfMap(map, value, fields, owned) ?? {};
  for (const element in fields) {
    const key = element.slice(2);
    if (element === SELF || !element.startsWith('f:') || !hasOwn(value, key)) continue;
    const node = fields[element] as FieldSet;
    const child = value[key] as JsonValue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const below = owned[element] ?? EMPTY_SET;
    setOwn(out, key, isMember(node) ? child : viewOf(schema, child, node, below));
  }
  return out;
}

function viewOfList(
  list: MergeList,
  items: readonly JsonValue[],
  fields: FieldSet,
  owned: FieldSet,
): JsonValue[] {
  const out: JsonValue[] = [];
  let signed = false;
  for (const item of items) {
    const element = itemElement(list, item);
    const node = fields[element];
    if (node === undefined) {
      if (!signed && owned[element] !== undefined) out.push(keysOf(list, item));
      signed ||= owned[element] !== undefined;
    } else if (isMember(node) || !isObject(item)) out.push(item);
    else {
      const below = viewOf(list.element, item, node, owned[element] ?? EMPTY_SET);
      out.push({ ...(keysOf(list, item) as JsonObject), ...(below as JsonObject) });
    }
  }
  return out;
}

/** One member that has an owner and does not lie on the way, with as little in it as shows that. */
function signOfMap(
  map: MergeMap,
  value: JsonObject,
  fields: FieldSet,
  owned: FieldSet,
): JsonObject | undefined {
  for (const element in owned) {
    const key = element.slice(2);
    if (!element.startsWith('f:') || fields[element] !== undefined || !hasOwn(value, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const sign = signOf(schema, value[key] as JsonValue, owned[element] as FieldSet);
    if (sign === undefined) continue;
    const out: JsonObject = {};
    setOwn(out, key, sign);
    return out;
  }
  return undefined;
}

function signOf(schema: MergeSchema, value: JsonValue, owned: FieldSet): JsonValue | undefined {
  const shape = shapeOf(schema, value);
  if (shape === 'map' && isObject(value) && schema.map?.atomic === false) {
    const sign = signOfMap(schema.map, value, EMPTY_SET, owned);
    return sign ?? (isMember(owned) ? {} : undefined);
  }
  if (shape === 'list' && Array.isArray(value) && schema.list?.type !== 'atomic') {
    const list = schema.list as MergeList;
    const first = value.find((item) => owned[itemElement(list, item)] !== undefined);
    if (first !== undefined) return [keysOf(list, first)];
    return isMember(owned) ? [] : undefined;
  }
  return isMember(owned) ? value : undefined;
}
