import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Replica } from './replica.ts';
import { CollectingSink, plainEncoder, storedObject } from './testing.ts';
import { Watcher } from './watcher.ts';

describe('collections of resources that come and go', () => {
  const clock = new FakeClock();
  const kept = 'things.example.com/kept/';
  let store: MemoryStore;
  let replica: Replica;

  beforeEach(async () => {
    store = new MemoryStore();
    replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
  });
  afterEach(() => replica.stop());

  async function comeAndGo(prefix: string): Promise<void> {
    const created = await store.create(`${prefix}a`, storedObject('a'));
    assert.equal(created.outcome, 'ok');
    await store.delete(`${prefix}a`, created.revision);
    await settle();
  }

  async function trim(): Promise<string[]> {
    await clock.advance(400_000);
    replica.trimHistory((prefix) => prefix === kept);
    return [...replica.collections()].map(({ prefix }) => prefix).sort();
  }

  it('are not kept when nothing is in them any more', async () => {
    for (let i = 0; i < 20; i++) await comeAndGo(`things.example.com/kind${i}/`);
    await comeAndGo(kept);
    replica.trimHistory((prefix) => prefix === kept);
    assert.equal([...replica.collections()].length, 21, 'the history is young yet');
    assert.deepEqual(await trim(), [kept]);
  });

  it('stay while a client watches them', async () => {
    const watched = 'things.example.com/watched/';
    const watcher = new Watcher({ store, replica, clock, random: () => 0.5 });
    const sink = new CollectingSink();
    const stream = watcher.watch({
      prefix: watched,
      start: { from: 'revision', revision: replica.revision },
      scope: { range: { start: '' }, matches: () => true },
      encoder: plainEncoder,
      bookmarks: false,
      timeoutMs: 1e9,
      sink,
    });
    assert.deepEqual(await trim(), [watched]);
    await comeAndGo(watched);
    assert.deepEqual(
      sink.events().map(({ type }) => type),
      ['ADDED', 'DELETED'],
    );
    stream.close();
    assert.deepEqual(await trim(), []);
  });
});
