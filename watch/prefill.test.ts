import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import type { WatchBatch, WatchOptions } from '../storage/interface.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

const PREFIX = 'things.example.com/things/';

/** A store in which something happens between the snapshot of a replica and its first watch. */
class EventfulStore extends MemoryStore {
  meanwhile: (() => Promise<void>) | undefined;

  override async *watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    yield* super.watch(options);
  }
}

describe('the first watch of a replica', () => {
  let store: EventfulStore;
  let replica: Replica;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    store = new EventfulStore();
    replica = new Replica({ store, clock });
    await store.create(`${PREFIX}a`, storedObject('a'));
  });
  afterEach(async () => {
    await replica.stop();
  });

  const names = (): string[] =>
    ['a', 'b', 'c', 'd'].filter((n) => replica.collection(PREFIX).items.get(n) !== undefined);
  const create = async (name: string): Promise<void> => {
    await store.create(`${PREFIX}${name}`, storedObject(name));
  };

  it('misses no event when the log is compacted after the snapshot', async () => {
    store.meanwhile = async () => {
      await create('b');
      await create('c');
      await store.compact(store.revision);
    };
    await whileTimePasses(clock, replica.start());
    await create('d');
    assert.equal(await whileTimePasses(clock, replica.waitFor(store.revision, 10_000)), true);
    assert.deepEqual(names(), ['a', 'b', 'c', 'd']);
    await settle();
  });

  it('begins later when the log is compacted before the snapshot', async () => {
    await create('b');
    store.meanwhile = async () => {
      await store.compact(store.revision);
      await create('c');
    };
    await whileTimePasses(clock, replica.start());
    assert.equal(await whileTimePasses(clock, replica.waitFor(store.revision, 10_000)), true);
    assert.deepEqual(names(), ['a', 'b', 'c']);
    await settle();
  });
});
