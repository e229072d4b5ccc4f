// Made from reconcile.ts by `npm run generate:twins`: the same without rests.
import type { MergeSchema } from '../merge-schema.ts';
import { isFreeForm, schemaBelow } from './reconcile.ts';
import { type FieldSet, MEMBER, type OpenFieldSet, SELF, isEmpty } from './field-set.ts';

/**
 * Brings a manager's fields in line with a schema that has changed since they
 * were written: what has become a whole is owned as a whole by everyone who
 * owned a part of it. The other way round nothing is done, so a manager of a
 * former whole owns just that place until it applies again. Returns the set
 * itself when nothing changes.
 *
 * Source: structured-merge-diff, typed/reconcile_schema.go.
 */
export function reconcileFields(schema: MergeSchema, fields: FieldSet): FieldSet {
  if (schema.map?.atomic !== false || isFreeForm(schema.map)) return fields;
  return reconcileBelow(schema, fields);
}

/** A place below the object that has members below it; one without may well be a whole already. */
function reconcileNode(schema: MergeSchema, node: FieldSet): FieldSet {
  const { map, list, scalar } = schema;
  if (map !== undefined) {
    if (isFreeForm(map)) return node;
    return map.atomic ? MEMBER : reconcileBelow(schema, node);
  }
  if (scalar !== undefined || list === undefined) return node;
  return list.type === 'atomic' ? MEMBER : reconcileBelow(schema, node);
}

function reconcileBelow(schema: MergeSchema, node: FieldSet): FieldSet {
  let out: OpenFieldSet | undefined;
  for (const element in node) {
    if (element === SELF) continue;
    const below = schemaBelow(schema, element);
    if (below === undefined) continue; // fields that the schema does not know stay as they are
    const before = node[element] as FieldSet;
    const after = isEmpty(before) ? before : reconcileNode(below, before);
    if (after !== before) (out ??= { ...node })[element] = after;
  }
  return out ?? node;
}
