import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Revision } from '../api/revision.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { Entry } from './entry.ts';
import { LATEST, Reader } from './reader.ts';
import { Replica } from './replica.ts';
import { CollectingSink, plainEncoder, storedObject, type SeenEvent } from './testing.ts';
import { Watcher } from './watcher.ts';

const SLAB_BYTES = 1_500;
const PREFIX = 'things.example.com/things/';

/** What a watcher from `after` on must see: the store's own history, seen through the selector. */
function expectedEvents(
  store: MemoryStore,
  after: Revision,
  selected: (labels: Record<string, string>) => boolean,
): SeenEvent[] {
  const seen: SeenEvent[] = [];
  for (const event of store.log) {
    if (event.revision <= after || !event.key.startsWith(PREFIX)) continue;
    const before = event.previous && stateOf(event.previous.value);
    const now = event.type === 'put' ? stateOf(event.value) : undefined;
    const wasIn = before !== undefined && selected(before.labels);
    const isIn = now !== undefined && selected(now.labels);
    if (!wasIn && !isIn) continue;
    const type = !wasIn ? 'ADDED' : isIn ? 'MODIFIED' : 'DELETED';
    const shown = isIn ? now : before;
    seen.push({ type, revision: String(event.revision), name: '', labels: {}, ...shown });
  }
  return seen;
}

function stateOf(value: Buffer): { name: string; labels: Record<string, string> } {
  const { metadata } = parseStoredJson(value) as unknown as {
    metadata: { name: string; labels: Record<string, string> };
  };
  return { name: metadata.name, labels: metadata.labels };
}

