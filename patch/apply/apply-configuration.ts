import { badRequest, type ApiError } from '../../api/api-error.ts';
import { getOwn, getPath, type JsonObject } from '../../api/json.ts';
import type { ManagedFieldsEntry } from '../../api/object.ts';
import { cloneSteps, equalSteps } from '../../api/json-steps.ts';
import type { Steps } from '../../api/steps.ts';
import { formatTime } from '../../api/time.ts';
import { conflictError, conflictSteps } from './conflicts.ts';
import { isEmpty, recursiveDifference } from './field-set.ts';
import { difference } from './field-set-at-once.ts';
import { LAST_APPLIED_MANAGER, lastAppliedFields, withLastApplied } from './last-applied.ts';
import {
  entriesOf,
  identityText,
  managersSteps,
  writeManagers,
  type Manager,
  type Managers,
} from './managers.ts';
import { mergeSteps } from './merge.ts';
import { withoutEntries, withoutNeverOwned } from './never-owned.ts';
import { reconcileManagers, settleManagers, type OwnedConflict } from './ownership.ts';
import { prune } from './prune.ts';
import { typedSteps } from './typed-check.ts';
import { problemsText, type TypedProblem } from './typed-error.ts';
import { trackWrite } from './update-managers.ts';
import { fieldsSteps } from './value-fields.ts';
import { ManagedFieldsError, asManagedFieldsError } from './managed-fields-error.ts';
import { Versions, type ManagedKind, type TypedObject } from './versions.ts';

