import type { Revision } from '../api/revision.ts';
import type { BatchOutcome, CreateOutcome, StoredItem, UpdateOutcome } from './interface.ts';

/** What became of one or more compare-and-swap operations, whatever they were. */
export type WriteResult =
  | { readonly done: true; readonly revision: Revision }
  /** The condition of the operation at `index` did not hold; behind the last operation: a guard, of which nothing is told. */
  | { readonly done: false; readonly index: number; readonly current: StoredItem | undefined };

export function createOutcome(result: WriteResult): CreateOutcome {
  if (result.done) return { outcome: 'ok', revision: result.revision };
  const { index, current } = result;
  // the guards come behind the one operation
  if (index > 0) return { outcome: 'guarded', index: index - 1 };
  if (current !== undefined) return { outcome: 'exists', current };
  throw new Error('a key that stands in the way has a value');
}

/** For update and delete. */
export function changeOutcome(result: WriteResult): UpdateOutcome {
  if (result.done) return { outcome: 'ok', revision: result.revision };
  const { current } = result;
  return current === undefined ? { outcome: 'missing' } : { outcome: 'conflict', current };
}

export function batchOutcome(result: WriteResult): BatchOutcome {
  if (result.done) return { outcome: 'ok', revision: result.revision };
  const { index, current } = result;
  return current === undefined
    ? { outcome: 'conflict', index }
    : { outcome: 'conflict', index, current };
}
