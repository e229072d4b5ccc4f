// Made from ownership.ts by `npm run generate:twins`: the same without rests.
import type { ManagedKind, TypedObject, Versions } from './versions.ts';
import { NOTHING, type OwnedConflict, type SettleOutcome } from './ownership.ts';
import { compareObjects } from './compare-at-once.ts';
import { difference, intersection, union } from './field-set-at-once.ts';
import { isEmpty, recursiveDifference } from './field-set.ts';
import { reconcileFields } from './reconcile-at-once.ts';
import { type Comparison, isUnchanged } from './compare.ts';
import { type Manager, type Managers, withFields } from './managers.ts';

/**
 * What a change from `before` to `after` leaves to the other managers: a field
 * that the change sets is no longer theirs, which is a conflict without force,
 * and a field that is gone has no owner.
 *
 * Source: structured-merge-diff, merge/update.go (update).
 *
 * @throws ManagedFieldsError when a manager's version cannot be compared
 */
export function settleManagers(
  kind: ManagedKind,
  versions: Versions,
  change: { readonly before: TypedObject; readonly after: TypedObject },
  managers: Managers,
  request: { readonly self: string; readonly force: boolean },
): SettleOutcome {
  const comparisons = new Map<string, Comparison | undefined>();
  const comparisonAt = function (apiVersion: string): Comparison | undefined {
    if (!comparisons.has(apiVersion)) {
      comparisons.set(apiVersion, compareAt(kind, versions, change, apiVersion));
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
    const comparison = comparisonAt(manager.apiVersion);
    if (comparison === undefined) continue; // of a version that is gone for good
    const changed = union(comparison.modified, comparison.added);
    const lost = intersection(manager.fields, changed);
    if (!isEmpty(lost)) conflicts.push({ manager, fields: lost });
    const kept = difference(manager.fields, lost);
    const left = difference(kept, comparison.removed);
    if (!isEmpty(left)) settled.set(id, withFields(manager, left));
  }
  if (conflicts.length > 0 && !request.force) return { kind: 'conflict', conflicts };
  const own = settled.get(request.self);
  if (own !== undefined && isEmpty(own.fields)) settled.delete(request.self);
  const comparison = comparisonAt(kind.apiVersion) ?? NOTHING;
  return { kind: 'settled', settled: { managers: settled, comparison } };
}

/** The change as the managers of one version see it, without the fields that this request does not take. */
function compareAt(
  kind: ManagedKind,
  versions: Versions,
  { before, after }: { readonly before: TypedObject; readonly after: TypedObject },
  apiVersion: string,
): Comparison | undefined {
  const old = versions.at(before, apiVersion);
  const next = versions.at(after, apiVersion);
  if (old === undefined || next === undefined) return undefined;
  const comparison = compareObjects(old.schema, old.object, next.object);
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
export function reconcileManagers(
  versions: Versions,
  live: TypedObject,
  managers: Managers,
): Managers {
  let out: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    const at = versions.at(live, manager.apiVersion);
    const reconciled =
      at === undefined
        ? undefined
        : withFields(manager, reconcileFields(at.schema, manager.fields));
    if (reconciled === manager) continue;
    out ??= new Map(managers);
    if (reconciled === undefined) out.delete(id);
    else out.set(id, reconciled);
  }
  return out ?? managers;
}
