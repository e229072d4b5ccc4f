import type { Comparison } from '../../watch/comparison.ts';
import { CellFamily, type Family } from './family.ts';

/** Counts how often this server has compared what it shows with what the store holds. */
export class ComparisonMetrics {
  readonly #comparisons = new CellFamily(
    'plinth_replica_comparisons_total',
    'counter',
    'Comparisons of the replica with the store, by outcome: equal or different.',
    ['result'],
  );

  constructor() {
    for (const result of ['equal', 'different']) this.#comparisons.with(result);
  }

  compared({ differences }: Comparison): void {
    this.#comparisons.with(differences === 0 ? 'equal' : 'different').value++;
  }

  families(): Family[] {
    return [this.#comparisons];
  }
}
