interface Waiting {
  readonly work: () => void;
  readonly weight: number;
}

/** Does so many things in a turn of the event loop; the others wait for the next turns, in their order. */
export class PerTurn {
  readonly #max: number;
  readonly #waiting: Waiting[] = [];
  #left: number;
  #isArmed = false;

  /** `max`: things that are done in one turn. */
  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /** Does `work` now or in a later turn. It must not throw. `weight`: for how many things it counts. */
  run(work: () => void, weight = 1): void {
    if (!this.#isArmed) {
      this.#isArmed = true;
      setImmediate(this.#turn);
    }
    if (this.#left <= 0) {
      this.#waiting.push({ work, weight });
      return;
    }
    this.#left -= weight;
    work();
  }

  readonly #turn = (): void => {
    let [count, left] = [0, this.#max];
    for (; left > 0 && count < this.#waiting.length; count++) {
      left -= this.#waiting[count]?.weight ?? 0;
    }
    const now = this.#waiting.splice(0, count);
    this.#left = left;
    this.#isArmed = now.length > 0;
    if (this.#isArmed) setImmediate(this.#turn);
    for (const { work } of now) work();
  };
}
