import assert from 'node:assert/strict';
import { StoreError } from '../storage/errors.ts';
import type { ListOptions, ListResult, WatchBatch, WatchOptions } from '../storage/interface.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

const PREFIX = 'things.example.com/things/';

/** Tells once that its history is another one, and cannot be read for a moment after that. */
class ResetStore extends MemoryStore {
  failsToList = 0;
  #reset: (() => void) | undefined;

  reset(): void {
    this.#reset?.();
  }

  override list(options: ListOptions): Promise<ListResult> {
    if (this.failsToList-- > 0) {
      return Promise.reject(new StoreError('unavailable', 'it is not there yet'));
    }
    return super.list(options);
  }

  override async *watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    const stop = new AbortController();
    let error: StoreError | undefined;
    this.#reset = () => {
      this.#reset = undefined;
      error = new StoreError('reset', 'another history');
      stop.abort();
    };
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
    yield* super.watch({ ...options, signal });
    if (error !== undefined) throw error;
  }
}

describe('a store whose history was replaced', () => {
  it('is loaded anew, also when that fails at first', async () => {
    const clock = new FakeClock();
    const store = new ResetStore();
    const replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    await store.create(`${PREFIX}a`, storedObject('a'));
    await settle();
    let reloads = 0;
    replica.onReload(() => reloads++);
    store.failsToList = 2;
    store.reset();
    await settle();
    await clock.advance(10_000);
    assert.equal(replica.ready, true);
    assert.equal(reloads, 1);
    await replica.stop();
  });
});
