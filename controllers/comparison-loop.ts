import type { RegistryParts } from '../registry/parts.ts';
import { isStoreError, StoreError } from '../storage/errors.ts';
import { ReplicaComparison, type Comparison } from '../watch/comparison.ts';
import type { Loop, LoopReport } from './loop.ts';

/** Between two pages: a comparison takes 2 % of a processor at most, however much there is to compare. */
const PAGE_PAUSE_MS = 250;

interface ComparisonOptions {
  readonly intervalMs: number;
  readonly onCompared: (result: Comparison) => void;
}

/**
 * Compares the replica with the store and reloads the replica when they differ.
 * They should never differ; clients could not notice such a difference
 * themselves.
 */
export class ComparisonLoop implements Loop {
  readonly name = 'comparison';
  readonly periodMs: number;
  readonly wokenBy = [];
  readonly elected = false;
  readonly #parts: RegistryParts;
  readonly #options: ComparisonOptions;
  #underWay: ReplicaComparison | undefined;

  constructor(parts: RegistryParts, options: ComparisonOptions) {
    this.#parts = parts;
    this.#options = options;
    this.periodMs = options.intervalMs;
    // The comparison under way is about a state that the replica no longer shows.
    parts.reader.replica.onReload(() => (this.#underWay = undefined));
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { store, reader } = this.#parts;
    const { replica } = reader;
    if (!replica.ready) return { summary: 'nothing is shown', againAfterMs: 1_000 };
    const comparison = (this.#underWay ??= new ReplicaComparison(store, replica));
    const result = await this.#next(comparison, signal);
    if (result === 'under way') return { summary: 'comparing', againAfterMs: PAGE_PAUSE_MS };
    // The replica was reloaded meanwhile, so the differences are obsolete.
    if (this.#underWay !== comparison)
      return { summary: 'begins again', againAfterMs: PAGE_PAUSE_MS };
    this.#underWay = undefined;
    if (result === 'overtaken') return { summary: 'history was compacted meanwhile' };
    this.#options.onCompared(result);
    const { revision, keys, differences, examples } = result;
    if (differences === 0) return { summary: `${keys} keys are equal at revision ${revision}` };
    const summary = `${differences} of ${keys} keys differ at revision ${revision}`;
    replica.distrust(new StoreError('reset', `${summary}: ${examples.join('; ')}`));
    return { summary };
  }

  async #next(
    comparison: ReplicaComparison,
    signal: AbortSignal,
  ): Promise<Comparison | 'under way' | 'overtaken'> {
    try {
      return (await comparison.next(signal)) ?? 'under way';
    } catch (error) {
      if (isStoreError(error, 'compacted')) return 'overtaken';
      this.#underWay = undefined;
      throw error;
    }
  }
}
