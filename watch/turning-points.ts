import type { Revision } from '../api/revision.ts';
import type { Coroutine } from './coroutine.ts';

/** What happens to a stream between two transactions. */
interface TurningPoint {
  /** It comes after the events up to this revision. */
  readonly after: Revision;
  readonly run: () => Coroutine;
}

/** What waits to happen to a stream, in the order in which it was asked for. */
export class TurningPoints {
  readonly #points: TurningPoint[] = [];
  #onSettled: (() => void)[] = [];

  push(after: Revision, run: () => Coroutine): void {
    this.#points.push({ after, run });
  }

  /** Whether the first one is due before an event of this revision; undefined: no event waits. */
  isDue(next: Revision | undefined): boolean {
    const [point] = this.#points;
    return point !== undefined && (next === undefined || next > point.after);
  }

  *runFirst(): Coroutine {
    yield* this.#points[0]?.run() ?? [];
    this.#points.shift();
    if (this.#points.length === 0) this.tellSettled();
  }

  get isEmpty(): boolean {
    return this.#points.length === 0;
  }

  /** Resolves when none is left, or when the stream is over. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#onSettled.push(resolve));
  }

  tellSettled(): void {
    const waiting = this.#onSettled;
    this.#onSettled = [];
    for (const tell of waiting) tell();
  }
}
