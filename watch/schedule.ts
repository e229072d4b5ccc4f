import type { Clock } from '../api/clock.ts';

const BOOKMARK_PERIOD_MS = 60_000;
/** Streams spread their bookmarks over this part of the period. */
const BOOKMARK_JITTER = 0.25;
const BOOKMARK_BEFORE_TIMEOUT_MS = 2_000;

interface ScheduleOptions {
  clock: Clock;
  random: () => number;
  bookmarks: boolean;
  /** The stream ends after this. */
  timeoutMs: number;
}

const NOTHING = (): void => undefined;

/** The timers of one stream: bookmarks about each minute and shortly before its end, then the end. */
export class StreamSchedule {
  readonly #options: ScheduleOptions;
  #cancelEnd: () => void = NOTHING;
  #cancelLast: () => void = NOTHING;
  #cancelNext: () => void = NOTHING;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  start(on: { bookmark: () => void; timeout: () => void }): void {
    const { clock, bookmarks, timeoutMs } = this.#options;
    this.#cancelEnd = clock.after(timeoutMs, on.timeout);
    if (!bookmarks) return;
    if (timeoutMs > BOOKMARK_BEFORE_TIMEOUT_MS) {
      this.#cancelLast = clock.after(timeoutMs - BOOKMARK_BEFORE_TIMEOUT_MS, on.bookmark);
    }
    this.#repeat(on.bookmark);
  }

  stop(): void {
    this.#cancelEnd();
    this.#cancelLast();
    this.#cancelNext();
  }

  #repeat(bookmark: () => void): void {
    const { clock, random } = this.#options;
    const ms = BOOKMARK_PERIOD_MS * (1 - BOOKMARK_JITTER * random());
    this.#cancelNext = clock.after(ms, () => {
      // First, because the stream may end with it.
      this.#repeat(bookmark);
      bookmark();
    });
  }
}
