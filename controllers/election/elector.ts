import type { Clock } from '../../api/clock.ts';
import type { Replica } from '../../watch/replica.ts';
import type { Entry } from '../../watch/entry.ts';
import type { LeaseLock } from './lease-lock.ts';
import { leaseRecord } from './lease-record.ts';

/** How long a holder is trusted and how often it renews. */
export interface ElectorTiming {
  /** A lease that has not changed for so long is free. */
  readonly durationMs: number;
  /** A holder that could not renew for so long gives up: before others take over. */
  readonly renewDeadlineMs: number;
  readonly renewMs: number;
}

const DEFAULT_TIMING: ElectorTiming = {
  durationMs: 5_000,
  renewDeadlineMs: 3_500,
  renewMs: 1_500,
};

/** Another holder's lease may last longer than ours, but not longer than this. */
const MAX_PATIENCE_MS = 60_000;
/** How long giving the lease back may hold up the end of the process. */
const RELEASE_LIMIT_MS = 500;

interface ElectorOptions {
  readonly clock: Clock;
  readonly replica: Replica;
  /** In [0, 1). */
  readonly random: () => number;
  readonly lock: LeaseLock;
  /** Names this process among all servers, and no later one. */
  readonly identity: string;
  readonly timing?: ElectorTiming;
  /** There are no other servers: a lease with another holder is left over from a dead process. */
  readonly alone: boolean;
  readonly onElected: () => void;
  /** Resolves when everything that the election allowed has ended. */
  readonly onDeposed: () => Promise<void>;
  readonly onProblem: (message: string, error: unknown) => void;
}

/**
 * Elects one server through a Lease. Clocks are not compared: a lease is free
 * when this server has not seen it change for the holder's duration, measured on
 * its own monotonic clock from the moment it saw the last change. The holder
 * measures from before it wrote, and gives up sooner, so that as a rule the old
 * holder has stopped when the new one begins. That keeps logs readable; safety
 * comes from the preconditions on every write.
 */
export class Elector {
  readonly #options: ElectorOptions;
  readonly #timing: ElectorTiming;
  readonly #stop = new AbortController();
  #seen: Entry | undefined;
  #seenAt: number;
  #leading = false;
  /** Monotonic time from which the lease that is held counts. */
  #renewedAt = 0;
  #endPause: (() => void) | undefined;
  #run: Promise<void> | undefined;

  constructor(options: ElectorOptions) {
    this.#options = options;
    this.#timing = options.timing ?? DEFAULT_TIMING;
    this.#seenAt = options.clock.monotonic();
  }

  get leading(): boolean {
    return this.#leading;
  }

  /** The holder of the lease as far as this server knows; empty when there is none. */
  get holder(): string {
    return this.#seen === undefined ? '' : holderOf(this.#seen);
  }

  start(): void {
    this.#run = this.#forever();
  }

