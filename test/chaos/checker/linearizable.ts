import { describe, type Causes } from './causes.ts';
import { show, type List, type Read, type Violation, type Write } from './history.ts';
import { Floor } from './floor.ts';
import type { Truth } from './truth.ts';

/**
 * The store's history gives the order of all writes, so that what is left of
 * linearizability is time: nothing that was called after something had returned
 * may show, or make, an older state of the key; and nothing shows a write that
 * had not been called. For a register with known versions that is all of it:
 * if it holds for each pair, sorting by state and then by time is a linear order.
 */
export function checkLinearizable(
  truth: Truth,
  causes: Causes,
  {
    writes,
    reads,
    lists,
  }: { writes: readonly Write[]; reads: readonly Read[]; lists: readonly List[] },
): Violation[] {
  return new Order(truth, causes).check([
    ...writes.map((write) => ({ kind: 'write', op: write }) as const),
    ...reads.map((read) => ({ kind: 'read', op: read }) as const),
    ...lists
      .filter(({ linearizable }) => linearizable)
      .map((list) => ({ kind: 'list', op: list }) as const),
  ]);
}

type Step =
  | { readonly kind: 'write'; readonly op: Write }
  | { readonly kind: 'read'; readonly op: Read }
  | { readonly kind: 'list'; readonly op: List };

class Order {
  readonly #truth: Truth;
  readonly #causes: Causes;
  readonly #violations: Violation[] = [];
  /** The newest state of each key that any client had seen or made at a time. */
  readonly #keys = new Map<string, Floor<number>>();
  /** The newest revision of all. */
  readonly #all = new Floor<bigint>(0n);
  /** The newest revision of a list; it shows a state of every key. */
  readonly #lists = new Floor<bigint>(0n);
  readonly #calledAt = new Map<string, number>();

  constructor(truth: Truth, causes: Causes) {
    this.#truth = truth;
    this.#causes = causes;
    for (const [event, write] of causes) {
      this.#calledAt.set(`${event.key}@${event.revision}`, write.called);
    }
  }

  check(steps: Step[]): Violation[] {
    // In the order of returns: what had returned before a call has been noted by then.
    for (const step of steps.sort((a, b) => a.op.returned - b.op.returned)) {
      if (step.op.returned === Infinity) continue;
      if (step.kind === 'write') this.#write(step.op);
      else if (step.kind === 'read') this.#read(step.op);
      else this.#list(step.op);
    }
    return this.#violations;
  }

  #write(write: Write): void {
    const { outcome, key } = write;
    if (outcome.kind === 'unknown') return;
    if (outcome.kind === 'refused') {
      this.#refusal(write, outcome.why);
      return;
    }
    const event = this.#effectOf(write);
    if (event === undefined) return; // reported as lost
    const state = this.#truth.stateOf(key, event)!;
    const floor = this.#floorOf(key, write.called);
    if (state <= floor) {
      this.#report(
        'writes are linearizable',
        `${describe(write)} made state ${state} when state ${floor} had been seen`,
      );
    }
    this.#note(key, state, event, write.returned);
  }

  #effects: Map<Write, bigint> | undefined;
  #effectOf(write: Write): bigint | undefined {
    this.#effects ??= new Map([...this.#causes].map(([event, cause]) => [cause, event.revision]));
    return this.#effects.get(write);
  }

  #refusal(write: Write, why: 'exists' | 'missing' | 'conflict' | 'other'): void {
    if (why === 'other') return;
    const { key, expected, verb } = write;
    const fits = (state: number): boolean => {
      const exists = this.#truth.contentOf(key, state) !== undefined;
      if (why === 'exists') return exists;
      if (why === 'missing') return !exists;
      // A patch names no version; it conflicts when others are faster all the time.
      if (verb === 'patch') return true;
      return !exists || this.#truth.timeline(key)[state - 1]?.revision !== expected;
    };
    if (this.#firstFit(key, write, fits) === undefined) {
      this.#report(
        'a refusal is justified',
        `${describe(write)} was refused (${why}), and no state of that time says so`,
      );
    }
  }

  #read(read: Read): void {
    const { key, found } = read;
    if (found === undefined) {
      const missing = (state: number): boolean => this.#truth.contentOf(key, state) === undefined;
      const state = this.#firstFit(key, read, missing);
      if (state === undefined) {
        this.#report(
          'reads are linearizable',
          `${read.client} did not find ${key}, which was there`,
        );
      } else {
        this.#note(key, state, this.#truth.timeline(key)[state - 1]?.revision ?? 0n, read.returned);
      }
      return;
    }
    const state = this.#truth.stateOf(key, found.revision);
    const content = state === undefined ? undefined : this.#truth.contentOf(key, state);
    if (state === undefined || !sameContent(content, found)) {
      this.#report('a read shows what was written', `${read.client} read ${show(found)}`);
      return;
    }
    const floor = this.#floorOf(key, read.called);
    if (state < floor) {
      this.#report(
        'reads are linearizable',
        `${read.client} read ${show(found)}, state ${state}, when state ${floor} had been seen`,
      );
    }
    this.#notFromTheFuture(key, state, read.returned, `${read.client} read ${show(found)}`);
    this.#note(key, state, found.revision, read.returned);
  }

  #list(list: List): void {
    const floor = this.#all.before(list.called);
    if (list.revision < floor) {
      this.#report(
        'lists are linearizable',
        `${list.client} listed at ${list.revision} when ${floor} had been seen`,
      );
    }
    for (const { key, revision } of list.items) {
      const state = this.#truth.stateOf(key, revision);
      if (state !== undefined) {
        this.#notFromTheFuture(
          key,
          state,
          list.returned,
          `${list.client} listed ${key}@${revision}`,
        );
      }
    }
    this.#all.raise(list.returned, list.revision);
    this.#lists.raise(list.returned, list.revision);
  }

  /** The earliest state that an operation may have met and that fits; the earliest asks least of later ones. */
  #firstFit(
    key: string,
    op: { called: number; returned: number },
    fits: (state: number) => boolean,
  ): number | undefined {
    const last = this.#truth.timeline(key).length;
    for (let state = this.#floorOf(key, op.called); state <= last; state++) {
      if ((this.#calledFor(key, state) ?? 0) >= op.returned) return undefined;
      if (fits(state)) return state;
    }
    return undefined;
  }

  #floorOf(key: string, called: number): number {
    const own = this.#keys.get(key)?.before(called) ?? 0;
    return Math.max(own, this.#truth.stateAt(key, this.#lists.before(called)));
  }

  #note(key: string, state: number, revision: bigint, returned: number): void {
    const floor = this.#keys.get(key) ?? new Floor<number>(0);
    this.#keys.set(key, floor);
    floor.raise(returned, state);
    this.#all.raise(returned, revision);
  }

  #notFromTheFuture(key: string, state: number, returned: number, what: string): void {
    if ((this.#calledFor(key, state) ?? 0) >= returned) {
      this.#report('nothing shows the future', `${what} before it was asked for`);
    }
  }

  /** When the write that made a state was called. */
  #calledFor(key: string, state: number): number | undefined {
    return this.#calledAt.get(`${key}@${this.#truth.timeline(key)[state - 1]?.revision}`);
  }

  #report(guarantee: string, what: string): void {
    this.#violations.push({ guarantee, what });
  }
}

function sameContent(
  a: { value: string; color: string } | undefined,
  b: { value: string; color: string },
): boolean {
  return a?.value === b.value && a.color === b.color;
}
