import assert from 'node:assert/strict';
import type { Revision } from '../api/revision.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import type { Encoder } from './frames.ts';
import { Replica } from './replica.ts';
import type { Subscription } from './subscription.ts';
import { CollectingSink, plainEncoder, storedObject } from './testing.ts';
import { Watcher } from './watcher.ts';

const PREFIX = 'things.example.com/things/';
const REQUEST = {
  prefix: PREFIX,
  scope: { range: { start: '' }, matches: () => true },
  encoder: plainEncoder,
  bookmarks: false,
  timeoutMs: 1e9,
};

describe('watch streams', () => {
  let store: MemoryStore;
  let clock: FakeClock;
  let replica: Replica;
  let watcher: Watcher;

  beforeEach(async () => {
    store = new MemoryStore();
    clock = new FakeClock();
    // nothing of the past stays in memory
    const limits = { minAgeMs: 0, maxAgeMs: 1, softBytes: 0, maxBytes: 0 };
    replica = new Replica({ store, clock, limits });
    await whileTimePasses(clock, replica.start());
    watcher = new Watcher({ store, replica, clock, random: () => 0.5 });
  });
  afterEach(async () => {
    await watcher.closeAll();
    await replica.stop();
  });

  function open(
    after: Revision,
    sink: CollectingSink,
    encoder: Encoder = plainEncoder,
  ): Subscription {
    const start = { from: 'revision', revision: after } as const;
    return watcher.watch({ ...REQUEST, start, encoder, sink });
  }

  async function write(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await store.create(`${PREFIX}o${i}`, storedObject(`o${i}`));
    await settle();
  }

  it('end alone, with an ERROR frame, when an object cannot be shown', async () => {
    const encoder: Encoder = {
      ...plainEncoder,
      id: 'picky',
      event(type, entry) {
        if (entry.corrupt) throw new Error('it cannot be read');
        return plainEncoder.event(type, entry);
      },
    };
    const [sink, other] = [new CollectingSink(), new CollectingSink()];
    open(store.revision, sink, encoder);
    open(store.revision, other);
    await settle();
    await store.create(`${PREFIX}broken`, Buffer.from('broken'));
    await settle();
    assert.equal(sink.ended, true);
    assert.deepEqual(
      sink.events().map(({ type }) => type),
      ['ERROR 500'],
    );
    assert.equal(other.ended, false);
  });

  it('that need no history do not block others from reading it', async () => {
    const start = store.revision;
    await write(1);
    replica.beginHistoryAt(store.revision);
    const quiet = { ...REQUEST, prefix: 'others.example.com/others/' };
    for (let i = 0; i < 40; i++) {
      watcher.watch({
        ...quiet,
        start: { from: 'revision', revision: start },
        sink: new CollectingSink(),
      });
    }
    await settle();
    const sink = new CollectingSink();
    open(start, sink);
    await settle();
    await clock.advance(1_000);
    assert.deepEqual(
      sink.events().map(({ name }) => name),
      ['o0'],
    );
  });

  it('that read history and have no buffer space do not block others from reading it', async () => {
    const start = store.revision;
    await write(3);
    await clock.advance(10);
    replica.trimHistory();
    const stuck = Array.from({ length: 40 }, () => {
      const sink = new CollectingSink();
      sink.room = 1;
      return { sink, subscription: open(start, sink) };
    });
    const sink = new CollectingSink();
    open(start, sink);
    await settle();
    // more of them than may read at one time: each round has its patience
    for (let second = 0; second < 10; second++) await clock.advance(1_000);
    const names = ['o0', 'o1', 'o2'];
    assert.deepEqual(
      sink.events().map(({ name }) => name),
      names,
    );
    for (const { sink: late, subscription } of stuck) {
      late.room = Infinity;
      subscription.resume();
    }
    await settle();
    for (const { sink: late } of stuck) {
      assert.deepEqual(
        late.events().map(({ name }) => name),
        names,
      );
    }
  });

  it('resume inside a revision of several objects after backpressure', async () => {
    const start = store.revision;
    const names = ['a', 'b', 'c'];
    const create = (name: string): { op: 'create'; key: string; value: Buffer } => ({
      op: 'create',
      key: PREFIX + name,
      value: storedObject(name),
    });
    await store.batch(names.map(create));
    await store.batch([create('d')]);
    await settle();
    await clock.advance(10);
    replica.trimHistory();
    const sink = new CollectingSink();
    sink.room = 2;
    const subscription = open(start, sink);
    for (let i = 0; i < 5; i++) {
      await settle();
      await clock.advance(10_000);
      sink.room = 1;
      subscription.resume();
      await settle();
    }
    assert.deepEqual(
      sink.events().map(({ name }) => name),
      [...names, 'd'],
    );
  });

  describe('send a bookmark only after all events that it covers', () => {
    const later: Encoder = {
      ...plainEncoder,
      id: 'later',
      async event(type, entry) {
        await settle();
        return plainEncoder.event(type, entry);
      },
    };
    const cases: [string, Encoder, number, string[]][] = [
      ['while events wait for room', plainEncoder, 2, ['a', 'b', 'c']],
      ['while an event is prepared', later, Infinity, ['a']],
      ['when events have just come', plainEncoder, Infinity, ['a', 'b']],
    ];
    for (const [what, encoder, room, names] of cases) {
      it(what, async () => {
        const ownTime = new FakeClock();
        const own = new Watcher({ store, replica, clock: ownTime, random: () => 0.5 });
        const sink = new CollectingSink();
        sink.room = room;
        const start = { from: 'revision', revision: store.revision } as const;
        own.watch({ ...REQUEST, bookmarks: true, start, encoder, sink });
        await settle();
        // the bookmark is due after an event has come, and before the streams are woken for it
        replica.collection(PREFIX).listen(() => void ownTime.advance(60_000));
        await store.batch(
          names.map((name) => ({ op: 'create', key: PREFIX + name, value: storedObject(name) })),
        );
        for (let i = 0; i < 5; i++) await settle();
        const seen = sink.events().map(({ type, name }) => (type === 'BOOKMARK' ? type : name));
        const before = seen.includes('BOOKMARK') ? seen.slice(0, names.length) : names;
        assert.deepEqual(before, names);
        assert.notEqual(seen.length, 0);
        await own.closeAll();
      });
    }
  });
});
