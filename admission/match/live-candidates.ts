import type { AdmissionAttributes } from '../attributes.ts';
import { Candidates, type Ruled } from './candidates.ts';

/** {@link Candidates} of a list that changes now and then. */
export class LiveCandidates<T extends Ruled> {
  readonly #list: () => readonly T[];
  #madeFrom: readonly T[] = [];
  #candidates = new Candidates<T>([]);

  /** `list`: the same list until something changes. */
  constructor(list: () => readonly T[]) {
    this.#list = list;
  }

  for(attributes: AdmissionAttributes): readonly T[] {
    const list = this.#list();
    if (list !== this.#madeFrom) {
      this.#madeFrom = list;
      this.#candidates = new Candidates(list);
    }
    return this.#candidates.for(attributes);
  }
}
