import assert from 'node:assert/strict';
import type { Clock } from '../api/clock.ts';
import { NO_REVISION } from '../api/revision.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Broadcaster } from './broadcaster.ts';
import { Collection } from './collection.ts';
import { EntryMemory } from './entry-memory.ts';
import { ANY, Reader } from './reader.ts';
import { Replica } from './replica.ts';
import type { Scope } from './scope.ts';
import { CollectingSink, plainEncoder, storedObject } from './testing.ts';
import { Watcher } from './watcher.ts';

const PREFIX = 'things.example.com/things/';

/** Everything takes a millisecond. */
function busyClock(): Clock {
  let now = 0;
  return { now: () => now, monotonic: () => ++now, after: () => () => undefined };
}

/** How often something happens between two turns of the event loop, at most. */
class PerTurn {
  most = 0;
  total = 0;
  #now = 0;

  count(): void {
    if (this.#now === 0) setImmediate(() => (this.#now = 0));
    this.total++;
    this.most = Math.max(this.most, ++this.#now);
  }
}

describe('many streams, or streams that look at many objects', () => {
  let store: MemoryStore;
  let replica: Replica;
  let watcher: Watcher;
  let clock: FakeClock;

  beforeEach(async () => {
    store = new MemoryStore();
    clock = new FakeClock();
    replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    watcher = new Watcher({ store, replica, clock: busyClock(), random: () => 0.5 });
  });
  afterEach(async () => {
    await watcher.closeAll();
    await replica.stop();
  });

  async function write(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await store.create(`${PREFIX}o${i}`, storedObject(`o${i}`));
    await settle();
  }

  function open(sink: CollectingSink, matches: Scope['matches'] = () => true): void {
    const { revision } = replica;
    watcher.watch({
      ...{ prefix: PREFIX, encoder: plainEncoder, bookmarks: false, timeoutMs: 1e9, sink },
      scope: { range: { start: '' }, matches },
      start: { from: 'revision', revision },
    });
  }

  async function until(probe: () => boolean): Promise<void> {
    for (let i = 0; i < 10_000 && !probe(); i++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(probe());
  }

  it('end in turns when the server stops', async () => {
    const perTurn = new PerTurn();
    const sinks = Array.from({ length: 200 }, () => new CollectingSink());
    for (const sink of sinks) {
      sink.end = () => perTurn.count();
      open(sink);
    }
    await watcher.closeAll();
    assert.equal(perTurn.total, sinks.length);
    assert.ok(perTurn.most < 50, `${perTurn.most} in one turn`);
    assert.equal(watcher.size, 0);
  });

  it('end in turns when their history is replaced, and see nothing of the new one', async () => {
    const perTurn = new PerTurn();
    const sinks = Array.from({ length: 200 }, () => new CollectingSink());
    for (const sink of sinks) {
      sink.end = () => perTurn.count();
      open(sink);
    }
    await settle();
    const backup = store.revision;
    await write(1);
    store.restore(backup);
    await settle();
    await write(3);
    await clock.advance(10_000);
    await until(() => perTurn.total === sinks.length);
    assert.ok(perTurn.most < 50, `${perTurn.most} in one turn`);
    for (const sink of sinks) {
      assert.equal(sink.events().filter(({ type }) => type === 'ERROR 410').length, 1);
      assert.equal(sink.events().at(-1)?.type, 'ERROR 410');
    }
  });

  it('a stream that has many events to look at lets others have their turn', async () => {
    const perTurn = new PerTurn();
    const sink = new CollectingSink();
    open(sink, () => {
      perTurn.count();
      return false;
    });
    await settle();
    // one batch: the stream finds all of them at once
    const collection = replica.collection(PREFIX);
    for (let i = 1; i <= 2_000; i++) {
      const revision = (replica.revision + BigInt(i)) as typeof NO_REVISION;
      collection.put(`o${i}`, storedObject(`o${i}`), revision, 0);
    }
    collection.notify();
    await until(() => perTurn.total === 2_000);
    assert.ok(perTurn.most <= 256, `${perTurn.most} in one turn`);
  });

  it('a stream that begins with many objects lets others have their turn', async () => {
    await write(300);
    const [looks, frames] = [new PerTurn(), new PerTurn()];
    const sink = new CollectingSink();
    const snapshot = await new Reader(store, replica, clock).snapshot(PREFIX, ANY);
    watcher.watch({
      ...{ prefix: PREFIX, bookmarks: false, timeoutMs: 1e9, sink },
      encoder: {
        ...plainEncoder,
        event(type, entry) {
          frames.count();
          return plainEncoder.event(type, entry);
        },
      },
      scope: {
        range: { start: '' },
        matches(entry) {
          looks.count();
          return !entry.name.endsWith('0');
        },
      },
      start: { from: 'state', snapshot, endBookmark: true },
    });
    await until(() => sink.events().length > 270);
    assert.deepEqual([looks.total, frames.total], [300, 270]);
    // a turn lasts two milliseconds, and each look at the clock is one
    assert.ok(looks.most <= 4, `${looks.most} in one turn`);
    assert.ok(frames.most <= 4, `${frames.most} in one turn`);
    assert.equal(sink.events().at(-1)?.type, 'BOOKMARK');
  });

  it('streams whose selectors take long share a turn with few others', async () => {
    const perTurn = new PerTurn();
    const collection = new Collection(PREFIX, NO_REVISION, new EntryMemory());
    const broadcaster = new Broadcaster(collection, busyClock());
    for (let i = 0; i < 300; i++) broadcaster.add({ pump: () => perTurn.count() });
    collection.notify();
    await until(() => perTurn.total === 300);
    assert.ok(perTurn.most < 20, `${perTurn.most} in one turn`);
  });
});