/** A server-side apply. */
export interface Apply {
  readonly kind: ManagedKind;
  /** The stored object in the request's version, with its entries; undefined when there is none yet. */
  readonly live: JsonObject | undefined;
  /** The applied configuration, as decoded from the body. */
  readonly applied: JsonObject;
  /** The same configuration with the names that the client uses, where these differ; for kubectl's annotation. */
  readonly sent?: JsonObject;
  readonly manager: string;
  /** Takes fields from other managers instead of failing. */
  readonly force: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type ApplyOutcome =
  | {
      readonly ok: true;
      /**
       * The merged object, neither defaulted nor validated, without entries. It
       * shares nothing with the inputs.
       */
      readonly object: JsonObject;
      readonly managedFields: ManagedFieldsEntry[];
      /** False when the configuration changes no field; owners and kubectl's annotation may still change. */
      readonly changed: boolean;
    }
  | { readonly ok: false; readonly error: ApiError };

/** Who owns what an object has when it is applied to for the first time (behaviours 5.15). */
export const BEFORE_FIRST_APPLY = 'before-first-apply';

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
export function* applySteps(apply: Apply): Steps<ApplyOutcome> {
  const refusal = yield* checkApplied(apply);
  if (refusal !== undefined) return { ok: false, error: refusal };
  try {
    yield;
    const { live: stored, managers } = yield* startingPoint(apply);
    yield;
    const merged = yield* applyOrTakeOver(apply, stored, managers);
    if ('conflicts' in merged) {
      yield;
      const conflicts = yield* conflictSteps(merged.conflicts);
      yield;
      return { ok: false, error: conflictError(conflicts) };
    }
    const object =
      apply.manager === LAST_APPLIED_MANAGER
        ? withLastApplied(merged.object, apply.sent ?? apply.applied)
        : merged.object;
    yield;
    return {
      ok: true,
      object: yield* cloneSteps(object),
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

function* checkApplied({ kind, applied }: Apply): Steps<ApiError | undefined> {
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
  const problems = schema === undefined ? undefined : yield* typedSteps(schema, applied, 'applied');
  return problems === undefined ? undefined : notMergeable(applied, problems);
}

/** 400 with the words of kube-apiserver for a configuration that the schema does not fit. */
export function notMergeable(applied: JsonObject, problems: readonly TypedProblem[]): ApiError {
  const [name, namespace] = ['name', 'namespace'].map((key) => {
    const value = getPath(applied, 'metadata', key);
    return typeof value === 'string' ? value : '';
  });
  return badRequest(
    `failed to create typed patch object (${namespace ?? ''}/${name ?? ''}): ${problemsText(problems)}`,
  );
}

export interface StartingPoint {
  readonly live: JsonObject;
  readonly managers: Managers;
}

/** The object without entries and its managers; what an object holds that was never tracked gets one owner. */
function* startingPoint({ kind, live, now }: Apply): Steps<StartingPoint> {
  if (live === undefined) return { live: kind.empty, managers: new Map() };
  const managers = yield* managersSteps(entriesOf(live));
  if (managers === undefined) {
    throw new ManagedFieldsError(
      'metadata.managedFields of the object cannot be read; reset them by writing [{}]',
    );
  }
  const object = withoutEntries(live);
  if (managers.size > 0) return { live: object, managers };
  const first = { kind, live: undefined, next: object, manager: BEFORE_FIRST_APPLY, now };
  return { live: object, managers: yield* trackWrite(first, managers) };
}

export type Merged =
  | { readonly object: JsonObject; readonly managers: Managers }
  | { readonly conflicts: readonly OwnedConflict[] };

/** kubectl may take, without force, what client-side apply owned according to its annotation. */
function* applyOrTakeOver(apply: Apply, live: JsonObject, managers: Managers): Steps<Merged> {
  const merged = yield* mergeApplied(apply, live, managers);
  if (!('conflicts' in merged) || apply.manager !== LAST_APPLIED_MANAGER) return merged;
  const allowed = lastAppliedFields(new Versions(apply.kind).typed(live), apply.kind.withOwnNames);
  if (allowed === undefined) return merged;
  const conflicts = merged.conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields));
  return conflicts.length > 0
    ? { conflicts }
    : yield* mergeApplied({ ...apply, force: true }, live, managers);
}

function* mergeApplied(apply: Apply, live: JsonObject, stored: Managers): Steps<Merged> {
  const { kind, applied, force, now } = apply;
  const versions = new Versions(kind);
  const before = yield* fitting(versions, live);
  const managers = new Map(yield* reconcileManagers(versions, before, stored));
  yield;
  const current = yield* currentManager(apply, before.schema);
  const id = identityText(current.identity);
  const last = managers.get(id);
  managers.set(id, current);

  yield;
  const object = yield* mergeSteps(before.schema, live, withoutEntries(applied));
  const merged = { ...before, object };
  yield;
  const pruned = yield* prune(versions, merged, managers, last, current);
  yield;
  const after = (yield* equalSteps(pruned.object, live)) ? before : pruned;
  const request = { self: id, force };
  const outcome = yield* settleManagers(kind, versions, { before, after }, managers, request);
  if (outcome.kind === 'conflict') return { conflicts: outcome.conflicts };

  yield;
  const settled = outcome.settled.managers;
  yield* keepOwn(settled, id, current, last, after === before ? last?.time : formatTime(now));
  return { object: after.object, managers: settled };
}

function* fitting(versions: Versions, live: JsonObject): Steps<TypedObject> {
  const typed = versions.typed(live);
  const problems = yield* typedSteps(typed.schema, live, 'stored');
  if (problems === undefined) return typed;
  throw new ManagedFieldsError(
    `the stored object does not fit its schema: ${problemsText(problems)}`,
  );
}

function* currentManager(
  { kind, applied, manager }: Apply,
  schema: TypedObject['schema'],
): Steps<Manager> {
  const spoken = yield* fieldsSteps(schema, applied);
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
function* keepOwn(
  managers: Map<string, Manager>,
  id: string,
  current: Manager,
  last: Manager | undefined,
  time: string | undefined,
): Steps<void> {
  const fields = withoutNeverOwned(current.fields);
  if (isEmpty(fields)) {
    managers.delete(id);
    return;
  }
  const same =
    last !== undefined &&
    last.time === time &&
    last.apiVersion === current.apiVersion &&
    (yield* equalSteps(last.fields, fields));
  managers.set(id, same ? last : { ...current, fields, time });
}
