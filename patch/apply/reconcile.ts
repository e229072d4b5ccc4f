import { isStepOver, type Steps } from '../../api/steps.ts';
import type { MergeMap, MergeSchema } from '../merge-schema.ts';
import { isEmpty, MEMBER, SELF, type FieldSet, type OpenFieldSet } from './field-set.ts';

/**
 * Brings a manager's fields in line with a schema that has changed since they
 * were written: what has become a whole is owned as a whole by everyone who
 * owned a part of it. The other way round nothing is done, so a manager of a
 * former whole owns just that place until it applies again. Returns the set
 * itself when nothing changes.
 *
 * Source: structured-merge-diff, typed/reconcile_schema.go.
 */
export function* reconcileSteps(schema: MergeSchema, fields: FieldSet): Steps<FieldSet> {
  if (schema.map?.atomic !== false || isFreeForm(schema.map)) return fields;
  return yield* reconcileBelow(schema, fields);
}

/** A place below the object that has members below it; one without may well be a whole already. */
function* reconcileNode(schema: MergeSchema, node: FieldSet): Steps<FieldSet> {
  const { map, list, scalar } = schema;
  if (map !== undefined) {
    if (isFreeForm(map)) return node;
    return map.atomic ? MEMBER : yield* reconcileBelow(schema, node);
  }
  if (scalar !== undefined || list === undefined) return node;
  return list.type === 'atomic' ? MEMBER : yield* reconcileBelow(schema, node);
}

function* reconcileBelow(schema: MergeSchema, node: FieldSet): Steps<FieldSet> {
  let out: OpenFieldSet | undefined;
  for (const element in node) {
    if (isStepOver()) yield;
    if (element === SELF) continue;
    const below = schemaBelow(schema, element);
    if (below === undefined) continue; // fields that the schema does not know stay as they are
    const before = node[element] as FieldSet;
    const after = isEmpty(before) ? before : yield* reconcileNode(below, before);
    if (after !== before) (out ??= { ...node })[element] = after;
  }
  return out ?? node;
}

/**
 * The schema of a field, of a map's value or of a list's item; undefined where the
 * schema says nothing.
 */
export function schemaBelow({ map, list }: MergeSchema, element: string): MergeSchema | undefined {
  if (map === undefined) return list?.element;
  const field = element.startsWith('f:') ? map.fields.get(element.slice(2)) : undefined;
  return field ?? map.element;
}

/** Free-form objects carry no atomic or granular marks. */
export function isFreeForm(map: MergeMap): boolean {
  return map.fields.size === 0 && map.element?.scalar === 'untyped';
}