  /** Ends what the election allowed, and gives the lease back so that another server need not wait. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the server is stopping'));
    this.#endPause?.();
    await this.#run;
  }

  async #forever(): Promise<void> {
    const { replica, lock, clock } = this.#options;
    let unlisten = (): void => undefined;
    const listen = (): void => {
      unlisten();
      unlisten = replica.collection(lock.prefix).listen(() => this.#onChange());
    };
    listen();
    const unreload = replica.onReload((reason) => {
      // What was seen may be of a later revision than all that comes now.
      if (reason === 'reset') this.#forget();
      listen();
    });
    this.#seenAt = clock.monotonic();
    while (!this.#stop.signal.aborted) {
      await this.#pause(this.#leading ? await this.#keep() : await this.#compete());
    }
    unreload();
    unlisten();
    if (this.#leading) await this.#release();
  }

  /** Returns how long to wait before the next attempt. */
  async #compete(): Promise<number> {
    const { clock, lock } = this.#options;
    this.#observe(lock.cached());
    const patience = this.#patience();
    if (patience > 0) return patience;
    const startedAt = clock.monotonic();
    try {
      const taken = await this.#take(startedAt);
      if (taken === undefined) this.#observe(await this.#live());
      else {
        this.#observe(taken);
        this.#renewedAt = startedAt;
        this.#leading = true;
        this.#options.onElected();
        return this.#timing.renewMs;
      }
    } catch (error) {
      this.#problem('taking the lease failed', error);
    }
    // Competitors that came at the same time come back at different ones.
    return this.#timing.renewMs * (0.5 + this.#options.random() / 2);
  }

  async #keep(): Promise<number> {
    const { clock, identity } = this.#options;
    const startedAt = clock.monotonic();
    try {
      const renewed = await this.#take(this.#renewedAt);
      if (renewed !== undefined) {
        this.#observe(renewed);
        this.#renewedAt = startedAt;
        return this.#timing.renewMs;
      }
      this.#observe(await this.#live());
      // Still ours: the answer of our write was lost, another client changed a label, or the lease was deleted.
      const isOurs = this.#seen === undefined || this.holder === identity;
      if (isOurs && this.#heldFor() < this.#timing.renewDeadlineMs) {
        return this.#timing.renewMs / 4;
      }
      return await this.#depose('another server holds the lease', undefined);
    } catch (error) {
      if (this.#heldFor() >= this.#timing.renewDeadlineMs) {
        return this.#depose('the lease could not be renewed in time', error);
      }
      this.#problem('renewing the lease failed', error);
      return this.#timing.renewMs / 4;
    }
  }

  async #depose(why: string, error: unknown): Promise<number> {
    this.#leading = false;
    this.#problem(`no longer elected: ${why}`, error);
    await this.#options.onDeposed();
    return this.#timing.renewMs;
  }

  async #release(): Promise<void> {
    this.#leading = false;
    await this.#options.onDeposed();
    try {
      const giveBack = (signal: AbortSignal): Promise<unknown> =>
        this.#options.lock.take(this.#seen, '', 1, signal);
      await this.#within(RELEASE_LIMIT_MS, giveBack, new AbortController().signal);
    } catch (error) {
      this.#options.onProblem('giving the lease back failed', error);
    }
  }

  /** `since`: the write is given up when that lies as far back as a renewal may take. */
  #take(since: number): Promise<Entry | undefined> {
    const { clock, lock, identity } = this.#options;
    const { durationMs, renewDeadlineMs } = this.#timing;
    return this.#within(since + renewDeadlineMs - clock.monotonic(), (signal) =>
      lock.take(this.#seen, identity, Math.ceil(durationMs / 1000), signal),
    );
  }

  #live(): Promise<Entry | undefined> {
    return this.#within(this.#timing.renewDeadlineMs, (signal) => this.#options.lock.live(signal));
  }

  /** Rejects when the time is over, whether or not what was begun has ended by then: a store may be silent for long. */
  async #within<T>(
    ms: number,
    begin: (signal: AbortSignal) => Promise<T>,
    stop: AbortSignal = this.#stop.signal,
  ): Promise<T> {
    const limit = new AbortController();
    const giveUp = (): void => limit.abort(new Error('the store did not answer in time'));
    const cancel = this.#options.clock.after(Math.max(0, ms), giveUp);
    stop.addEventListener('abort', giveUp, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
        begin(limit.signal).then(resolve, reject);
      });
    } finally {
      cancel();
      stop.removeEventListener('abort', giveUp);
    }
  }

  #heldFor(): number {
    return this.#options.clock.monotonic() - this.#renewedAt;
  }

  /** How long the present holder is to be trusted yet. */
  #patience(): number {
    const { identity, clock, alone } = this.#options;
    if (alone || this.#seen === undefined || this.#seen.corrupt) return 0;
    const { holder, durationSeconds } = leaseRecord(this.#seen.object());
    if (holder === '' || holder === identity) return 0;
    const duration = durationSeconds === undefined ? 0 : durationSeconds * 1000;
    return this.#seenAt + Math.min(duration, MAX_PATIENCE_MS) - clock.monotonic();
  }

  #observe(entry: Entry | undefined): void {
    if (entry?.revision === this.#seen?.revision) return;
    // A replica that lags shows what has been seen before.
    if (entry !== undefined && this.#seen !== undefined && entry.revision < this.#seen.revision) {
      return;
    }
    this.#seen = entry;
    this.#seenAt = this.#options.clock.monotonic();
  }

  #forget(): void {
    this.#seen = undefined;
    this.#seenAt = this.#options.clock.monotonic();
  }

  #onChange(): void {
    if (this.#leading) return;
    const before = this.#seen?.revision;
    this.#observe(this.#options.lock.cached());
    if (this.#seen?.revision !== before && this.#patience() <= 0) this.#endPause?.();
  }

  #problem(message: string, error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.onProblem(message, error);
  }

  #pause(ms: number): Promise<void> {
    if (this.#stop.signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#endPause = undefined;
        cancel();
        resolve();
      };
      const cancel = this.#options.clock.after(ms, end);
      this.#endPause = end;
    });
  }
}

function holderOf(entry: Entry): string {
  return entry.corrupt ? '' : leaseRecord(entry.object()).holder;
}