/** The events between the bookmarks; no bookmark comes before what it says has come. */
function withoutBookmarks(seen: readonly SeenEvent[], truth: readonly SeenEvent[]): SeenEvent[] {
  const events: SeenEvent[] = [];
  for (const event of seen) {
    if (event.type !== 'BOOKMARK') {
      events.push(event);
      continue;
    }
    const said = truth.filter(({ revision }) => BigInt(revision) <= BigInt(event.revision));
    assert.deepEqual(events, said, `the bookmark ${event.revision} comes after all up to it`);
  }
  return events;
}

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      on: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pair' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('churn' as const), writes: fc.nat(60) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      back: fc.nat(8),
      selector: fc.boolean(),
      slow: fc.boolean(),
      bookmarks: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('exact' as const), back: fc.nat(8) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('trim' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('minute' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removal' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

class World {
  readonly store = new MemoryStore();
  readonly clock = new FakeClock();
  replica!: Replica;
  reader!: Reader;
  watcher!: Watcher;
  readonly open: {
    sink: CollectingSink;
    after: Revision;
    selector: boolean;
    resume: () => void;
  }[] = [];
  #count = 0;

  async start(): Promise<void> {
    this.replica = new Replica({
      store: this.store,
      clock: this.clock,
      limits: { minAgeMs: 0, maxAgeMs: 1, softBytes: 0, maxBytes: 2_000 },
      // so small that objects move all the time
      slabBytes: SLAB_BYTES,
    });
    await whileTimePasses(this.clock, this.replica.start());
    this.reader = new Reader(this.store, this.replica, this.clock);
    this.watcher = new Watcher({
      store: this.store,
      replica: this.replica,
      clock: this.clock,
      random: () => 0.5,
    });
  }

  /** What the replica holds does not grow with what it has held. */
  #checkMemory(): void {
    const { replica } = this;
    let bytes = 0;
    const entries = new Set<Entry>();
    for (const { items, history } of replica.collections()) {
      for (const entry of items.range('')) entries.add(entry);
      for (let at = history.start; at < history.end; at++) {
        const event = history.at(at);
        for (const entry of [event.entry, event.previous]) if (entry) entries.add(entry);
      }
    }
    const buffers = new Set<ArrayBufferLike>();
    for (const entry of entries) {
      // past deletions have memory of their own
      if (entry.bytes.buffer.byteLength !== SLAB_BYTES) continue;
      bytes += entry.bytes.length;
      buffers.add(entry.bytes.buffer);
    }
    const bound = bytes / 0.75 + 2 * SLAB_BYTES;
    assert.ok(
      replica.memory.slabs.bytes <= bound,
      `${bytes} bytes take ${replica.memory.slabs.bytes}`,
    );
    assert.ok(
      buffers.size * SLAB_BYTES <= replica.memory.slabs.bytes,
      `${buffers.size} slabs are held`,
    );
  }

  async #put(name: string, on: boolean): Promise<void> {
    const { store } = this;
    const key = PREFIX + name;
    const { item } = await store.get(key);
    const value = storedObject(name, on ? { on: 'yes' } : {}, this.#count++);
    if (item === undefined) await store.create(key, value);
    else await store.update(key, value, item.revision);
  }

  async #delete(name: string): Promise<void> {
    const { item } = await this.store.get(PREFIX + name);
    if (item !== undefined) await this.store.delete(item.key, item.revision);
  }

  async stop(): Promise<void> {
    await this.watcher.closeAll();
    await this.replica.stop();
  }

  async run(action: Action): Promise<void> {
    const { store } = this;
    switch (action.do) {
      case 'put':
        return this.#put(action.name, action.on);
      case 'churn': {
        // one object stays, others come and go so often that whole slabs are left behind
        for (let i = 0; i < action.writes; i++) {
          if (i % 2 === 0) await this.#put(i % 3 === 0 ? 'b' : 'c', i % 4 === 0);
          else if (i % 3 === 0) await this.#delete('b');
        }
        await settle();
        await this.clock.advance(10);
        this.replica.trimHistory();
        this.#checkMemory();
        return;
      }
      case 'delete':
        return this.#delete(action.name);
      case 'pair': {
        // two objects in one transaction share a revision
        const items = store.stateAt(store.revision);
        await store.batch(
          ['x', 'y'].map((name) => {
            const key = PREFIX + name;
            const value = storedObject(name, { on: 'yes' }, this.#count++);
            const current = items.get(key);
            return current === undefined
              ? { op: 'create', key, value }
              : { op: 'update', key, value, expected: current.revision };
          }),
        );
        return;
      }
      case 'watch': {
        const back = BigInt(action.back);
        const after = (store.revision > back ? store.revision - back : 0n) as Revision;
        const sink = new CollectingSink();
        if (action.slow) sink.room = 1;
        const subscription = this.watcher.watch({
          prefix: PREFIX,
          start: { from: 'revision', revision: after },
          scope: {
            range: { start: '' },
            matches: (e) => !action.selector || e.labels.on === 'yes',
          },
          encoder: plainEncoder,
          bookmarks: action.bookmarks,
          timeoutMs: 1e9,
          sink,
        });
        this.open.push({
          sink,
          after,
          selector: action.selector,
          resume: () => subscription.resume(),
        });
        return;
      }
      case 'list':
      case 'exact': {
        const before = store.revision;
        const back = action.do === 'exact' ? BigInt(action.back) : 0n;
        const point =
          action.do === 'list' || before <= back
            ? LATEST
            : ({ at: 'exact', revision: (before - back) as Revision } as const);
        const snapshot = await whileTimePasses(this.clock, this.reader.snapshot(PREFIX, point));
        if (point.at === 'exact') assert.equal(snapshot.revision, point.revision);
        else assert.ok(snapshot.revision >= before, 'a list shows all that was written before it');
        const shown: string[] = [];
        for await (const entries of snapshot.chunks({ start: '' })) {
          for (const e of entries) shown.push(`${e.key}@${e.revision} ${e.object().n as number}`);
        }
        const truth = [...store.stateAt(snapshot.revision).values()]
          .filter(({ key }) => key.startsWith(PREFIX))
          .map(({ key, revision, value }) => {
            return `${key.slice(PREFIX.length)}@${revision} ${parseStoredJson(value).n as number}`;
          });
        assert.deepEqual(shown, truth);
        return;
      }
      case 'settle':
        await settle();
        return;
      case 'trim':
        await this.clock.advance(10);
        this.replica.trimHistory();
        this.#checkMemory();
        return;
      case 'minute':
        // in which each stream has one bookmark to send
        await this.clock.advance(60_000);
        return;
      case 'removal':
        // nothing is left of the resource, until it comes again
        for (const name of ['a', 'b', 'c', 'd', 'x', 'y']) await this.#delete(name);
        await settle();
        await this.clock.advance(10);
        this.replica.trimHistory(() => false);
        return;
      case 'foreign':
        store.foreignWrite();
        return;
      case 'restart':
        // watchers of the old process end; what they have seen so far must be right
        await settle();
        await this.stop();
        await this.start();
        return;
    }
  }
}

describe('replica and watch streams against the model', () => {
  it('every list is an exact state, every stream the exact history after its revision, no bookmark early', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 60 }), async (actions) => {
        const world = new World();
        await world.start();
        try {
          for (const a of actions) await world.run(a);
          await settle();
          // slow readers read on, one frame at a time, until nothing comes any more
          for (const { sink, resume } of world.open) {
            for (let length = -1; length !== sink.text.length;) {
              length = sink.text.length;
              sink.room = 2;
              resume();
              await settle();
            }
          }
          for (const { sink, after, selector } of world.open) {
            const truth = expectedEvents(world.store, after, (l) => !selector || l.on === 'yes');
            const seen = withoutBookmarks(sink.events(), truth);
            // a stream that a restart ended has a prefix of the truth
            assert.deepEqual(seen, sink.ended ? truth.slice(0, seen.length) : truth);
          }
        } finally {
          await world.stop();
        }
      }),
      { numRuns: Number(process.env.PLINTH_MODEL_RUNS ?? 200) },
    );
  }).timeout(120_000);
});
