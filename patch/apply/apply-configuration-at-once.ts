// Made from apply-configuration.ts by `npm run generate:twins`: the same without rests.
import { LAST_APPLIED_MANAGER, lastAppliedFields, withLastApplied } from './last-applied.ts';
import { ManagedFieldsError, asManagedFieldsError } from './managed-fields-error.ts';
import { conflictError } from './conflicts.ts';
import { difference } from './field-set-at-once.ts';
import { fieldsOfValue } from './value-fields-at-once.ts';
import { formatTime } from '../../api/time.ts';
import { isEmpty, recursiveDifference } from './field-set.ts';
import { listConflicts } from './conflicts-at-once.ts';
import { mergeObjects } from './merge-at-once.ts';
import { problemsText } from './typed-error.ts';
import { prune } from './prune-at-once.ts';
import { readManagers } from './managers-at-once.ts';
import { reconcileManagers, settleManagers } from './ownership-at-once.ts';
import { trackWrite } from './update-managers-at-once.ts';
import { type ApiError, badRequest } from '../../api/api-error.ts';
import {
  type Apply,
  type ApplyOutcome,
  BEFORE_FIRST_APPLY,
  type Merged,
  type StartingPoint,
  notMergeable,
} from './apply-configuration.ts';
import { type JsonObject, deepClone, deepEqual, getOwn } from '../../api/json.ts';
import { type Manager, type Managers, entriesOf, identityText, writeManagers } from './managers.ts';
import { type TypedObject, Versions } from './versions.ts';
import { typedProblems } from './typed-check-at-once.ts';
import { withoutEntries, withoutNeverOwned } from './never-owned.ts';

/**
 * Lays a configuration over an object: the manager owns what it names, takes
 * its values, and gives up what it named the last time and no longer names; fields that
 * have no owner left are removed. Other managers' fields with other values are
 * a conflict without `force`.
 *
 * A configuration that does not fit the schema, another type or version in the
 * body, and entries in its metadata are a 400 (behaviours 5.10, 5.12).
 *
 * Source: apimachinery, util/managedfields (Apply); structured-merge-diff,
 * merge/update.go. Pure.
 */
export function applyConfiguration(apply: Apply): ApplyOutcome {
  const refusal = checkApplied(apply);
  if (refusal !== undefined) return { ok: false, error: refusal };
  try {
    const { live: stored, managers } = startingPoint(apply);
    const merged = applyOrTakeOver(apply, stored, managers);
    if ('conflicts' in merged) {
      const conflicts = listConflicts(merged.conflicts);
      return { ok: false, error: conflictError(conflicts) };
    }
    const object =
      apply.manager === LAST_APPLIED_MANAGER
        ? withLastApplied(merged.object, apply.sent ?? apply.applied)
        : merged.object;
    return {
      ok: true,
      object: deepClone(object),
      managedFields: writeManagers(merged.managers),
      changed: merged.object !== stored,
    };
  } catch (error) {
    const known = asManagedFieldsError(error);
    if (known instanceof ManagedFieldsError)
      return { ok: false, error: badRequest(known.message, known) };
    throw error;
  }
}

function checkApplied({ kind, applied }: Apply): ApiError | undefined {
  const apiVersion = getOwn(applied, 'apiVersion');
  const kindName = getOwn(applied, 'kind');
  if (apiVersion !== kind.apiVersion || kindName !== kind.kind) {
    const [version, name] = [apiVersion, kindName].map((v) => (typeof v === 'string' ? v : ''));
    const group = version?.includes('/') === true ? version : `/${version ?? ''}`;
    return badRequest(`invalid object type: ${group}, Kind=${name ?? ''}`);
  }
  const entries = entriesOf(applied);
  if (entries !== undefined && entries !== null) {
    return badRequest('metadata.managedFields must be nil');
  }
  const schema = kind.schemaFor(kind.apiVersion);
  const problems = schema === undefined ? undefined : typedProblems(schema, applied, 'applied');
  return problems === undefined ? undefined : notMergeable(applied, problems);
}

