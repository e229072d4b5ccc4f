import { tooManyRequests } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import type { Cancellation } from '../../http/cancellation.ts';
import { Expiries, Expiring } from '../../api/expiries.ts';
import { FlowMetrics } from './flow-metrics.ts';
import { Gate, type Pass } from './gate.ts';
import { Pace } from './pace.ts';
import { Streams } from './streams.ts';

/** `readOnly` and `mutating` have seats of their own. */
export type SeatKind = 'readOnly' | 'mutating';

export interface LimitOptions {
  /** 0: no limit. */
  readonly maxReading: number;
  readonly maxMutating: number;
  readonly maxLongRunning: number;
  /** Do users take turns? Otherwise what finds no seat is refused at once. */
  readonly isFair: boolean;
  readonly maxWaitMs: number;
  readonly clock: Clock;
}

const TOO_MANY = 'Too many requests, please try again later.';
const RETRY_AFTER_SECONDS = 1;
/** Refusals that are held back; more are told at once. */
const MAX_HELD_REFUSALS = 10_000;

/** A write is as much work as so many reads of an object. */
const WORK_OF_WRITE = 2;

const LOOK_AGAIN_MS = 5;

/**
 * How many requests are worked on at a time. What finds no seat, or comes when
 * this turn of the event loop has enough to do, waits for its turn; what waits
 * too long, or finds too many waiting, is refused with 429.
 */
export class Limits {
  readonly metrics = new FlowMetrics();
  readonly streams: Streams;
  readonly #gates: Readonly<Record<SeatKind, Gate>>;
  readonly #pace: Pace;
  /** Gives up what waits too long. */
  readonly #waits: Expiries;
  readonly #refusals: (() => void)[] = [];
  readonly #options: LimitOptions;
  #next: SeatKind = 'readOnly';
  #looksAgain = false;

  constructor(options: LimitOptions) {
    this.#options = options;
    const { maxReading, maxMutating, maxLongRunning, isFair } = options;
    this.#gates = {
      readOnly: new Gate(maxReading, isFair, options.clock),
      mutating: new Gate(maxMutating, isFair, options.clock),
    };
    this.streams = new Streams(maxLongRunning, isFair);
    this.#waits = new Expiries(options.clock, options.maxWaitMs);
    this.#pace = new Pace(
      options.clock,
      () => this.#startNext(),
      (ms) => this.#sawRound(ms),
    );
  }

  /** A seat at once; undefined: see {@link wait}. */
  tryEnter(kind: SeatKind, user: string, width: number): Pass | undefined {
    const { isFair } = this.#options;
    const gate = this.#gates[kind];
    const mayBegin =
      !isFair || this.#pace.hasTime() || (gate.comesFirst(user) && this.#pace.hasTimeForNewcomer());
    return mayBegin ? gate.tryEnter(user, width) : undefined;
  }

  /**
   * Runs `work` as soon as there are seats. `work` begins in the turn in which
   * it is called, so that turns can be measured.
   *
   * @throws ApiError 429
   */
  wait<T>(
    kind: SeatKind,
    { user, width, cancellation }: { user: string; width: number; cancellation: Cancellation },
    work: (pass: Pass) => Promise<T>,
  ): Promise<T> {
    const { isFair, clock } = this.#options;
    if (!isFair) return Promise.reject(this.#refusal(kind, 'concurrency-limit'));
    return new Promise<T>((resolve, reject) => {
      const gate = this.#gates[kind];
      const since = clock.monotonic();
      let forget = (): void => undefined;
      const settle = (): void => {
        this.#waits.delete(patience);
        forget();
        this.metrics.waited(kind, (clock.monotonic() - since) / 1000);
      };
      const waiting = gate.wait(user, width, (pass) => {
        settle();
        work(pass).then(resolve, reject);
      });
      if (waiting === undefined) {
        this.#refuse(() => reject(this.#refusal(kind, 'queue-full')));
        return;
      }
      const giveUp = (error: Error): void => {
        settle();
        gate.giveUp(waiting);
        reject(error);
      };
      const patience = new Expiring(() => giveUp(this.#refusal(kind, 'time-out')));
      this.#waits.add(patience);
      forget = cancellation.onAbort(giveUp);
      this.#pace.ask();
    });
  }

  /** `extra`: what the request took beyond its width. */
  leave(kind: SeatKind, pass: Pass, extra = 0): void {
    const gate = this.#gates[kind];
    gate.leave(pass, extra);
    if (gate.waiting > 0) this.#pace.ask();
  }

  /** Runs a call to another server for a request; its seats are for others meanwhile. */
  async whileWaiting<T>(kind: SeatKind, pass: Pass, call: () => Promise<T>): Promise<T> {
    const gate = this.#gates[kind];
    gate.stepOut(pass);
    if (gate.waiting > 0) this.#pace.ask();
    try {
      return await call();
    } finally {
      gate.comeBack(pass);
    }
  }

  /**
   * Ends the rest of a connection when its user has few enough waiting to be
   * read from, at once if that is so, and after a second in any case.
   */
  rest(kind: SeatKind, user: string, resting: Expiring): void {
    if (!this.#gates[kind].rest(user, resting)) resting.expire();
  }

  noMoreStreams(): Error {
    this.metrics.rejected('longRunning', 'concurrency-limit');
    return tooManyRequests(TOO_MANY, RETRY_AFTER_SECONDS);
  }

  #refusal(kind: SeatKind, reason: 'concurrency-limit' | 'queue-full' | 'time-out'): Error {
    this.metrics.rejected(kind, reason);
    return tooManyRequests(TOO_MANY, RETRY_AFTER_SECONDS);
  }

  /** Even refusing is work. A client that asks again at once must not make it the only work there is. */
  #refuse(refuse: () => void): void {
    if (this.#refusals.length >= MAX_HELD_REFUSALS) {
      refuse();
      return;
    }
    this.#refusals.push(refuse);
    this.#pace.ask();
  }

  #startNext(): number {
    const first = this.#next;
    const second = first === 'readOnly' ? 'mutating' : 'readOnly';
    this.#next = second;
    const work = this.#startOf(first) || this.#startOf(second);
    // One refusal for each request that begins.
    const refuse = this.#refusals.shift();
    refuse?.();
    if (work === 0 && refuse === undefined) this.#lookAgain();
    return work === 0 && refuse !== undefined ? 1 : work;
  }

  /** What the turn has to do for the one that has begun; 0: none has. */
  #startOf(kind: SeatKind): number {
    const width = this.#gates[kind].startNext();
    return kind === 'mutating' ? width * WORK_OF_WRITE : width;
  }

  #sawRound(ms: number): void {
    const { readOnly, mutating } = this.#gates;
    if (readOnly.waiting > 0) readOnly.sawRound(ms);
    if (mutating.waiting > 0) mutating.sawRound(ms);
  }

  /** Those that have the seats may be waiting for something that takes long: then there may be more seats. */
  #lookAgain(): void {
    const gates = Object.values(this.#gates).filter((gate) => gate.waiting > 0 && gate.isReduced);
    if (gates.length === 0 || this.#looksAgain) return;
    this.#looksAgain = true;
    this.#options.clock.after(LOOK_AGAIN_MS, () => {
      this.#looksAgain = false;
      for (const gate of gates) gate.sawIdle();
      this.#pace.ask();
    });
  }
}
