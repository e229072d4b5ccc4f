// Made from held-fields.ts by `npm run generate:twins`: the same without rests.
import {
  DEDUCED,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';
import { itemElement } from './list-item.ts';
import { type FieldSet, MEMBER, type OpenFieldSet, SELF, isMember, withSelf } from './field-set.ts';
import { type JsonObject, type JsonValue, hasOwn, isObject } from '../../api/json.ts';

/** The members of a set whose places are in the value, even if nothing lies in them; undefined for none. */
export function heldFields(
  schema: MergeSchema,
  value: JsonValue,
  fields: FieldSet,
): FieldSet | undefined {
  switch (shapeOf(schema, value)) {
    case 'map': {
      const map = schema.map as MergeMap;
      return isObject(value) && !map.atomic ? heldInMap(map, value, fields) : undefined;
    }
    case 'list': {
      const list = schema.list as MergeList;
      if (!Array.isArray(value) || list.type === 'atomic') return undefined;
      return heldInList(list, value, fields);
    }
    case 'scalar':
    case 'none':
      return undefined;
  }
}

function heldInMap(map: MergeMap, value: JsonObject, fields: FieldSet): FieldSet | undefined {
  let out: OpenFieldSet | undefined;
  for (const element in fields) {
    const key = element.slice(2);
    if (element === SELF || !element.startsWith('f:') || !hasOwn(value, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const held = heldAt(schema, value[key] as JsonValue, fields[element] as FieldSet);
    if (held !== undefined) (out ??= {})[element] = held;
  }
  return out;
}

function heldInList(
  list: MergeList,
  items: readonly JsonValue[],
  fields: FieldSet,
): FieldSet | undefined {
  let out: OpenFieldSet | undefined;
  for (const item of items) {
    const element = itemElement(list, item);
    const node = fields[element];
    const held = node === undefined ? undefined : heldAt(list.element, item, node);
    if (held !== undefined) (out ??= {})[element] = held;
  }
  return out;
}

function heldAt(schema: MergeSchema, value: JsonValue, node: FieldSet): FieldSet | undefined {
  const below = heldFields(schema, value, node);
  if (!isMember(node)) return below;
  return below === undefined ? MEMBER : withSelf(below);
}
