import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NO_REVISION, nextRevision, type Revision } from '../../api/revision.ts';
import type { BatchOperation, Store, StoredItem, StoreEvent } from '../../storage/interface.ts';
import { bytes, create, following, ownPrefix, WatchReader } from './store-kit.ts';

/** Long runs are for the chaos step. */
const RUNS = process.env['PLINTH_TEST_LONG'] === undefined ? 40 : 1_000;

const NAMES = ['a', 'a/b', 'a0', 'b', 'é'];

/** What a client asks for; `guess` says which revision it believes to be the newest. */
type Action =
  | {
      act: 'write';
      operations: { op: BatchOperation['op']; name: string; value: string; guess: Guess }[];
    }
  | { act: 'get'; name: string; back: number }
  | { act: 'list'; prefix: string; limit: number; count: boolean; back: number };
type Guess = 'right' | 'old' | 'none';

const guess = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Guess>('right') },
  { weight: 1, arbitrary: fc.constantFrom<Guess>('old', 'none') },
);
const operation = fc.record({
  op: fc.constantFrom<BatchOperation['op']>('create', 'update', 'delete'),
  name: fc.constantFrom(...NAMES),
  value: fc.string({ maxLength: 5 }),
  guess,
});
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    act: fc.constant('write' as const),
    operations: fc.uniqueArray(operation, {
      minLength: 1,
      maxLength: 3,
      selector: ({ name }) => name,
    }),
  }),
  fc.record({ act: fc.constant('get' as const), name: fc.constantFrom(...NAMES), back: fc.nat(8) }),
  fc.record({
    act: fc.constant('list' as const),
    prefix: fc.constantFrom('', 'a', 'a/', 'b'),
    limit: fc.integer({ min: 1, max: 6 }),
    count: fc.boolean(),
    back: fc.nat(8),
  }),
);

/** The state at one revision; the model is a list of these. */
interface Moment {
  readonly revision: Revision;
  readonly items: ReadonlyMap<string, StoredItem>;
}

/** The plainest store: every state there ever was. */
class Model {
  readonly moments: Moment[];
  readonly events: StoreEvent[] = [];
  readonly #prefix: string;

  constructor(prefix: string, start: Revision) {
    this.#prefix = prefix;
    this.moments = [{ revision: start, items: new Map() }];
  }

  get now(): Moment {
    return this.moments.at(-1)!;
  }

  /** The state some revisions ago. */
  back(steps: number): Moment {
    return this.moments.at(-1 - steps) ?? this.moments[0]!;
  }

  /** Index of the first operation that must fail, or none. */
  conflict(operations: readonly BatchOperation[]): number {
    return operations.findIndex((one) => {
      const actual = this.now.items.get(one.key)?.revision;
      return actual !== (one.op === 'create' ? undefined : one.expected);
    });
  }

  apply(operations: readonly BatchOperation[], revision: Revision): void {
    const items = new Map(this.now.items);
    for (const one of operations) {
      const { key } = one;
      const previous = items.get(key);
      if (one.op === 'delete') {
        items.delete(key);
        this.events.push({ type: 'delete', key, revision, previous: previous! });
      } else {
        const value = Buffer.from(one.value);
        items.set(key, { key, value, revision });
        const before = previous === undefined ? {} : { previous };
        const created = previous === undefined;
        this.events.push({ type: 'put', key, value, revision, created, ...before });
      }
    }
    this.moments.push({ revision, items });
  }

  list(moment: Moment, prefix: string): StoredItem[] {
    const found = [...moment.items.values()].filter(({ key }) =>
      key.startsWith(this.#prefix + prefix),
    );
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }
}

/** Random clients against the store and a model of it. */
export function describeModel(store: () => Store): void {
  describe('as a model says', () => {
    it('answers any sequence of calls', async function () {
      this.timeout(RUNS * 7_500);
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), (actions) =>
          replay(store(), actions),
        ),
        { numRuns: RUNS },
      );
    });

    it('gives concurrent clients results that one history explains', async function () {
      this.timeout(RUNS * 7_500);
      const clients = fc.array(fc.array(action, { maxLength: 12 }), { minLength: 2, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(clients, (all) => race(store(), all)),
        { numRuns: Math.ceil(RUNS / 2) },
      );
    });
  });
}

async function replay(store: Store, actions: readonly Action[]): Promise<void> {
  const prefix = ownPrefix();
  const model = new Model(prefix, await store.currentRevision());
  const from = nextRevision(model.now.revision);
  for (const one of actions) {
    if (one.act === 'write') await replayWrite(store, model, prefix, one.operations);
    else if (one.act === 'get') await replayGet(store, model, prefix + one.name, one.back);
    else await replayList(store, model, prefix, one);
  }
  const watch = new WatchReader(store, prefix, from);
  const events = model.events.length === 0 ? [] : await watch.until(model.events.length);
  await watch.close();
  // Within one revision the order is the store's own.
  assert.deepEqual(sorted(events), sorted(model.events));
}

