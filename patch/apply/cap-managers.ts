import { union } from './field-set-at-once.ts';
import {
  identityText,
  withFields,
  type Manager,
  type ManagerIdentity,
  type Managers,
} from './managers.ts';

/** Entries of plain updates that an object keeps; beyond it the oldest become one (behaviours 5.15). */
export const MAX_UPDATE_MANAGERS = 10;
/** The manager that stands for updates whose own managers are no longer told apart. */
export const ANCIENT_CHANGES = 'ancient-changes';

/**
 * Keeps the number of Update entries within {@link MAX_UPDATE_MANAGERS}: the
 * oldest of each version are put together, with the time of the newest of them.
 *
 * Source: apimachinery, util/managedfields/internal/capmanagers.go.
 */
export function capUpdateManagers(managers: Managers): Managers {
  if (managers.size <= MAX_UPDATE_MANAGERS) return managers;
  const updates = [...managers].filter(([, { identity }]) => identity.operation === 'Update');
  let surplus = updates.length - MAX_UPDATE_MANAGERS;
  if (surplus <= 0) return managers;
  updates.sort(([aId, a], [bId, b]) => compare(a.time ?? '', b.time ?? '') || compare(aId, bId));

  const capped = new Map(managers);
  const oldestOfVersion = new Map<string, string>();
  for (const [id, manager] of updates) {
    if (surplus <= 0) break;
    const first = oldestOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      oldestOfVersion.set(manager.apiVersion, id);
      continue;
    }
    oldestOfVersion.set(manager.apiVersion, moveToBucket(capped, first, id));
    surplus--;
  }
  return capped;
}

function bucketOf({ apiVersion }: Manager): ManagerIdentity {
  return { name: ANCIENT_CHANGES, operation: 'Update', apiVersion, subresource: '' };
}

/**
 * Moves a manager into the bucket of its version. The oldest of the version
 * becomes the bucket when there is none, and goes into it when its turn has
 * come to be followed by the bucket itself.
 */
function moveToBucket(managers: Map<string, Manager>, firstId: string, id: string): string {
  const first = managers.get(firstId);
  const manager = managers.get(id);
  if (first === undefined || manager === undefined) return firstId;
  const identity = bucketOf(manager);
  const bucketId = identityText(identity);
  const bucket = managers.get(bucketId);
  if (bucket === undefined || id === bucketId) managers.delete(firstId);
  managers.delete(id);
  const older = bucket === undefined || id === bucketId ? first : bucket;
  managers.set(bucketId, {
    ...withFields(older, union(manager.fields, older.fields)),
    identity,
    time: manager.time,
    entry: undefined,
  });
  return bucketId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
