import assert from 'node:assert/strict';
import { revisionOf } from '../../api/revision.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { StoreError } from '../errors.ts';
import type { GetResult, WatchBatch, WatchOptions } from '../interface.ts';
import { encryptedStore } from './encrypted-store.ts';
import { Encryption } from './value-cipher.ts';

/** Counts open watches; reads always fail. */
class BrokenStore extends MemoryStore {
  open = 0;

  override get(): Promise<GetResult> {
    return Promise.reject(new StoreError('unavailable', 'it is not there'));
  }

  override async *watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    this.open++;
    try {
      yield* super.watch(options);
    } finally {
      this.open--;
    }
  }
}

describe('watch of an encrypted store', () => {
  it('ends the inner watch when a value cannot be decrypted and its caller cannot be asked', async () => {
    const store = new BrokenStore();
    const encrypted = encryptedStore(store, new Encryption([]));
    await store.create('a', Buffer.from('k8s:enc:aesgcm:v1:unknown:x'));
    const follow = async (): Promise<void> => {
      for await (const batch of encrypted.watch({ prefix: '', from: revisionOf(1n) })) {
        assert.fail(`${batch.events.length} events`);
      }
    };
    await assert.rejects(follow(), /it is not there/);
    assert.equal(store.open, 0);
  });
});
