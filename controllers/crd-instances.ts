import { ApiError } from '../api/api-error.ts';
import { inParallel } from '../api/in-parallel.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { isStoreError } from '../storage/errors.ts';
import type { Entry } from '../watch/entry.ts';
import type { LoopWriter, WriteOutcome } from './writer.ts';

/** Instances that one step deletes, and how many of them at a time. */
const MAX_DELETIONS = 500;
const WORKERS = 16;
/** After so many refusals the others wait for the next step: each may have taken as long as a webhook may. */
const MAX_FAILURES = 5;

export interface InstanceDeletion {
  /** Why instances could not be deleted. */
  readonly failures: readonly string[];
  /** Some have not been tried. */
  readonly more: boolean;
  /** Some were others than what this server has seen of them. */
  readonly isStale: boolean;
}

interface DeletionParts {
  readonly writer: LoopWriter;
  readonly marked: WeakSet<Entry>;
  /** Those whose deletion was refused: tried again when the others have been. */
  readonly refused: WeakSet<Entry>;
  readonly signal: AbortSignal;
}

/**
 * Deletes instances as any client would, so that admission and finalizers have
 * their say; a bounded number of those that are not marked yet.
 */
export async function deleteInstances(
  { writer, marked, refused, signal }: DeletionParts,
  resource: ServedResource,
  instances: { range(start: string): Iterable<Entry> },
): Promise<InstanceDeletion> {
  const untried: Entry[] = [];
  const again: Entry[] = [];
  for (const entry of instances.range('')) {
    if (marked.has(entry)) continue;
    const pending = refused.has(entry) ? again : untried;
    if (pending.length <= MAX_DELETIONS) pending.push(entry);
  }
  const all = untried.concat(again);
  const more = all.length > MAX_DELETIONS;
  const failures: string[] = [];
  let isStale = false;
  await inParallel(all.slice(0, MAX_DELETIONS), WORKERS, async (entry) => {
    if (signal.aborted || failures.length >= MAX_FAILURES) return;
    try {
      const outcome = await deleteOne({ writer, signal }, resource, entry, marked);
      isStale ||= outcome === 'stale';
    } catch (error) {
      if (!(error instanceof ApiError) && !isStoreError(error)) throw error;
      refused.add(entry);
      failures.push(error.message);
    }
  });
  return { failures, more, isStale };
}

async function deleteOne(
  { writer, signal }: Pick<DeletionParts, 'writer' | 'signal'>,
  resource: ServedResource,
  entry: Entry,
  marked: WeakSet<Entry>,
): Promise<WriteOutcome['outcome']> {
  if (entry.corrupt) {
    // it cannot be read, so its finalizers cannot be waited for
    return (await writer.discard(resource, entry, signal)) ? 'done' : 'stale';
  }
  const { uid = '', deletionTimestamp } = entry.metadata();
  if (deletionTimestamp !== undefined) {
    marked.add(entry);
    return 'done';
  }
  const { namespace, name, revision } = entry;
  const target = { resource, namespace, name };
  return (await writer.remove(target, { uid, revision }, { signal })).outcome;
}
