import type { JsonValue } from '../../api/json.ts';
import type { ManagedFieldsEntry } from '../../api/object.ts';
import { fieldElement } from './field-element.ts';
import { hasPath, isEmpty, setOfPath } from './field-set.ts';
import { difference } from './field-set-at-once.ts';
import { withFields, writeManagers, type Manager, type Managers } from './managers.ts';
import { readManagers } from './managers-at-once.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';

/** The version in which Scale objects are read and written. */
export const SCALE_API_VERSION = 'autoscaling/v1';
const SCALE_REPLICAS = setOfPath('f:spec', 'f:replicas');
const SCALE_REPLICAS_PATH = ['f:spec', 'f:replicas'];

/**
 * Where the replicas stand in each version of a kind: the names on the way, or
 * undefined for a version without a scale. Versions without a key do not exist.
 */
export type ReplicasPaths = ReadonlyMap<string, readonly string[] | undefined>;

/**
 * The entries of an object as those of its Scale: who owns the replicas there,
 * owns `spec.replicas` here.
 *
 * Source: apimachinery, util/managedfields/scalehandler.go (behaviours 7.13).
 *
 * @throws ManagedFieldsError when the entries cannot be read
 */
export function entriesOfScale(
  entries: JsonValue | undefined,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const scale = new Map<string, Manager>();
  for (const [id, manager] of readable(entries)) {
    const path = replicasPath(paths, manager.apiVersion);
    if (path !== undefined && hasPath(manager.fields, path)) {
      scale.set(id, {
        ...withFields(manager, SCALE_REPLICAS),
        apiVersion: SCALE_API_VERSION,
        entry: undefined,
      });
    }
  }
  return writeManagers(scale);
}

/**
 * The entries of an object after its Scale was written: who lost the replicas
 * in the Scale loses them here, who gained them owns them here, under the
 * version of the request. Entries of versions that do not exist are dropped.
 *
 * @throws ManagedFieldsError when the entries cannot be read
 */
export function entriesAfterScale(
  entries: JsonValue | undefined,
  scaleEntries: readonly ManagedFieldsEntry[],
  paths: ReplicasPaths,
  apiVersion: string,
): ManagedFieldsEntry[] {
  const scale = new Map(readable(scaleEntries as unknown as JsonValue));
  const after = new Map<string, Manager>();
  for (const [id, manager] of readable(entries)) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = replicasPath(paths, manager.apiVersion);
    if (path === undefined || !hasPath(manager.fields, path)) after.set(id, manager);
    else if (scale.delete(id)) after.set(id, manager);
    else {
      const left = difference(manager.fields, setOfPath(...path));
      if (!isEmpty(left)) after.set(id, withFields(manager, left));
    }
  }
  const target = replicasPath(paths, apiVersion);
  for (const [id, manager] of scale) {
    if (target === undefined || !hasPath(manager.fields, SCALE_REPLICAS_PATH)) continue;
    const fields = setOfPath(...target);
    // the reference takes the time of an entry that cannot exist: there is none
    after.set(id, { identity: manager.identity, apiVersion, fields, time: undefined });
  }
  return writeManagers(after);
}

function replicasPath(paths: ReplicasPaths, apiVersion: string): string[] | undefined {
  return paths.get(apiVersion)?.map(fieldElement);
}

function readable(entries: JsonValue | undefined): Managers {
  const managers = readManagers(entries);
  if (managers === undefined) throw new ManagedFieldsError('metadata.managedFields cannot be read');
  return managers;
}
