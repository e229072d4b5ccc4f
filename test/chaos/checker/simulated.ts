import { Seeded } from '../../support/seeded.ts';
import {
  shown,
  type Content,
  type Frame,
  type History,
  type List,
  type Read,
  type Version,
  type View,
  type WatchLog,
  type Write,
  type WriteOutcome,
} from './history.ts';
import { Truth, type TruthEvent } from './truth.ts';

const COLORS = ['red', 'blue'] as const;
const CLIENTS = 8;
const KEYS = 10;
const UNKNOWN_SHARE = 0.05;

export interface Run {
  readonly truth: Truth;
  readonly history: History;
}

/**
 * What the clients of a server without faults see: operations overlap in time
 * and take effect at some moment between call and return; some answers get lost.
 */
export function simulate(seed: number, operations: number): Run {
  return new Simulation(seed).run(operations);
}

class Simulation {
  readonly #random: Seeded;
  readonly #events: TruthEvent[] = [];
  readonly #state = new Map<string, Version>();
  readonly #writes: Write[] = [];
  readonly #reads: Read[] = [];
  readonly #lists: List[] = [];
  /** When each event happened, for the watchers. */
  readonly #times: number[] = [];
  #revision = 100n;

  constructor(seed: number) {
    this.#random = new Seeded(seed);
  }

  run(operations: number): Run {
    // Each client's operations follow each other; all effects happen in the order of time.
    const steps: { called: number; effect: number; returned: number; client: string }[] = [];
    const free = Array.from({ length: CLIENTS }, () => this.#random.next());
    for (let i = 0; i < operations; i++) {
      const client = this.#random.below(CLIENTS);
      const called = free[client]! + this.#random.next();
      const effect = called + this.#random.next() * 3;
      const returned = effect + this.#random.next() * 3;
      free[client] = returned + 0.001;
      steps.push({ called, effect, returned, client: `client-${client}` });
    }
    steps.sort((a, b) => a.effect - b.effect);
    for (const step of steps) this.#step(step);
    this.#revision += 3n;
    const truth = new Truth(this.#events, this.#revision);
    const [writes, reads, lists] = [this.#writes, this.#reads, this.#lists];
    const views: View[] = [undefined, ...COLORS, undefined].map((color) => ({ color }));
    views.push({ color: undefined, colorOnly: true });
    const watches = views.map((view, i) => this.#watch(truth, `watcher-${i}`, view));
    // the last one as if it were two subscriptions, of which each tells of every change
    const frames = watches.at(-1)!.segments.flatMap((segment) => segment.frames);
    const revisions = frames.flatMap(({ revision }) => [revision, revision]);
    const unions = [{ client: 'union', revisions }];
    return { truth, history: { writes, reads, lists, watches, unions } };
  }

  #step(step: { called: number; effect: number; returned: number; client: string }): void {
    const { called, returned, client, effect } = step;
    // Other things are written to the same store.
    if (this.#random.next() < 0.2) this.#revision++;
    const dice = this.#random.next();
    const key = `key-${this.#random.below(KEYS)}`;
    if (dice < 0.3) {
      this.#reads.push({ client, called, returned, key, found: this.#state.get(key) });
    } else if (dice < 0.4) {
      const color = this.#random.pick([undefined, ...COLORS]);
      const items = [...this.#state.values()].filter(
        (item) => color === undefined || item.color === color,
      );
      const revision = this.#revision;
      this.#lists.push({ client, called, returned, linearizable: true, color, revision, items });
    } else this.#write(key, { client, called, returned }, effect);
  }

  #write(
    key: string,
    op: { client: string; called: number; returned: number },
    effect: number,
  ): void {
    const before = this.#state.get(key);
    const verb = this.#random.pick(['create', 'update', 'update', 'patch', 'delete'] as const);
    const guess = this.#random.next() < 0.2 ? 1n : (before?.revision ?? 1n);
    const conditional = verb === 'update' || verb === 'delete';
    const content: Content = {
      value: `${op.client}-${this.#writes.length}`,
      color: this.#random.pick(COLORS),
    };
    const refusal = refusalOf(verb, before, guess);
    const silent = this.#random.next() < UNKNOWN_SHARE;
    let outcome: WriteOutcome = { kind: 'unknown' };
    if (refusal === undefined && !(silent && this.#random.next() < 0.5)) {
      const revision = ++this.#revision;
      const gone = verb === 'delete';
      this.#events.push({ key, revision, content: gone ? undefined : content });
      this.#times.push(effect);
      if (gone) this.#state.delete(key);
      else this.#state.set(key, { key, revision, ...content });
      outcome = { kind: 'applied', revision: gone ? undefined : revision };
    } else if (refusal !== undefined) outcome = { kind: 'refused', why: refusal };
    this.#writes.push({
      ...op,
      verb,
      key,
      ...(verb === 'delete' ? {} : { content }),
      ...(conditional ? { expected: guess } : {}),
      returned: silent ? Infinity : op.returned,
      outcome: silent ? { kind: 'unknown' } : outcome,
    });
  }

  #watch(truth: Truth, client: string, view: View): WatchLog {
    const { color, colorOnly = false } = view;
    const start = this.#random.below(Math.max(1, this.#events.length >> 3));
    const from = this.#events[start]?.revision ?? this.#revision;
    const state = truth.snapshot(from);
    const frames: Frame[] = [];
    this.#events.forEach((event, i) => {
      if (event.revision <= from) return;
      const at = this.#times[i]! + 5;
      const before = state.get(event.key);
      const selects = (content: Content | undefined): boolean =>
        content !== undefined && (color === undefined || content.color === color);
      const { key, revision, content } = event;
      const [was, is] = [selects(before), selects(content)];
      if (is && content !== undefined) {
        const type = was ? 'MODIFIED' : 'ADDED';
        const isSeen = !was || !colorOnly || before?.color !== content.color;
        if (isSeen) frames.push({ type, at, key, revision, ...shown(content, view) });
      } else if (was && before !== undefined) {
        frames.push({ type: 'DELETED', at, ...shown(before, view), revision });
      }
      if (content === undefined) state.delete(key);
      else state.set(key, { key, revision, ...content });
      if (this.#random.next() < 0.02) frames.push({ type: 'BOOKMARK', at, revision });
    });
    return { client, ...view, segments: [{ from, frames }], complete: true };
  }
}

function refusalOf(
  verb: Write['verb'],
  before: Version | undefined,
  expected: bigint,
): 'exists' | 'missing' | 'conflict' | undefined {
  if (verb === 'create') return before === undefined ? undefined : 'exists';
  if (before === undefined) return 'missing';
  if (verb === 'patch') return undefined;
  return before.revision === expected ? undefined : 'conflict';
}
