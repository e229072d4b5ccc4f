import assert from 'node:assert/strict';
import { StoreError } from '../storage/errors.ts';
import type { ListOptions, ListResult } from '../storage/interface.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

const PREFIX = 'things.example.com/things/';

class SlowlyRestored extends MemoryStore {
  failsToList = 0;

  override list(options: ListOptions): Promise<ListResult> {
    if (this.failsToList-- > 0) {
      return Promise.reject(new StoreError('unavailable', 'it is not there yet'));
    }
    return super.list(options);
  }
}

describe('a store whose history was replaced', () => {
  it('is reloaded, even when the first attempt fails', async () => {
    const clock = new FakeClock();
    const store = new SlowlyRestored();
    const replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    const backup = store.revision;
    for (const name of ['a', 'b', 'c']) await store.create(PREFIX + name, storedObject(name));
    await settle();
    let reloads = 0;
    replica.onReload(() => reloads++);
    store.failsToList = 2;
    store.restore(backup);
    await settle();
    assert.equal(replica.ready, false);
    await store.create(`${PREFIX}d`, storedObject('d'));
    await clock.advance(10_000);
    assert.equal(replica.ready, true);
    assert.equal(reloads, 1);
    assert.equal(replica.revision, store.revision);
    const { items } = replica.collection(PREFIX);
    assert.deepEqual(
      [...items.range('')].map(({ name }) => name),
      ['d'],
    );
    await replica.stop();
  });
});
