import type { JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import {
  differenceSteps,
  EMPTY_SET,
  intersectionSteps,
  isEmpty,
  unionSteps,
  type FieldSet,
} from './field-set.ts';
import type { Manager } from './managers.ts';
import { removeSteps } from './remove.ts';
import { heldSteps } from './held-fields.ts';
import { fieldsSteps, withNamedFields } from './value-fields.ts';
import type { TypedObject, Versions } from './versions.ts';
import { viewSteps } from './view.ts';

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
export function* prune(
  versions: Versions,
  merged: TypedObject,
  managers: ReadonlyMap<string, Manager>,
  last: Manager | undefined,
  current: Manager,
): Steps<TypedObject> {
  if (last === undefined || isEmpty(last.fields)) return merged;
  if (sameVersions(managers, last, current)) {
    const givenUp = yield* differenceSteps(last.fields, current.fields);
    // nothing given up: all that would be taken out would be put back
    if (isEmpty(givenUp)) return merged;
    const { schema, object } = merged;
    const owned = yield* ownedFields(managers);
    yield;
    const view = {
      ...merged,
      object: (yield* viewSteps(schema, object, givenUp, owned)) as JsonObject,
    };
    const gone = yield* fieldsToRemove(versions, view, managers, last.fields);
    yield;
    return { ...merged, object: yield* removeSteps(schema, object, gone) };
  }
  const before = versions.at(merged, last.apiVersion);
  if (before === undefined) return merged;
  const gone = yield* fieldsToRemove(versions, before, managers, last.fields);
  yield;
  const pruned = { ...before, object: yield* removeSteps(before.schema, before.object, gone) };
  return versions.at(pruned, current.apiVersion) ?? merged;
}

/** Whether all managers use one version, so that no conversion is needed to prune. */
export function sameVersions(
  managers: ReadonlyMap<string, Manager>,
  last: Manager,
  { apiVersion }: Manager,
): boolean {
  if (last.apiVersion !== apiVersion) return false;
  for (const manager of managers.values()) if (manager.apiVersion !== apiVersion) return false;
  return true;
}

/** What all managers own together; all of them name fields in one version. */
export function* ownedFields(managers: ReadonlyMap<string, Manager>): Steps<FieldSet> {
  let owned = EMPTY_SET;
  for (const { fields } of managers.values()) owned = yield* unionSteps(owned, fields);
  return owned;
}

/**
 * The fields of an object that go when its manager no longer applies all of
 * `last`. It does not matter whether the object is there as a whole, or only
 * that part of it in which something is given up.
 */
export function* fieldsToRemove(
  versions: Versions,
  merged: TypedObject,
  managers: ReadonlyMap<string, Manager>,
  last: FieldSet,
): Steps<FieldSet> {
  const { schema, object } = merged;
  const taken = yield* withNamedFields(schema, last);
  yield;
  const without = { ...merged, object: yield* removeSteps(schema, object, taken) };
  yield;
  const kept = yield* addBackOwned(versions, merged, without, managers);
  // fields that the manager had not applied the last time come back: unowned ones, and those of plain updates
  const part = versions.at(kept, merged.apiVersion);
  if (part === undefined) return EMPTY_SET;
  const left = yield* whatIsLeft(part, managers);
  yield;
  const named = yield* namedFields(merged);
  yield;
  const lost = yield* differenceSteps(named, left);
  yield;
  const applied = yield* withNamedFields(merged.schema, last);
  yield;
  return yield* intersectionSteps(lost, applied);
}

/**
 * What is left of an object, with the places that are still owned. An empty list
 * names nothing, so an object that holds only empty lists would go although its
 * owner names it. (kube-apiserver removes it.)
 */
function* whatIsLeft(part: TypedObject, managers: ReadonlyMap<string, Manager>): Steps<FieldSet> {
  const { schema, object, apiVersion } = part;
  let left = yield* fieldsSteps(schema, object);
  for (const manager of managers.values()) {
    if (manager.apiVersion !== apiVersion) continue;
    yield;
    const held = (yield* heldSteps(schema, object, manager.fields)) ?? EMPTY_SET;
    yield;
    left = yield* unionSteps(left, held);
  }
  yield;
  return yield* withNamedFields(schema, left);
}

/** Puts back what managers own, version by version; the version of the last apply first. */
function* addBackOwned(
  versions: Versions,
  merged: TypedObject,
  pruned: TypedObject,
  managers: ReadonlyMap<string, Manager>,
): Steps<TypedObject> {
  const owned = new Map<string, FieldSet>([[merged.apiVersion, EMPTY_SET]]);
  for (const { apiVersion, fields } of managers.values()) {
    yield;
    owned.set(apiVersion, yield* unionSteps(owned.get(apiVersion) ?? EMPTY_SET, fields));
  }
  let kept = pruned;
  for (const [apiVersion, fields] of owned) {
    const whole = versions.at(merged, apiVersion);
    const part = versions.at(kept, apiVersion);
    if (whole === undefined || part === undefined) continue;
    yield;
    const named = yield* namedFields(whole);
    yield;
    const present = yield* namedFields(part);
    yield;
    const theirs = yield* withNamedFields(whole.schema, fields);
    yield;
    const left = yield* unionSteps(present, theirs);
    yield;
    const lost = yield* differenceSteps(named, left);
    yield;
    kept = { ...whole, object: yield* removeSteps(whole.schema, whole.object, lost) };
  }
  return kept;
}

function* namedFields({ schema, object }: TypedObject): Steps<FieldSet> {
  return yield* withNamedFields(schema, yield* fieldsSteps(schema, object));
}
