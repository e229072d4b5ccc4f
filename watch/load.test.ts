import assert from 'node:assert/strict';
import { FakeClock, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

describe('reading the whole registry', () => {
  /** A store whose pages of three objects take a second each. */
  class SlowStore extends MemoryStore {
    readonly #clock: FakeClock;
    constructor(clock: FakeClock) {
      super();
      this.#clock = clock;
    }
    override async list(
      ...options: Parameters<MemoryStore['list']>
    ): ReturnType<MemoryStore['list']> {
      await this.#clock.advance(1_000);
      return super.list(...options);
    }
  }

  it('tells every two seconds how many objects it has read', async () => {
    const clock = new FakeClock();
    const store = new SlowStore(clock);
    for (let i = 0; i < 20; i++) {
      await store.create(`things.example.com/things/thing-${i}`, storedObject(`thing-${i}`));
    }
    const told: number[] = [];
    const replica = new Replica({ store, clock, onLoading: (objects) => told.push(objects) });
    await whileTimePasses(clock, replica.start());
    assert.deepEqual(told, [6, 12, 18]);
    await replica.stop();
  });
});
