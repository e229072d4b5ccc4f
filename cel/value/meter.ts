import { madePattern, type Regex } from './pattern.ts';
import type { CelError } from './value.ts';

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

/** Work that a step pays for; a piece of work takes about a nanosecond. */
const WORK_PER_STEP = 150;
/** Strings up to this length are as quick to look at as any other value. */
const FREE_LENGTH = 64;
const WORK_PER_CHARACTER = 4;
/** Work of one instruction of a pattern, for each character that it is tried on. */
const WORK_PER_INSTRUCTION = 3;

/**
 * Counts the steps of one evaluation. A step that would pass the limit is never taken.
 *
 * Steps are an agreement with authors: much that takes time in proportion to its
 * operands counts as one. What a hostile author could make of that is counted as
 * work. Steps pay for work, and where they do not suffice more are charged.
 */
export class Meter {
  cost = 0;
  #work = 0;
  readonly limit: number;
  readonly #isInterrupted: (() => boolean) | undefined;
  #iterations = 0;
  #patterns: Map<string, Regex | CelError> | undefined;

  constructor(limit: number, isInterrupted?: () => boolean) {
    this.limit = limit;
    this.#isInterrupted = isInterrupted;
  }

  /** @throws BudgetExceeded */
  charge(steps: number): void {
    if ((this.cost += steps) > this.limit) throw new BudgetExceeded();
  }

  /** Counts work that is done anyway, mostly paid for already. @throws BudgetExceeded */
  work(amount: number): void {
    this.#work += amount;
    const unpaid = this.#work / WORK_PER_STEP - this.cost;
    if (unpaid > 0) this.charge(Math.ceil(unpaid));
  }

  /** Counts the work of looking at all of a string, as many functions do. */
  inspect(text: string): void {
    if (text.length > FREE_LENGTH) this.work(text.length * WORK_PER_CHARACTER);
  }

  /**
   * A pattern that the expression has made. The first time in an evaluation it
   * takes the work of compiling it; what is wrong with it is the answer.
   */
  regex(source: string): Regex | CelError {
    const known = this.#patterns?.get(source);
    if (known !== undefined) return known;
    const pattern = madePattern(source);
    this.work(pattern.work);
    const regex = pattern.compileForExpression();
    this.#patterns ??= new Map();
    this.#patterns.set(source, regex);
    return regex;
  }

  /** Counts the work of running a pattern over a text. */
  match(length: number, { instructions }: Regex): void {
    this.work(length * instructions * WORK_PER_INSTRUCTION);
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
