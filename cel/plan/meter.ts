/** Evaluation used up its budget. Thrown through the closures and turned into a result outside. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
}

/** The caller asked for evaluation to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Iterations of a loop between two looks at whether to stop. */
const INTERRUPT_CHECK_FREQUENCY = 100;

/** Counts the steps of one evaluation. A step that would pass the limit is never taken. */
export class Meter {
  cost = 0;
  readonly limit: number;
  readonly #isInterrupted: (() => boolean) | undefined;
  #iterations = 0;

  constructor(limit: number, isInterrupted?: () => boolean) {
    this.limit = limit;
    this.#isInterrupted = isInterrupted;
  }

  /** @throws BudgetExceeded */
  charge(steps: number): void {
    if ((this.cost += steps) > this.limit) throw new BudgetExceeded();
  }

  /** Gives back what was charged in advance for a step that turned out not to be needed. */
  refund(steps: number): void {
    this.cost -= steps;
  }

  /** Called once per iteration. @throws Interrupted */
  checkInterrupt(): void {
    if (this.#isInterrupted === undefined) return;
    if (++this.#iterations % INTERRUPT_CHECK_FREQUENCY === 0 && this.#isInterrupted()) {
      throw new Interrupted();
    }
  }
}
