import type { Clock } from '../api/clock.ts';
import type { FrameSink } from './frame-sink.ts';

/** The sink of one stream, and whether there is room in it. */
export class Outlet {
  readonly #sink: FrameSink;
  readonly #clock: Clock;
  #full = false;
  #ended = false;
  #wakeUp: (() => void) | undefined;

  constructor(sink: FrameSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  get full(): boolean {
    return this.#full;
  }

  /** As a {@link FrameSink} takes it. */
  write(frame: Buffer, lengths?: readonly number[]): void {
    if (!this.#ended && !this.#sink.write(frame, lengths)) this.#full = true;
  }

  /** The sink has room again. */
  resume(): void {
    this.#full = false;
    this.#wakeUp?.();
  }

  /** Waits until there is room; false when the stream has ended, or there has been none for so long. */
  async room(patienceMs = Infinity): Promise<boolean> {
    const clock = this.#clock;
    const until = clock.monotonic() + patienceMs;
    while (this.#full && !this.#ended && clock.monotonic() < until) {
      let cancel = (): void => undefined;
      await new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
        if (patienceMs !== Infinity) cancel = clock.after(patienceMs, resolve);
      });
      this.#wakeUp = undefined;
      cancel();
    }
    return !this.#full && !this.#ended;
  }

  end(): void {
    this.#ended = true;
    this.#wakeUp?.();
    this.#sink.end();
  }
}
