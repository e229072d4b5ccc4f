import { systemClock } from '../../api/clock.ts';
import type { Steps } from '../../api/steps.ts';
import { Turn } from '../../api/turn.ts';
import type { Entry } from '../entry.ts';
import type { Held, IndexMemory } from './index-memory.ts';
import { changesBetween, type Change, type IndexedState } from './indexed-state.ts';

/** What follows the changes of a collection. */
export interface Follower {
  readonly bytes: number;
  /** A change takes objects to be parsed. */
  readonly isCostly: boolean;
  /** Takes all objects in, in steps of some microseconds; called once, before anything else. */
  fill(entries: Iterable<Entry>): Steps<void>;
  change(before: Entry | undefined, after: Entry | undefined): void;
}

/** Changes that are taken at once: a few milliseconds. */
const CHANGES_AT_ONCE = 2_000;

/**
 * An index that follows a collection. It stands at a position of the history:
 * writes do not touch it, and what has happened since is taken over when it is
 * asked, or once a second.
 */
export class KeptIndex<T extends Follower> implements Held {
  readonly index: T;
  readonly #state: IndexedState;
  readonly #memory: IndexMemory;
  readonly #onDrop: () => void;
  #position: number;
  #isLost = false;
  #working: Promise<void> | undefined;
  usedAt = 0;

  constructor(index: T, state: IndexedState, memory: IndexMemory, onDrop: () => void) {
    this.index = index;
    this.#state = state;
    this.#memory = memory;
    this.#onDrop = onDrop;
    this.#position = state.history.end;
    memory.enter(this);
  }

  get bytes(): number {
    return this.index.bytes;
  }

  /** Position in the history: the index holds what came before. */
  get position(): number {
    return this.#position;
  }

  /** It has been dropped. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** A read asks it. */
  use(): void {
    this.usedAt = this.#memory.now;
  }

  /** Takes over what has happened before the history forgets it. */
  tick(): void {
    void this.catchUp();
  }

  drop(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#memory.leave(this);
    this.#onDrop();
  }

  /** Takes all objects in, in turns; to be called once, before anything else. */
  fill(): Promise<void> {
    const items = this.#state.items.snapshot();
    this.#working = this.#inTurns(this.index.fill(items.range(''))).then(() => {
      this.#working = undefined;
      this.#stayWithin();
    });
    return this.#working;
  }

  /** Takes over what has happened; undefined when that is done. */
  catchUp(): Promise<void> | undefined {
    if (this.#working !== undefined) return this.#working;
    const { history, loadedAt } = this.#state;
    const { end } = history;
    if (this.#position < history.start) this.drop();
    if (this.#position === end || this.#isLost) return undefined;
    const changes = changesBetween(history, this.#position, end, loadedAt);
    if (!this.index.isCostly && changes.size <= CHANGES_AT_ONCE) {
      for (const { before, after } of changes.values()) this.index.change(before, after);
      this.#reached(end);
      return undefined;
    }
    this.#working = this.#inTurns(this.#take(changes.values())).then(() => {
      this.#working = undefined;
      this.#reached(end);
    });
    return this.#working;
  }

  #reached(position: number): void {
    this.#position = position;
    this.#stayWithin();
  }

  /** Makes room for what it takes by now, or goes. */
  #stayWithin(): void {
    if (!this.#isLost && !this.#memory.makeRoom(this)) this.drop();
  }

  *#take(changes: Iterable<Change>): Steps<void> {
    for (const { before, after } of changes) {
      this.index.change(before, after);
      yield;
    }
  }

  async #inTurns(steps: Steps<void>): Promise<void> {
    // one step may parse an object of a megabyte
    const turn = new Turn(systemClock, 1);
    while (steps.next().done !== true) {
      if (!turn.over()) continue;
      this.#stayWithin();
      await turn.next();
      if (this.#isLost) return;
    }
  }
}
