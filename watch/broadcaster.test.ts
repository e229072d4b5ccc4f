import assert from 'node:assert/strict';
import { NO_REVISION } from '../api/revision.ts';
import { FakeClock, settle } from '../test/support/fake-clock.ts';
import { Broadcaster } from './broadcaster.ts';
import { Collection } from './collection.ts';
import { EntryMemory } from './entry-memory.ts';

describe('broadcaster', () => {
  let clock: FakeClock;
  let collection: Collection;
  let broadcaster: Broadcaster;
  /** How often each stream was served. */
  let served: number[];

  beforeEach(() => {
    clock = new FakeClock();
    collection = new Collection('things.example.com/things/', NO_REVISION, new EntryMemory());
    broadcaster = new Broadcaster(collection, clock);
  });

  /** The first stream takes all the time of a round. */
  function streams(count: number, msOfRound: number): void {
    served = Array.from({ length: count }, () => 0);
    for (let i = 0; i < count; i++) {
      broadcaster.add({
        pump() {
          served[i]!++;
          if (i === 0) void clock.advance(msOfRound);
        },
      });
    }
  }

  async function events(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      collection.notify();
      await settle();
    }
  }

  it('serves few streams with every event at once', async () => {
    streams(16, 5);
    await events(3);
    assert.deepEqual([...new Set(served)], [3]);
  });

  it('gathers events for many streams for as long as the last round took', async () => {
    streams(17, 5);
    await events(1);
    assert.deepEqual([...new Set(served)], [1], 'the first event waits for nothing');
    await events(3);
    await clock.advance(4.9);
    assert.deepEqual([...new Set(served)], [1], 'served again before there was time for others');
    await clock.advance(0.1);
    assert.deepEqual([...new Set(served)], [2]);
    await clock.advance(10);
    await events(1);
    assert.deepEqual([...new Set(served)], [3], 'after a quiet time an event goes out at once');
  });

  it('keeps no event for longer than 10 ms', async () => {
    streams(250, 400);
    await events(2);
    assert.deepEqual([...new Set(served)], [1]);
    await clock.advance(10);
    assert.deepEqual([...new Set(served)], [2]);
  });

  it('tells every stream of an event that comes while others are served', async () => {
    streams(250, 0);
    const late = { pump: () => seen++ };
    let seen = 0;
    broadcaster.add({ pump: () => (seen === 0 ? collection.notify() : undefined) });
    broadcaster.add(late);
    await events(1);
    await clock.advance(1);
    assert.equal(seen, 2);
    assert.deepEqual([...new Set(served)], [2]);
  });
});
