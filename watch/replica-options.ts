import type { Clock } from '../api/clock.ts';
import type { Store } from '../storage/interface.ts';
import type { IndexLimits } from './index/index-memory.ts';
import type { HistoryLimits } from './history-limits.ts';

export interface ReplicaOptions {
  store: Store;
  clock: Clock;
  /** Told about everything that goes wrong and is being repaired. */
  onProblem?: (message: string, error?: unknown) => void;
  /** Told every two seconds while the whole registry is read, with the number of objects read so far. */
  onLoading?: (objects: number) => void;
  limits?: Partial<HistoryLimits>;
  indexLimits?: Partial<IndexLimits>;
  /** Size of the pieces of memory that objects share. */
  slabBytes?: number;
}

/** Why a replica's state was replaced as a whole; every watcher that was open is told 410. */
export type ReloadReason = 'compacted' | 'reset';
