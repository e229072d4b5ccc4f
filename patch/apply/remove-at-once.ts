// Made from remove.ts by `npm run generate:twins`: the same without rests.
import { emptied } from './remove.ts';
import { fieldElement } from './field-element.ts';
import { itemElement } from './list-item.ts';
import { type FieldSet, isEmpty, isMember } from './field-set.ts';
import { type JsonObject, type JsonValue, isObject, setOwn } from '../../api/json.ts';
import {
  type MergeList,
  type MergeMap,
  type MergeSchema,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';

/**
 * Takes the members of a set out of an object: a field, item or key that is a
 * member goes with all that is below it. An object or list out of which
 * everything was taken, without being a member itself, stays as `{}` or `[]`,
 * and so does one that is owned as a whole when the set has members below it.
 * Untouched parts are shared with the input.
 *
 * Source: structured-merge-diff, typed/remove.go.
 *
 * @throws ListItemError when items of a list cannot be told apart
 */
export function removeFields(
  schema: MergeSchema,
  object: JsonObject,
  fields: FieldSet,
): JsonObject {
  if (isEmpty(fields)) return object;
  return removeBelow(schema, object, fields) as JsonObject;
}

function removeBelow(
  schema: MergeSchema | undefined,
  value: JsonValue,
  fields: FieldSet,
): JsonValue {
  if (schema === undefined) return value;
  switch (shapeOf(schema, value)) {
    case 'map':
      return isObject(value)
        ? removeFromMap(schema.map as MergeMap, value, fields)
        : emptied(value);
    case 'list':
      return Array.isArray(value)
        ? removeFromList(schema.list as MergeList, value, fields)
        : emptied(value);
    case 'scalar':
    case 'none':
      return value;
  }
}

function removeFromMap(map: MergeMap, value: JsonObject, fields: FieldSet): JsonObject {
  const out: JsonObject = {};
  if (map.atomic) return out;
  for (const key of Object.keys(value)) {
    const node = fields[fieldElement(key)];
    if (node !== undefined && isMember(node)) continue;
    const child = value[key] as JsonValue;
    const left = node === undefined ? child : removeBelow(fieldSchema(map, key), child, node);
    setOwn(out, key, left);
  }
  return out;
}

function removeFromList(
  list: MergeList,
  items: readonly JsonValue[],
  fields: FieldSet,
): JsonValue[] {
  const out: JsonValue[] = [];
  if (list.type === 'atomic') return out;
  for (const item of items) {
    const node = fields[itemElement(list, item)];
    if (node === undefined) out.push(item);
    else if (!isMember(node)) out.push(removeBelow(list.element, item, node));
  }
  return out;
}
