/**
 * Work that runs until it has to wait: it yields a promise to wait for, or
 * undefined to rest until there is something to do.
 */
export type Coroutine<T = void> = Generator<Promise<unknown> | undefined, T, unknown>;

/** Waits inside of a coroutine. */
export function* settled<T>(promise: Promise<T>): Coroutine<T> {
  return (yield promise) as T;
}

/** Runs a coroutine, piece by piece. */
export class CoroutineRun {
  readonly #work: Coroutine;
  readonly #onError: (error: unknown) => void;
  #isBusy = false;
  #isOver = false;

  constructor(work: Coroutine, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  /** True while it runs or waits for a promise, false while it rests. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#isBusy || this.#isOver) return;
    this.#isBusy = true;
    this.#step(() => this.#work.next());
  }

  /** Goes no further; what it has opened is closed as soon as it can be. */
  stop(): void {
    this.#isOver = true;
    if (!this.#isBusy) this.#work.return();
  }

  #step(take: () => IteratorResult<Promise<unknown> | undefined, void>): void {
    try {
      const { value, done } = take();
      if (value === undefined || done === true) {
        this.#isBusy = false;
        if (this.#isOver) this.#work.return();
        return;
      }
      value.then(
        (result) => this.#settle(() => this.#work.next(result)),
        (error: unknown) => this.#settle(() => this.#work.throw(error)),
      );
    } catch (error) {
      this.#isBusy = false;
      this.#isOver = true;
      this.#onError(error);
    }
  }

  #settle(take: () => IteratorResult<Promise<unknown> | undefined, void>): void {
    if (!this.#isOver) {
      this.#step(take);
      return;
    }
    this.#isBusy = false;
    this.#work.return();
  }
}
