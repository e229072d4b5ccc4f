import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { LATEST, Reader } from './reader.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

const PREFIX = 'things.example.com/things/';

describe('Reader', () => {
  // Found by the chaos tests: the second page of a list, asked of a server that was behind,
  // showed a newer state than the first.
  it('reads an exact revision of the store, not its newest, when the replica is behind', async () => {
    const clock = new FakeClock();
    const store = new MemoryStore();
    const replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    const reader = new Reader(store, replica, clock);
    store.canTellProgress = false;
    let deliver: () => void = () => undefined;
    store.beforeDelivery = () => new Promise((resolve) => (deliver = resolve));
    const created = await store.create(`${PREFIX}a`, storedObject('a'));
    assert.equal(created.outcome, 'ok');
    await store.create(`${PREFIX}b`, storedObject('b'));
    const { revision } = created;
    const snapshot = await whileTimePasses(
      clock,
      reader.snapshot(PREFIX, { at: 'exact', revision }),
    );
    assert.equal(snapshot.revision, revision);
    store.beforeDelivery = () => Promise.resolve();
    deliver();
    await settle();
    await replica.stop();
  });

  it('reads the newest state of the store though compaction overtakes it', async () => {
    const clock = new FakeClock();
    const store = new MemoryStore();
    const replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    const reader = new Reader(store, replica, clock);
    store.canTellProgress = false;
    let deliver: () => void = () => undefined;
    store.beforeDelivery = () => new Promise((resolve) => (deliver = resolve));
    await store.create(`${PREFIX}a`, storedObject('a'));
    let writes = 0;
    const overtake = async (): Promise<void> => {
      await store.create(`${PREFIX}b${writes++}`, storedObject('b'));
      await store.compact(store.revision);
    };
    const list = store.list.bind(store);
    const get = store.get.bind(store);
    store.list = async (options) => {
      if (writes < 2) await overtake();
      return list(options);
    };
    store.get = async (key, options) => {
      await overtake();
      return get(key, options);
    };
    const snapshot = await whileTimePasses(clock, reader.snapshot(PREFIX, LATEST));
    assert.equal(snapshot.revision, store.revision);
    assert.equal(await snapshot.count({ start: '' }), 3);
    const entry = await whileTimePasses(clock, Promise.resolve(reader.get(PREFIX, 'a', LATEST)));
    assert.equal(entry?.key, 'a');
    store.beforeDelivery = () => Promise.resolve();
    deliver();
    await settle();
    await replica.stop();
  });
});
