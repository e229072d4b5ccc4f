// Made from update-managers.ts by `npm run generate:twins`: the same without rests.
import type { JsonObject } from '../../api/json.ts';
import type { ManagedFieldsEntry } from '../../api/object.ts';
import { ManagedFieldsError, asManagedFieldsError } from './managed-fields-error.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { formatTime } from '../../api/time.ts';
import { problemsText } from './typed-error.ts';
import { readManagers } from './managers-at-once.ts';
import { reconcileManagers, settleManagers } from './ownership-at-once.ts';
import { type FieldSet, isEmpty } from './field-set.ts';
import { type ManagedKind, type TypedObject, Versions } from './versions.ts';
import {
  type Manager,
  type Managers,
  NO_MANAGERS,
  entriesOf,
  identityText,
  isReset,
  writeManagers,
} from './managers.ts';
import { type PlainWrite, ownFields, writerOf } from './update-managers.ts';
import { typedProblems } from './typed-check-at-once.ts';
import { union } from './field-set-at-once.ts';
import { withoutEntries } from './never-owned.ts';

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
export function updateManagers(write: PlainWrite): ManagedFieldsEntry[] {
  const managers = managersBefore(write);
  if (managers.size === 0 && write.live !== undefined) return [];
  try {
    return writeManagers(capUpdateManagers(trackWrite(write, managers)));
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
function managersBefore({ kind, live, next, carriesManagers }: PlainWrite): Managers {
  if (live === undefined && carriesManagers !== true) return NO_MANAGERS;
  if (kind.subresource === '') {
    const requested = entriesOf(next);
    if (isReset(requested)) return NO_MANAGERS;
    const managers = readManagers(requested);
    if (managers !== undefined && managers.size > 0) return managers;
  }
  if (live === undefined) return NO_MANAGERS;
  return readManagers(entriesOf(live)) ?? NO_MANAGERS;
}

/**
 * The managers after a plain write by one of them.
 *
 * @throws ManagedFieldsError
 */
export function trackWrite(
  { kind, live, next, manager, now }: PlainWrite,
  managers: Managers,
): Managers {
  const versions = new Versions(kind);
  const before = fitting(versions, withoutEntries(live ?? kind.empty));
  const after = fitting(versions, withoutEntries(next));
  try {
    const outcome = settleManagers(
      kind,
      versions,
      { before, after },
      reconcileManagers(versions, before, managers),
      { self: '', force: true },
    );
    if (outcome.kind === 'conflict') throw new Error('a plain write never conflicts');
    const { comparison, managers: settled } = outcome.settled;
    const written = union(comparison.modified, comparison.added);
    const taken = ownFields(kind, written);
    if (isEmpty(taken)) return settled;
    return withWriter(settled, kind, manager, taken, formatTime(now));
  } catch (error) {
    throw asManagedFieldsError(error);
  }
}

function fitting(versions: Versions, object: JsonObject): TypedObject {
  const typed = versions.typed(object);
  const problems = typedProblems(typed.schema, object, 'stored');
  if (problems !== undefined) throw new ManagedFieldsError(problemsText(problems));
  return typed;
}

function withWriter(
  managers: Map<string, Manager>,
  kind: ManagedKind,
  name: string,
  fields: FieldSet,
  time: string,
): Managers {
  const identity = writerOf(kind, name);
  const id = identityText(identity);
  const previous = managers.get(id);
  const all = previous === undefined ? fields : union(fields, previous.fields);
  managers.set(id, { identity, apiVersion: kind.apiVersion, fields: all, time });
  return managers;
}
