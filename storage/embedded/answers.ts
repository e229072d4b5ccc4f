/** Writers that go on in one turn of the event loop: each has an answer to make and to send. */
const PER_TURN = 4;

/** One who waits for what became of a write. */
interface Answered {
  /** Who is behind it; of the same one there may be many. */
  readonly caller: string;
  resolve(result: unknown): void;
}

interface Due {
  readonly writer: Answered;
  readonly result: unknown;
}

/** What one caller is going to be told, in the order of the writes. */
interface Line {
  readonly caller: string;
  readonly due: Due[];
}

/**
 * Answers the writers of commits a few in each turn of the event loop. All of
 * them are on the disk by then. If all continued at once, short requests that
 * arrive meanwhile would wait. Callers take turns, one answer each, so a caller
 * with one write does not wait for all writes of another caller.
 */
export class Answers {
  /** Those with something due; the first one is next. Few: no more than have writes under way. */
  readonly #lines: Line[] = [];
  #given: Promise<void> | undefined;
  #end: () => void = () => undefined;

  /** `results`: one for each of `writers`. */
  give(writers: readonly Answered[], results: readonly unknown[]): void {
    for (const [index, writer] of writers.entries()) {
      this.#lineOf(writer.caller).due.push({ writer, result: results[index] });
    }
    if (this.#given !== undefined) return;
    this.#given = new Promise((resolve) => (this.#end = resolve));
    this.#turn();
  }

  /** Resolves when all that was to be answered is. */
  async given(): Promise<void> {
    await this.#given;
  }

  #lineOf(caller: string): Line {
    let line = this.#lines.find((one) => one.caller === caller);
    if (line === undefined) this.#lines.push((line = { caller, due: [] }));
    return line;
  }

  readonly #turn = (): void => {
    for (let i = 0; i < PER_TURN; i++) this.#answerNext();
    if (this.#lines.length > 0) {
      setImmediate(this.#turn);
      return;
    }
    this.#given = undefined;
    this.#end();
  };

  #answerNext(): void {
    const line = this.#lines.shift();
    const next = line?.due.shift();
    if (line === undefined || next === undefined) return;
    if (line.due.length > 0) this.#lines.push(line);
    next.writer.resolve(next.result);
  }
}