/** The object without entries and its managers; what an object holds that was never tracked gets one owner. */
function startingPoint({ kind, live, now }: Apply): StartingPoint {
  if (live === undefined) return { live: kind.empty, managers: new Map() };
  const managers = readManagers(entriesOf(live));
  if (managers === undefined) {
    throw new ManagedFieldsError(
      'metadata.managedFields of the object cannot be read; reset them by writing [{}]',
    );
  }
  const object = withoutEntries(live);
  if (managers.size > 0) return { live: object, managers };
  const first = { kind, live: undefined, next: object, manager: BEFORE_FIRST_APPLY, now };
  return { live: object, managers: trackWrite(first, managers) };
}

/** kubectl may take, without force, what client-side apply owned according to its annotation. */
function applyOrTakeOver(apply: Apply, live: JsonObject, managers: Managers): Merged {
  const merged = mergeApplied(apply, live, managers);
  if (!('conflicts' in merged) || apply.manager !== LAST_APPLIED_MANAGER) return merged;
  const allowed = lastAppliedFields(new Versions(apply.kind).typed(live), apply.kind.withOwnNames);
  if (allowed === undefined) return merged;
  const conflicts = merged.conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields));
  return conflicts.length > 0
    ? { conflicts }
    : mergeApplied({ ...apply, force: true }, live, managers);
}

function mergeApplied(apply: Apply, live: JsonObject, stored: Managers): Merged {
  const { kind, applied, force, now } = apply;
  const versions = new Versions(kind);
  const before = fitting(versions, live);
  const managers = new Map(reconcileManagers(versions, before, stored));
  const current = currentManager(apply, before.schema);
  const id = identityText(current.identity);
  const last = managers.get(id);
  managers.set(id, current);

  const object = mergeObjects(before.schema, live, withoutEntries(applied));
  const merged = { ...before, object };
  const pruned = prune(versions, merged, managers, last, current);
  const after = deepEqual(pruned.object, live) ? before : pruned;
  const request = { self: id, force };
  const outcome = settleManagers(kind, versions, { before, after }, managers, request);
  if (outcome.kind === 'conflict') return { conflicts: outcome.conflicts };

  const settled = outcome.settled.managers;
  keepOwn(settled, id, current, last, after === before ? last?.time : formatTime(now));
  return { object: after.object, managers: settled };
}

function fitting(versions: Versions, live: JsonObject): TypedObject {
  const typed = versions.typed(live);
  const problems = typedProblems(typed.schema, live, 'stored');
  if (problems === undefined) return typed;
  throw new ManagedFieldsError(
    `the stored object does not fit its schema: ${problemsText(problems)}`,
  );
}

function currentManager({ kind, applied, manager }: Apply, schema: TypedObject['schema']): Manager {
  const spoken = fieldsOfValue(schema, applied);
  const reset = kind.resetFields.get(kind.apiVersion);
  return {
    identity: {
      name: manager,
      operation: 'Apply',
      apiVersion: undefined,
      subresource: kind.subresource,
    },
    apiVersion: kind.apiVersion,
    fields: reset === undefined ? spoken : recursiveDifference(spoken, reset),
    time: undefined,
  };
}

/** The manager's own entry: without what is never owned, and the stored one itself when it says the same. */
function keepOwn(
  managers: Map<string, Manager>,
  id: string,
  current: Manager,
  last: Manager | undefined,
  time: string | undefined,
): void {
  const fields = withoutNeverOwned(current.fields);
  if (isEmpty(fields)) {
    managers.delete(id);
    return;
  }
  const same =
    last !== undefined &&
    last.time === time &&
    last.apiVersion === current.apiVersion &&
    deepEqual(last.fields, fields);
  managers.set(id, same ? last : { ...current, fields, time });
}
