import type { JsonObject } from '../../api/json.ts';
import type { ManagedFieldsEntry } from '../../api/object.ts';
import type { Steps } from '../../api/steps.ts';
import { formatTime } from '../../api/time.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { isEmpty, recursiveDifference, unionSteps, type FieldSet } from './field-set.ts';
import {
  entriesOf,
  identityText,
  isReset,
  NO_MANAGERS,
  managersSteps,
  writeManagers,
  type Manager,
  type ManagerIdentity,
  type Managers,
} from './managers.ts';
import { withoutEntries, withoutNeverOwned } from './never-owned.ts';
import { reconcileManagers, settleManagers } from './ownership.ts';
import { typedSteps } from './typed-check.ts';
import { problemsText } from './typed-error.ts';
import { ManagedFieldsError, asManagedFieldsError } from './managed-fields-error.ts';
import { Versions, type ManagedKind, type TypedObject } from './versions.ts';

/** A create, an update or a patch other than apply. */
export interface PlainWrite {
  readonly kind: ManagedKind;
  /** The stored object in the request's version; undefined when there is none yet. */
  readonly live: JsonObject | undefined;
  /** The object as it is to be stored. Entries that the request carries stand in its metadata. */
  readonly next: JsonObject;
  /** The manager of the request; empty for `unknown`. */
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A new object may come with entries: those of built-in kinds do, custom resources begin without. */
  readonly carriesManagers?: boolean;
}

const UNKNOWN_MANAGER = 'unknown';

/**
 * `metadata.managedFields` after a plain write. The manager owns what it
 * changes and adds; removed fields have no owner. Managers that the write does
 * not touch keep their entries.
 *
 * An object without entries stays without them until it is applied to (a new
 * object is tracked from the start). When ownership cannot be worked out, since
 * the object does not fit its schema or a manager's version cannot be compared,
 * it is lost, as in kube-apiserver: an empty list. The write itself goes on.
 *
 * Source: apimachinery, util/managedfields (Update). Pure.
 */
export function* updateSteps(write: PlainWrite): Steps<ManagedFieldsEntry[]> {
  const managers = yield* managersBefore(write);
  if (managers.size === 0 && write.live !== undefined) return [];
  try {
    return writeManagers(capUpdateManagers(yield* trackWrite(write, managers)));
  } catch (error) {
    if (asManagedFieldsError(error) instanceof ManagedFieldsError) return [];
    throw error;
  }
}

/**
 * The managers before the write: those that the request wrote down if they are
 * valid and not none, otherwise the stored ones. A subresource cannot write
 * them down, a new custom resource starts without any.
 */
function* managersBefore({ kind, live, next, carriesManagers }: PlainWrite): Steps<Managers> {
  if (live === undefined && carriesManagers !== true) return NO_MANAGERS;
  if (kind.subresource === '') {
    const requested = entriesOf(next);
    if (isReset(requested)) return NO_MANAGERS;
    const managers = yield* managersSteps(requested);
    if (managers !== undefined && managers.size > 0) return managers;
  }
  if (live === undefined) return NO_MANAGERS;
  return (yield* managersSteps(entriesOf(live))) ?? NO_MANAGERS;
}

/**
 * The managers after a plain write by one of them.
 *
 * @throws ManagedFieldsError
 */
export function* trackWrite(
  { kind, live, next, manager, now }: PlainWrite,
  managers: Managers,
): Steps<Managers> {
  const versions = new Versions(kind);
  yield;
  const before = yield* fitting(versions, withoutEntries(live ?? kind.empty));
  yield;
  const after = yield* fitting(versions, withoutEntries(next));
  try {
    const outcome = yield* settleManagers(
      kind,
      versions,
      { before, after },
      yield* reconcileManagers(versions, before, managers),
      { self: '', force: true },
    );
    if (outcome.kind === 'conflict') throw new Error('a plain write never conflicts');
    const { comparison, managers: settled } = outcome.settled;
    yield;
    const written = yield* unionSteps(comparison.modified, comparison.added);
    yield;
    const taken = ownFields(kind, written);
    yield;
    if (isEmpty(taken)) return settled;
    return yield* withWriter(settled, kind, manager, taken, formatTime(now));
  } catch (error) {
    throw asManagedFieldsError(error);
  }
}

function* fitting(versions: Versions, object: JsonObject): Steps<TypedObject> {
  const typed = versions.typed(object);
  const problems = yield* typedSteps(typed.schema, object, 'stored');
  if (problems !== undefined) throw new ManagedFieldsError(problemsText(problems));
  return typed;
}

/**
 * The changed fields that a manager may own: without the never owned and those that the
 * subresource resets.
 */
export function ownFields(kind: ManagedKind, changed: FieldSet): FieldSet {
  const reset = kind.resetFields.get(kind.apiVersion);
  return withoutNeverOwned(reset === undefined ? changed : recursiveDifference(changed, reset));
}

/** Who writes. */
export function writerOf({ apiVersion, subresource }: ManagedKind, name: string): ManagerIdentity {
  return {
    name: name === '' ? UNKNOWN_MANAGER : name,
    operation: 'Update',
    apiVersion,
    subresource,
  };
}

function* withWriter(
  managers: Map<string, Manager>,
  kind: ManagedKind,
  name: string,
  fields: FieldSet,
  time: string,
): Steps<Managers> {
  const identity = writerOf(kind, name);
  const id = identityText(identity);
  const previous = managers.get(id);
  const all = previous === undefined ? fields : yield* unionSteps(fields, previous.fields);
  managers.set(id, { identity, apiVersion: kind.apiVersion, fields: all, time });
  return managers;
}
