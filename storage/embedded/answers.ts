/** Writers that go on in one turn of the event loop: each has an answer to make and to send. */
const PER_TURN = 4;

/** One who waits for what became of a write. */
export interface Answered {
  resolve(result: unknown): void;
}

/**
 * Answers the writers of a commit a few in each turn of the event loop, in their
 * order. All of them are on the disk by then, and would otherwise all go on at
 * once: whoever asks for something quick meanwhile would wait for them.
 */
export class Answers {
  readonly #due: { readonly writer: Answered; readonly result: unknown }[] = [];
  #given: Promise<void> | undefined;
  #end: () => void = () => undefined;

  /** `results`: one for each of `writers`. */
  give(writers: readonly Answered[], results: readonly unknown[]): void {
    for (const [index, writer] of writers.entries()) {
      this.#due.push({ writer, result: results[index] });
    }
    if (this.#given !== undefined) return;
    this.#given = new Promise((resolve) => (this.#end = resolve));
    this.#turn();
  }

  /** Resolves when all that was to be answered is. */
  async given(): Promise<void> {
    await this.#given;
  }

  readonly #turn = (): void => {
    for (const { writer, result } of this.#due.splice(0, PER_TURN)) writer.resolve(result);
    if (this.#due.length > 0) {
      setImmediate(this.#turn);
      return;
    }
    this.#given = undefined;
    this.#end();
  };
}
