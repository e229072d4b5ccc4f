import type { ObjectMeta } from '../api/object.ts';

/** What an update never changes, whatever the client sends (behaviours 3.5). */
export function restoreSystemMetadata(metadata: ObjectMeta, old: ObjectMeta): void {
  copyOrDelete(metadata, old, 'generation');
  copyOrDelete(metadata, old, 'creationTimestamp');
  copyOrDelete(metadata, old, 'resourceVersion');
  copyOrDelete(metadata, old, 'selfLink');
  if ((metadata.uid ?? '') === '') copyOrDelete(metadata, old, 'uid');
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined) {
    copyOrDelete(metadata, old, 'deletionGracePeriodSeconds');
  }
}

function copyOrDelete(to: ObjectMeta, from: ObjectMeta, key: keyof ObjectMeta): void {
  const fields: Record<string, unknown> = to;
  if (from[key] !== undefined) fields[key] = from[key];
  // to delete what is not there takes longer than all else here
  else if (to[key] !== undefined) Reflect.deleteProperty(to, key);
}
