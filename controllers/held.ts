import type { ObjectMeta } from '../api/object.ts';

/**
 * Is the object being deleted, and waits for finalizers? Deleting it again does
 * nothing. One that is marked and has none is what a server left that died
 * between its two writes: that is to be deleted again.
 */
export function isHeld({ deletionTimestamp, finalizers = [] }: ObjectMeta): boolean {
  return deletionTimestamp !== undefined && finalizers.length > 0;
}
