import type { Steps } from '../../api/steps.ts';
import { compareSteps, isUnchanged, type Comparison } from './compare.ts';
import {
  differenceSteps,
  EMPTY_SET,
  intersectionSteps,
  isEmpty,
  recursiveDifference,
  unionSteps,
  type FieldSet,
} from './field-set.ts';
import { withFields, type Manager, type Managers } from './managers.ts';
import { reconcileSteps } from './reconcile.ts';
import type { ManagedKind, TypedObject, Versions } from './versions.ts';

/** Fields of one manager that a change would take from it. */
export interface OwnedConflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

interface Settled {
  readonly managers: Map<string, Manager>;
  /** How the object changes, in the version of the request. */
  readonly comparison: Comparison;
}

export type SettleOutcome =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'conflict'; readonly conflicts: readonly OwnedConflict[] };

/**
 * What a change from `before` to `after` leaves to the other managers: a field
 * that the change sets is no longer theirs, which is a conflict without force,
 * and a field that is gone has no owner.
 *
 * Source: structured-merge-diff, merge/update.go (update).
 *
 * @throws ManagedFieldsError when a manager's version cannot be compared
 */
export function* settleManagers(
  kind: ManagedKind,
  versions: Versions,
  change: { readonly before: TypedObject; readonly after: TypedObject },
  managers: Managers,
  request: { readonly self: string; readonly force: boolean },
): Steps<SettleOutcome> {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonAt = function* (apiVersion: string): Steps<Comparison | undefined> {
    if (!comparisons.has(apiVersion)) {
      comparisons.set(apiVersion, yield* compareAt(kind, versions, change, apiVersion));
    }
    return comparisons.get(apiVersion);
  };
  const settled = new Map<string, Manager>();
  const conflicts: OwnedConflict[] = [];
  for (const [id, manager] of managers) {
    if (id === request.self) {
      settled.set(id, manager);
      continue;
    }
    yield;
    const comparison = yield* comparisonAt(manager.apiVersion);
    if (comparison === undefined) continue; // of a version that is gone for good
    yield;
    const changed = yield* unionSteps(comparison.modified, comparison.added);
    yield;
    const lost = yield* intersectionSteps(manager.fields, changed);
    yield;
    if (!isEmpty(lost)) conflicts.push({ manager, fields: lost });
    const kept = yield* differenceSteps(manager.fields, lost);
    const left = yield* differenceSteps(kept, comparison.removed);
    if (!isEmpty(left)) settled.set(id, withFields(manager, left));
  }
  if (conflicts.length > 0 && !request.force) return { kind: 'conflict', conflicts };
  const own = settled.get(request.self);
  if (own !== undefined && isEmpty(own.fields)) settled.delete(request.self);
  yield;
  const comparison = (yield* comparisonAt(kind.apiVersion)) ?? NOTHING;
  return { kind: 'settled', settled: { managers: settled, comparison } };
}

export const NOTHING: Comparison = { removed: EMPTY_SET, modified: EMPTY_SET, added: EMPTY_SET };

/** The change as the managers of one version see it, without the fields that this request does not take. */
function* compareAt(
  kind: ManagedKind,
  versions: Versions,
  { before, after }: { readonly before: TypedObject; readonly after: TypedObject },
  apiVersion: string,
): Steps<Comparison | undefined> {
  const old = versions.at(before, apiVersion);
  const next = versions.at(after, apiVersion);
  if (old === undefined || next === undefined) return undefined;
  const comparison = yield* compareSteps(old.schema, old.object, next.object);
  const reset = kind.resetFields.get(apiVersion);
  if (reset === undefined || isUnchanged(comparison)) return comparison;
  return {
    removed: recursiveDifference(comparison.removed, reset),
    modified: recursiveDifference(comparison.modified, reset),
    added: recursiveDifference(comparison.added, reset),
  };
}

/**
 * Brings every manager's fields in line with the present schema of its version.
 * Managers of versions that are gone for good are dropped.
 */
export function* reconcileManagers(
  versions: Versions,
  live: TypedObject,
  managers: Managers,
): Steps<Managers> {
  let out: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    yield;
    const at = versions.at(live, manager.apiVersion);
    const reconciled =
      at === undefined
        ? undefined
        : withFields(manager, yield* reconcileSteps(at.schema, manager.fields));
    if (reconciled === manager) continue;
    out ??= new Map(managers);
    if (reconciled === undefined) out.delete(id);
    else out.set(id, reconciled);
  }
  return out ?? managers;
}
