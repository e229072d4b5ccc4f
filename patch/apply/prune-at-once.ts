// Made from prune.ts by `npm run generate:twins`: the same without rests.
import type { JsonObject } from '../../api/json.ts';
import type { Manager } from './managers.ts';
import type { TypedObject, Versions } from './versions.ts';
import { EMPTY_SET, type FieldSet, isEmpty } from './field-set.ts';
import { difference, intersection, union } from './field-set-at-once.ts';
import { fieldsOfValue, withNamedFields } from './value-fields-at-once.ts';
import { heldFields } from './held-fields-at-once.ts';
import { removeFields } from './remove-at-once.ts';
import { sameVersions } from './prune.ts';
import { viewOf } from './view-at-once.ts';

/**
 * Removes from a merged object the fields that its manager applied the last
 * time and no longer applies, unless another manager owns them. Fields without
 * an owner stay, too.
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
  if (last === undefined || isEmpty(last.fields)) return merged;
  if (sameVersions(managers, last, current)) {
    const givenUp = difference(last.fields, current.fields);
    // nothing given up: all that would be taken out would be put back
    if (isEmpty(givenUp)) return merged;
    const { schema, object } = merged;
    const owned = ownedFields(managers);
    const view = {
      ...merged,
      object: viewOf(schema, object, givenUp, owned) as JsonObject,
    };
    const gone = fieldsToRemove(versions, view, managers, last.fields);
    return { ...merged, object: removeFields(schema, object, gone) };
  }
  const before = versions.at(merged, last.apiVersion);
  if (before === undefined) return merged;
  const gone = fieldsToRemove(versions, before, managers, last.fields);
  const pruned = { ...before, object: removeFields(before.schema, before.object, gone) };
  return versions.at(pruned, current.apiVersion) ?? merged;
}

/** What all managers own together; all of them name fields in one version. */
export function ownedFields(managers: ReadonlyMap<string, Manager>): FieldSet {
  let owned = EMPTY_SET;
  for (const { fields } of managers.values()) owned = union(owned, fields);
  return owned;
}

/**
 * The fields of an object that go when its manager no longer applies all of
 * `last`. It does not matter whether the object is there as a whole, or only
 * that part of it in which something is given up.
 */
export function fieldsToRemove(
  versions: Versions,
  merged: TypedObject,
  managers: ReadonlyMap<string, Manager>,
  last: FieldSet,
): FieldSet {
  const { schema, object } = merged;
  const taken = withNamedFields(schema, last);
  const without = { ...merged, object: removeFields(schema, object, taken) };
  const kept = addBackOwned(versions, merged, without, managers);
  // fields that the manager had not applied the last time come back: unowned ones, and those of plain updates
  const part = versions.at(kept, merged.apiVersion);
  if (part === undefined) return EMPTY_SET;
  const left = whatIsLeft(part, managers);
  const named = namedFields(merged);
  const lost = difference(named, left);
  const applied = withNamedFields(merged.schema, last);
  return intersection(lost, applied);
}

/**
 * What is left of an object, with the places that are still owned. An empty list
 * names nothing, so an object that holds only empty lists would go although its
 * owner names it. (kube-apiserver removes it.)
 */
function whatIsLeft(part: TypedObject, managers: ReadonlyMap<string, Manager>): FieldSet {
  const { schema, object, apiVersion } = part;
  let left = fieldsOfValue(schema, object);
  for (const manager of managers.values()) {
    if (manager.apiVersion !== apiVersion) continue;
    const held = heldFields(schema, object, manager.fields) ?? EMPTY_SET;
    left = union(left, held);
  }
  return withNamedFields(schema, left);
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
    const named = namedFields(whole);
    const present = namedFields(part);
    const theirs = withNamedFields(whole.schema, fields);
    const left = union(present, theirs);
    const lost = difference(named, left);
    kept = { ...whole, object: removeFields(whole.schema, whole.object, lost) };
  }
  return kept;
}

function namedFields({ schema, object }: TypedObject): FieldSet {
  return withNamedFields(schema, fieldsOfValue(schema, object));
}
