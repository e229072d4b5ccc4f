import type { Clock } from '../api/clock.ts';
import type { Replica } from '../watch/replica.ts';
import type { Loop, LoopReport } from './loop.ts';
import { newLoopState, type LoopState } from './loop-state.ts';

/** A failing step is tried again after so long, doubling up to the most. Nothing shortens that. */
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 30_000;
/** Changes that come in bursts are worth one step, not one each. */
const DEFAULT_REST_MS = 10;
/** A step that takes longer is interrupted, and counts as failed. */
const STEP_LIMIT_MS = 60_000;

interface RunnerOptions {
  readonly clock: Clock;
  readonly replica: Replica;
  readonly onFailure: (loop: string, error: unknown) => void;
}

/** Runs one loop: woken by changes and by its period, one step at a time, until it is stopped. */
export class LoopRunner {
  readonly state: LoopState;
  readonly #loop: Loop;
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  readonly #endings: (() => void)[] = [];
  #unlisten: (() => void)[] = [];
  #woken = true;
  /** Ends the pause under way; a wake-up may end an idle one only. */
  #endPause: (() => void) | undefined;
  #idle = false;
  #run: Promise<void> | undefined;

  constructor(loop: Loop, options: RunnerOptions, state: LoopState = newLoopState(loop)) {
    this.#loop = loop;
    this.#options = options;
    this.state = state;
  }

  start(): void {
    const { replica } = this.#options;
    this.#listen();
    this.#endings.push(replica.onReload(() => this.#listen()));
    const ending = this.#loop.wakeOn?.(() => this.poke());
    if (ending !== undefined) this.#endings.push(ending);
    this.#run = this.#forever();
  }

  /** Interrupts the step under way and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the loop is stopped'));
    for (const end of [...this.#endings, ...this.#unlisten]) end();
    this.#endPause?.();
    await this.#run;
  }

  /** Run a step soon; calls before it begins count as one. */
  poke(): void {
    this.state.wakeUps++;
    this.#woken = true;
    if (this.#idle) this.#endPause?.();
  }

  /** A reload puts other collections in the place of those that were listened to. */
  #listen(): void {
    const { replica } = this.#options;
    for (const end of this.#unlisten) end();
    this.#unlisten = this.#loop.wokenBy.map((prefix) =>
      replica.collection(prefix).listen(() => this.poke()),
    );
    this.poke();
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #forever(): Promise<void> {
    const { periodMs } = this.#loop;
    this.#loop.reset?.();
    this.state.active = true;
    while (!this.#stopped()) {
      this.#woken = false;
      const report = await this.#step();
      if (this.#stopped()) break;
      if (report === undefined) await this.#pause(retryDelay(this.state.failuresInARow), false);
      else if (report.again === true) await new Promise((resolve) => setImmediate(resolve));
      else {
        const restMs = report.restMs ?? this.#loop.restMs ?? DEFAULT_REST_MS;
        await this.#pause(restMs, false);
        const waitMs = Math.min(periodMs, report.againAfterMs ?? Infinity) - restMs;
        if (waitMs > 0) await this.#pause(waitMs, true);
      }
    }
    this.state.active = false;
    this.#loop.reset?.();
  }

  /** Undefined: the step failed. */
  async #step(): Promise<LoopReport | undefined> {
    const { state } = this;
    const { clock, onFailure } = this.#options;
    const startedAt = clock.monotonic();
    const limited = this.#limit();
    state.running = true;
    try {
      const report = await this.#loop.step(limited.signal);
      state.lastSummary = report.summary;
      state.lastError = '';
      state.failuresInARow = 0;
      return report;
    } catch (error) {
      if (this.#stopped()) return undefined;
      state.failures++;
      state.failuresInARow++;
      state.lastError = error instanceof Error ? error.message : String(error);
      onFailure(state.name, error);
      return undefined;
    } finally {
      limited.end();
      state.running = false;
      state.steps++;
      state.lastStepAt = clock.now();
      state.lastDurationMs = clock.monotonic() - startedAt;
      state.busyMs += state.lastDurationMs;
    }
  }

  /** The signal of one step: aborts with the loop, or when the step takes too long. */
  #limit(): { signal: AbortSignal; end: () => void } {
    const step = new AbortController();
    const { signal: stop } = this.#stop;
    const onStop = (): void => step.abort(stop.reason);
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop, { once: true });
    const cancel = this.#options.clock.after(STEP_LIMIT_MS, () =>
      step.abort(new Error(`the step took longer than ${STEP_LIMIT_MS / 1000} s`)),
    );
    const end = (): void => {
      cancel();
      stop.removeEventListener('abort', onStop);
    };
    return { signal: step.signal, end };
  }

  /** Until the time has passed or the loop is stopped; when idle, also until something wakes it. */
  #pause(ms: number, idle: boolean): Promise<void> {
    if (this.#stopped() || (idle && this.#woken)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#endPause = undefined;
        this.#idle = false;
        cancel();
        resolve();
      };
      const cancel = this.#options.clock.after(ms, end);
      this.#endPause = end;
      this.#idle = idle;
    });
  }
}

function retryDelay(failuresInARow: number): number {
  return Math.min(RETRY_MIN_MS * 2 ** (failuresInARow - 1), RETRY_MAX_MS);
}
