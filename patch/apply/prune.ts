import {
  difference,
  EMPTY_SET,
  intersection,
  isEmpty,
  isSubset,
  union,
  type FieldSet,
} from './field-set.ts';
import type { Manager } from './managers.ts';
import { removeFields } from './remove.ts';
import { fieldsOfValue, withNamedFields } from './value-fields.ts';
import type { TypedObject, Versions } from './versions.ts';

/**
 * Takes out of a merged object what its manager applied the last time, does not
 * apply any more, and nobody else owns. What it no longer applies but others
 * own stays, and so does what nobody owns.
 *
 * Source: structured-merge-diff, merge/update.go (prune).
 *
 * @param last the manager's fields of its last apply
 * @param current its fields of this one, already among `managers`
 */
export function prune(
  versions: Versions,
  merged: TypedObject,
  managers: ReadonlyMap<string, Manager>,
  last: Manager | undefined,
  current: Manager,
): TypedObject {
  // nothing given up: all that would be taken out would be put back
  if (last === undefined || isEmpty(last.fields)) return merged;
  if (last.apiVersion === current.apiVersion && isSubset(last.fields, current.fields))
    return merged;

  const before = versions.at(merged, last.apiVersion);
  if (before === undefined) return merged;
  const without = { ...before, object: takeOut(before, last.fields) };
  const kept = addBackOwned(versions, before, without, managers);
  const pruned = addBackDangling(versions, before, kept, last.fields);
  return versions.at(pruned, current.apiVersion) ?? merged;
}

function takeOut(from: TypedObject, fields: FieldSet): TypedObject['object'] {
  return removeFields(from.schema, from.object, withNamedFields(from.schema, fields));
}

/** Puts back what managers own, version by version; the version of the last apply first. */
function addBackOwned(
  versions: Versions,
  merged: TypedObject,
  pruned: TypedObject,
  managers: ReadonlyMap<string, Manager>,
): TypedObject {
  const owned = new Map<string, FieldSet>([[merged.apiVersion, EMPTY_SET]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, fields));
  }
  let kept = pruned;
  for (const [apiVersion, fields] of owned) {
    const whole = versions.at(merged, apiVersion);
    const part = versions.at(kept, apiVersion);
    if (whole === undefined || part === undefined) continue;
    const lost = difference(
      namedFields(whole),
      union(namedFields(part), withNamedFields(whole.schema, fields)),
    );
    kept = { ...whole, object: removeFields(whole.schema, whole.object, lost) };
  }
  return kept;
}

/** Puts back what the manager had not applied the last time: fields of nobody, and those of plain updates. */
function addBackDangling(
  versions: Versions,
  merged: TypedObject,
  pruned: TypedObject,
  last: FieldSet,
): TypedObject {
  const part = versions.at(pruned, merged.apiVersion);
  if (part === undefined) return merged;
  const gone = difference(namedFields(merged), namedFields(part));
  const given = intersection(gone, withNamedFields(merged.schema, last));
  return { ...merged, object: removeFields(merged.schema, merged.object, given) };
}

function namedFields({ schema, object }: TypedObject): FieldSet {
  return withNamedFields(schema, fieldsOfValue(schema, object));
}
