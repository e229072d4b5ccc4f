import type { RegistryParts } from '../registry/parts.ts';
import { relativeKey } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import { Elector, type ElectorTiming } from './election/elector.ts';
import { LeaseLock, type LockName } from './election/lease-lock.ts';
import { LEASES_PREFIX } from './kinds.ts';
import type { Loop } from './loop.ts';
import { newLoopState, type LoopState } from './loop-state.ts';
import { LoopRunner } from './runner.ts';

/** Steps end when they are told to; one that does not is left behind after so long. */
const STOP_LIMIT_MS = 800;

interface LoopManagerOptions {
  readonly parts: RegistryParts;
  /** The registry without admission: no webhook may keep servers from agreeing on who leads. */
  readonly unadmitted: RegistryParts;
  readonly identity: string;
  readonly loops: readonly Loop[];
  readonly lock: LockName;
  readonly timing?: ElectorTiming;
  /** No other server can use this store, so an earlier holder of the lease is dead. */
  readonly alone?: boolean;
  /** This server runs the elected loops from now on. `lease`: undefined when the replica does not show it yet. */
  readonly onElected?: (lease: Entry | undefined) => void;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/** What `/debug/loops` and metrics show. */
export interface LoopStatus {
  readonly identity: string;
  /** This server runs the elected loops. */
  readonly leading: boolean;
  /** Identity of the server that does, as far as this one knows; empty: none. */
  readonly leader: string;
  /** How often this server has been elected. */
  readonly terms: number;
  readonly loops: readonly LoopState[];
}

/** Runs all loops: those of every server from the start, the elected ones while this server is. */
export class LoopManager {
  readonly #options: LoopManagerOptions;
  readonly #elector: Elector;
  readonly #states: ReadonlyMap<Loop, LoopState>;
  #own: LoopRunner[] = [];
  #elected: LoopRunner[] = [];
  #terms = 0;

  constructor(options: LoopManagerOptions) {
    this.#options = options;
    this.#states = new Map(options.loops.map((loop) => [loop, newLoopState(loop)]));
    const { parts, unadmitted, lock, identity, timing, alone = false, onProblem } = options;
    this.#elector = new Elector({
      clock: parts.clock,
      replica: parts.reader.replica,
      random: parts.random,
      lock: new LeaseLock(unadmitted, lock),
      identity,
      alone,
      ...(timing === undefined ? {} : { timing }),
      onElected: () => {
        this.#terms++;
        this.#tellElected();
        this.#elected = this.#run(true);
      },
      onDeposed: () => stopAll(this.#elected),
      onProblem,
    });
  }

  start(): void {
    this.#own = this.#run(false);
    this.#elector.start();
  }

  /** Ends all steps and gives up the lease; within a second, even if a step does not end. */
  async stop(): Promise<void> {
    const { clock } = this.#options.parts;
    let cancel = (): void => undefined;
    const limit = new Promise<void>((resolve) => {
      cancel = clock.after(STOP_LIMIT_MS, resolve);
    });
    // The election first: its loops end and others may begin while the rest ends.
    await Promise.race([Promise.all([this.#elector.stop(), stopAll(this.#own)]), limit]);
    cancel();
  }

  status(): LoopStatus {
    return {
      identity: this.#options.identity,
      leading: this.#elector.leading,
      leader: this.#elector.holder,
      terms: this.#terms,
      loops: [...this.#states.values()],
    };
  }

  #tellElected(): void {
    const { parts, lock, onElected } = this.#options;
    const { items } = parts.reader.replica.collection(LEASES_PREFIX);
    const lease = items.get(relativeKey(lock.namespace, lock.name));
    onElected?.(lease?.corrupt === false ? lease : undefined);
  }

  #run(elected: boolean): LoopRunner[] {
    const { parts, onProblem } = this.#options;
    const runners: LoopRunner[] = [];
    for (const [loop, state] of this.#states) {
      if (loop.elected !== elected) continue;
      const runner = new LoopRunner(
        loop,
        {
          clock: parts.clock,
          replica: parts.reader.replica,
          onFailure: (name, error) => onProblem(`the loop ${name} failed`, error),
        },
        state,
      );
      runner.start();
      runners.push(runner);
    }
    return runners;
  }
}

async function stopAll(runners: readonly LoopRunner[]): Promise<void> {
  await Promise.all(runners.map((runner) => runner.stop()));
}
