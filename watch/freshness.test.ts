import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Freshness } from './freshness.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

const KEY = 'things.example.com/things/a';

describe('Freshness', () => {
  const clock = new FakeClock();
  let store: MemoryStore;
  let replica: Replica;
  let freshness: Freshness;

  beforeEach(async () => {
    store = new MemoryStore();
    replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    freshness = new Freshness(store, replica);
  });
  afterEach(() => replica.stop());

  it('a read never joins a probe that was sent before the read arrived', async () => {
    const release: (() => void)[] = [];
    // the store takes its answer when the probe arrives and sends it late
    store.currentRevision = async () => {
      const revision = store.revision;
      await new Promise<void>((resolve) => release.push(resolve));
      return revision;
    };
    const first = freshness.fresh();
    const created = await store.create(KEY, storedObject('a'));
    const answered = created.outcome === 'ok' ? created.revision : 0n;
    const second = freshness.fresh();
    const third = freshness.fresh();
    await settle();
    release.shift()?.();
    await first;
    await settle();
    release.shift()?.();
    assert.ok((await second).revision >= answered, 'sees the write that was answered before it');
    assert.ok((await third).revision >= answered);
    assert.equal(freshness.counters.probes, 2, 'the waiting reads share one probe');
  });

  it('waits until the replica has caught up with the probe', async () => {
    let deliver: () => void = () => undefined;
    store.beforeDelivery = () => new Promise((resolve) => (deliver = resolve));
    await store.create(KEY, storedObject('a'));
    let done = false;
    const read = freshness.fresh().then((result) => {
      done = true;
      return result;
    });
    await settle();
    assert.equal(done, false, 'the replica has not seen the write yet');
    deliver();
    const { caughtUp, revision } = await read;
    assert.equal(caughtUp, true);
    assert.equal(replica.revision, revision);
  });

  it('asks the store for progress when others write outside the registry', async () => {
    store.foreignWrite();
    const { caughtUp } = await whileTimePasses(clock, freshness.fresh());
    assert.equal(caughtUp, true);
    assert.equal(replica.revision, store.revision);
  });

  it('gives up when the replica is stuck and the store cannot tell progress', async () => {
    store.canTellProgress = false;
    store.foreignWrite();
    const { caughtUp } = await whileTimePasses(clock, freshness.fresh());
    assert.equal(caughtUp, false);
    assert.equal(freshness.progressIsSafe, false);
  });
});
