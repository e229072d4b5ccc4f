import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { StoreError } from '../storage/errors.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

describe('following the log', () => {
  const clock = new FakeClock();
  let store: MemoryStore;
  let replica: Replica;

  beforeEach(async () => {
    store = new MemoryStore();
    replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
  });
  afterEach(() => replica.stop());

  it('is known to fail from the first failure on, until something comes again', async () => {
    assert.equal(replica.failingSince, undefined);
    let isBroken = true;
    store.beforeDelivery = () =>
      isBroken ? Promise.reject(new StoreError('corrupt', 'it cannot be read')) : Promise.resolve();
    const failedAt = clock.monotonic();
    await store.create('things.example.com/things/a', storedObject('a'));
    await settle();
    assert.equal(replica.failingSince, failedAt);
    await clock.advance(30_000);
    assert.equal(replica.failingSince, failedAt, 'a retry does not reset the time of the failure');
    isBroken = false;
    await clock.advance(5_000);
    assert.equal(replica.failingSince, undefined);
    assert.equal(replica.revision, store.revision);
  });

  it('is known to fail while the store tries again by itself', async () => {
    const failedAt = clock.monotonic();
    store.retry();
    await clock.advance(20_000);
    store.retry();
    assert.equal(replica.failingSince, failedAt, 'a retry does not reset the time of the failure');
    await store.create('things.example.com/things/a', storedObject('a'));
    await settle();
    assert.equal(replica.failingSince, undefined);
  });
});
