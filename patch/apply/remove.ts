import { isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { fieldElement } from './field-element.ts';
import { isEmpty, isMember, type FieldSet } from './field-set.ts';
import { itemElement } from './list-item.ts';

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
export function* removeSteps(
  schema: MergeSchema,
  object: JsonObject,
  fields: FieldSet,
): Steps<JsonObject> {
  if (isEmpty(fields)) return object;
  return (yield* removeBelow(schema, object, fields)) as JsonObject;
}

function* removeBelow(
  schema: MergeSchema | undefined,
  value: JsonValue,
  fields: FieldSet,
): Steps<JsonValue> {
  if (schema === undefined) return value;
  switch (shapeOf(schema, value)) {
    case 'map':
      return isObject(value)
        ? yield* removeFromMap(schema.map as MergeMap, value, fields)
        : emptied(value);
    case 'list':
      return Array.isArray(value)
        ? yield* removeFromList(schema.list as MergeList, value, fields)
        : emptied(value);
    case 'scalar':
    case 'none':
      return value;
  }
}

/** What is left of a value of another shape than the schema says. */
export function emptied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : null;
}

function* removeFromMap(map: MergeMap, value: JsonObject, fields: FieldSet): Steps<JsonObject> {
  const out: JsonObject = {};
  if (map.atomic) return out;
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const node = fields[fieldElement(key)];
    if (node !== undefined && isMember(node)) continue;
    const child = value[key] as JsonValue;
    const left =
      node === undefined ? child : yield* removeBelow(fieldSchema(map, key), child, node);
    setOwn(out, key, left);
  }
  return out;
}

function* removeFromList(
  list: MergeList,
  items: readonly JsonValue[],
  fields: FieldSet,
): Steps<JsonValue[]> {
  const out: JsonValue[] = [];
  if (list.type === 'atomic') return out;
  for (const item of items) {
    if (isStepOver()) yield;
    const node = fields[itemElement(list, item)];
    if (node === undefined) out.push(item);
    else if (!isMember(node)) out.push(yield* removeBelow(list.element, item, node));
  }
  return out;
}
