import type {
  BatchOperation,
  BatchOutcome,
  CreateOutcome,
  Guard,
  UpdateOutcome,
} from './interface.ts';

/** One write as every store executes it: all operations at one revision, or none. */
export interface Transaction {
  readonly operations: readonly BatchOperation[];
  /** What must hold besides of keys that are not written. */
  readonly guards: readonly Guard[];
  /** The first operation is a create with a value that `unique` of a create promises (interface.ts). */
  readonly unique?: boolean | undefined;
}

/** What became of a transaction. The conditions of its operations are looked at before its guards. */
export type WriteResult = BatchOutcome | { readonly outcome: 'guarded'; readonly guard: Guard };

/** Of a transaction that creates `key`, and updates others. */
export function createOutcome(key: string, result: WriteResult): CreateOutcome {
  if (result.outcome !== 'conflict') return result;
  if (result.key !== key) return { outcome: 'outdated' };
  const { current } = result;
  if (current === undefined) throw new Error('a key that stands in the way has a value');
  return { outcome: 'exists', current };
}

/** Of a transaction of one `update` or `delete`. */
export function changeOutcome(result: WriteResult): UpdateOutcome {
  const outcome = batchOutcome(result);
  if (outcome.outcome === 'ok') return outcome;
  const { current } = outcome;
  return current === undefined ? { outcome: 'missing' } : { outcome: 'conflict', current };
}

/** Of a transaction without guards. */
export function batchOutcome(result: WriteResult): BatchOutcome {
  if (result.outcome === 'guarded') throw new Error('a guard that was not set');
  return result;
}
