import { hasOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  DEDUCED,
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { isMember, MEMBER, SELF, withSelf, type FieldSet, type OpenFieldSet } from './field-set.ts';
import { itemElement } from './list-item.ts';

/** The members of a set whose places are in the value, even if nothing lies in them; undefined for none. */
export function* heldSteps(
  schema: MergeSchema,
  value: JsonValue,
  fields: FieldSet,
): Steps<FieldSet | undefined> {
  switch (shapeOf(schema, value)) {
    case 'map': {
      const map = schema.map as MergeMap;
      return isObject(value) && !map.atomic ? yield* heldInMap(map, value, fields) : undefined;
    }
    case 'list': {
      const list = schema.list as MergeList;
      if (!Array.isArray(value) || list.type === 'atomic') return undefined;
      return yield* heldInList(list, value, fields);
    }
    case 'scalar':
    case 'none':
      return undefined;
  }
}

function* heldInMap(
  map: MergeMap,
  value: JsonObject,
  fields: FieldSet,
): Steps<FieldSet | undefined> {
  let out: OpenFieldSet | undefined;
  for (const element in fields) {
    if (isStepOver()) yield;
    const key = element.slice(2);
    if (element === SELF || !element.startsWith('f:') || !hasOwn(value, key)) continue;
    const schema = fieldSchema(map, key) ?? DEDUCED;
    const held = yield* heldAt(schema, value[key] as JsonValue, fields[element] as FieldSet);
    if (held !== undefined) (out ??= {})[element] = held;
  }
  return out;
}

function* heldInList(
  list: MergeList,
  items: readonly JsonValue[],
  fields: FieldSet,
): Steps<FieldSet | undefined> {
  let out: OpenFieldSet | undefined;
  for (const item of items) {
    if (isStepOver()) yield;
    const element = itemElement(list, item);
    const node = fields[element];
    const held = node === undefined ? undefined : yield* heldAt(list.element, item, node);
    if (held !== undefined) (out ??= {})[element] = held;
  }
  return out;
}

function* heldAt(
  schema: MergeSchema,
  value: JsonValue,
  node: FieldSet,
): Steps<FieldSet | undefined> {
  const below = yield* heldSteps(schema, value, node);
  if (!isMember(node)) return below;
  return below === undefined ? MEMBER : withSelf(below);
}
