import type { Clock } from '../api/clock.ts';
import type { Replica } from '../watch/replica.ts';
import type { Loop, LoopReport } from './loop.ts';

/** A failing step is tried again after so long, doubling up to the most. */
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 30_000;

export interface RunnerOptions {
  readonly clock: Clock;
  readonly replica: Replica;
  readonly onFailure: (loop: string, error: unknown) => void;
}

/** What is known of a loop, for `/debug/loops` and metrics. */
export interface LoopState {
  readonly name: string;
  steps: number;
  failures: number;
  running: boolean;
  lastSummary: string;
  lastError: string;
  /** Wall clock of the end of the last step, milliseconds. */
  lastStepAt: number | undefined;
}

/** Runs one loop: woken by changes and by its period, one step at a time, until it is stopped. */
export class LoopRunner {
  readonly state: LoopState;
  readonly #loop: Loop;
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  readonly #unlisten: (() => void)[] = [];
  #woken = true;
  #wakeUp: (() => void) | undefined;
  #run: Promise<void> | undefined;

  constructor(loop: Loop, options: RunnerOptions) {
    this.#loop = loop;
    this.#options = options;
    this.state = {
      name: loop.name,
      steps: 0,
      failures: 0,
      running: false,
      lastSummary: '',
      lastError: '',
      lastStepAt: undefined,
    };
  }

  start(): void {
    this.#listen();
    this.#unlisten.push(this.#options.replica.onReload(() => this.#listen()));
    this.#run = this.#forever();
  }

  /** Interrupts the step under way and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the loop is stopped'));
    for (const unlisten of this.#unlisten) unlisten();
    this.#wakeUp?.();
    await this.#run;
  }

  /** Run a step soon; calls before it begins count as one. */
  poke(): void {
    this.#woken = true;
    this.#wakeUp?.();
  }

  #listen(): void {
    for (const prefix of this.#loop.wokenBy) {
      this.#unlisten.push(this.#options.replica.collection(prefix).listen(() => this.poke()));
    }
    this.poke();
  }

  async #forever(): Promise<void> {
    let delay = RETRY_MIN_MS;
    while (!this.#stop.signal.aborted) {
      this.#woken = false;
      let waitMs = this.#loop.periodMs;
      try {
        const report = await this.#step();
        delay = RETRY_MIN_MS;
        waitMs = report.again === true ? 0 : Math.min(waitMs, report.againAfterMs ?? Infinity);
      } catch (error) {
        waitMs = this.#failed(error, delay);
        delay = Math.min(delay * 2, RETRY_MAX_MS);
      }
      await this.#pause(waitMs);
    }
  }

  async #step(): Promise<LoopReport> {
    const { state } = this;
    state.running = true;
    try {
      const report = await this.#loop.step(this.#stop.signal);
      state.lastSummary = report.summary;
      state.lastError = '';
      return report;
    } finally {
      state.running = false;
      state.steps++;
      state.lastStepAt = this.#options.clock.now();
    }
  }

  #failed(error: unknown, delay: number): number {
    if (this.#stop.signal.aborted) return 0;
    this.state.failures++;
    this.state.lastError = error instanceof Error ? error.message : String(error);
    this.#options.onFailure(this.#loop.name, error);
    return delay;
  }

  /** Until the time has passed, something wakes the loop, or it is stopped. */
  #pause(ms: number): Promise<void> {
    if (this.#woken || this.#stop.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, () => this.#wakeUp?.());
      this.#wakeUp = () => {
        this.#wakeUp = undefined;
        cancel();
        resolve();
      };
    });
  }
}