async function replayWrite(
  store: Store,
  model: Model,
  prefix: string,
  asked: Extract<Action, { act: 'write' }>['operations'],
): Promise<void> {
  const operations = asked.map(({ op, name, value, guess: how }): BatchOperation => {
    const key = prefix + name;
    if (op === 'create') return { op, key, value: bytes(value) };
    const revision = model.now.items.get(key)?.revision;
    const right = revision ?? model.now.revision;
    const old = model.moments[0]!.revision;
    const expected = how === 'right' ? right : how === 'old' ? old : NO_REVISION;
    // Revision 0 would mean "does not exist", which only create may ask for.
    const sensible = expected === NO_REVISION ? old : expected;
    return op === 'delete'
      ? { op, key, expected: sensible }
      : { op, key, value: bytes(value), expected: sensible };
  });
  const conflict = model.conflict(operations);
  const outcome = await store.batch(operations);
  if (conflict === -1) {
    assert.equal(outcome.outcome, 'ok');
    const { revision } = outcome as { revision: Revision };
    assert.ok(revision > model.now.revision);
    model.apply(operations, revision);
    return;
  }
  const { key } = operations[conflict]!;
  const current = model.now.items.get(key);
  const expected = { outcome: 'conflict', key };
  assert.deepEqual(outcome, current === undefined ? expected : { ...expected, current });
}

async function replayGet(store: Store, model: Model, key: string, back: number): Promise<void> {
  const moment = model.back(back);
  const result =
    back === 0 ? await store.get(key) : await store.get(key, { revision: moment.revision });
  assert.deepEqual(result.item, moment.items.get(key));
  assert.ok(result.revision >= moment.revision);
}

async function replayList(
  store: Store,
  model: Model,
  prefix: string,
  { prefix: below, limit, count, back }: Extract<Action, { act: 'list' }>,
): Promise<void> {
  const moment = model.back(back);
  const expected = model.list(moment, below);
  const items: StoredItem[] = [];
  let revision = back === 0 ? undefined : moment.revision;
  for (;;) {
    const after = items.at(-1)?.key;
    const page = await store.list({
      prefix: prefix + below,
      limit,
      count,
      ...(after === undefined ? {} : { after }),
      ...(revision === undefined ? {} : { revision }),
    });
    assert.equal(page.count, count ? expected.length - items.length : undefined);
    items.push(...page.items);
    assert.equal(page.more, items.length < expected.length);
    revision = page.revision;
    if (!page.more) break;
  }
  assert.deepEqual(items, expected);
}

/** What a watch that is read all the time shows before the key `end` is written. */
async function followTo(end: string, watch: WatchReader): Promise<StoreEvent[]> {
  for (;;) {
    await watch.next();
    const at = watch.events.findIndex(({ key }) => key === end);
    if (at < 0) continue;
    await watch.close();
    return watch.events.slice(0, at);
  }
}

/** Clients at the same time: the log has to contain each write that was answered, once, and no other. */
async function race(store: Store, clients: readonly (readonly Action[])[]): Promise<void> {
  const prefix = ownPrefix();
  const from = await following(store);
  const answered = new Map<Revision, string[]>();
  const end = `${prefix}~end`;
  const live = followTo(end, new WatchReader(store, prefix, from, { previous: false }));
  await Promise.all(
    clients.map(async (actions, client) => {
      for (const [step, one] of actions.entries()) {
        if (one.act !== 'write') continue;
        const tag = `${client}.${step}`;
        const operations = await guessOperations(store, prefix, tag, one.operations);
        const outcome = await store.batch(operations);
        if (outcome.outcome !== 'ok') continue;
        assert.ok(!answered.has(outcome.revision), 'two writes got one revision');
        answered.set(outcome.revision, operations.map((operation) => describe_(operation)).sort());
      }
    }),
  );
  const count = [...answered.values()].reduce((sum, { length }) => sum + length, 0);
  const watch = new WatchReader(store, prefix, from);
  const events = count === 0 ? [] : [...(await watch.until(count))];
  await watch.close();
  const log = new Map<Revision, string[]>();
  const state = new Map<string, StoredItem>();
  for (const event of events) {
    const text =
      event.type === 'delete'
        ? `delete ${event.key}`
        : `put ${event.key} ${event.value.toString()}`;
    log.set(event.revision, [...(log.get(event.revision) ?? []), text].sort());
    assert.deepEqual(
      event.previous,
      state.get(event.key),
      'each event follows from the one before',
    );
    if (event.type === 'delete') state.delete(event.key);
    else state.set(event.key, { key: event.key, value: event.value, revision: event.revision });
  }
  const byRevision = (a: [bigint, unknown], b: [bigint, unknown]): number => (a[0] < b[0] ? -1 : 1);
  assert.deepEqual([...log].sort(byRevision), [...answered].sort(byRevision));
  const { items } = await store.list({ prefix });
  assert.deepEqual(new Set(items), new Set(state.values()));
  await create(store, end);
  const bare = events.map(({ previous: _, ...event }) => event);
  assert.deepEqual(await live, bare, 'who follows sees what the log holds');
}

async function guessOperations(
  store: Store,
  prefix: string,
  tag: string,
  asked: Extract<Action, { act: 'write' }>['operations'],
): Promise<BatchOperation[]> {
  const operations: BatchOperation[] = [];
  for (const { op, name } of asked) {
    const key = prefix + name;
    const { item, revision } = await store.get(key);
    const value = bytes(tag);
    if (op === 'create') operations.push({ op, key, value });
    else if (op === 'update')
      operations.push({ op, key, value, expected: item?.revision ?? revision });
    else operations.push({ op, key, expected: item?.revision ?? revision });
  }
  return operations;
}

function describe_(operation: BatchOperation): string {
  return operation.op === 'delete'
    ? `delete ${operation.key}`
    : `put ${operation.key} ${Buffer.from(operation.value).toString()}`;
}

function sorted(events: readonly StoreEvent[]): StoreEvent[] {
  return [...events].sort((a, b) => {
    return a.revision === b.revision ? (a.key < b.key ? -1 : 1) : a.revision < b.revision ? -1 : 1;
  });
}
