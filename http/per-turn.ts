/** Does so many things in a turn of the event loop; the others wait for the next turns, in their order. */
export class PerTurn {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isArmed = false;

  /** `max`: things that are done in one turn. */
  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /** Does `work` now or in a later turn. It must not throw. */
  run(work: () => void): void {
    if (!this.#isArmed) {
      this.#isArmed = true;
      setImmediate(this.#turn);
    }
    if (this.#left === 0) {
      this.#waiting.push(work);
      return;
    }
    this.#left--;
    work();
  }

  readonly #turn = (): void => {
    const now = this.#waiting.splice(0, this.#max);
    this.#left = this.#max - now.length;
    this.#isArmed = now.length > 0;
    if (this.#isArmed) setImmediate(this.#turn);
    for (const work of now) work();
  };
}
