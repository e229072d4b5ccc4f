import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residence } from '../../bench/load/process.ts';
import type { Store } from '../../storage/interface.ts';
import { FrameWriter } from '../../storage/shared/frames.ts';
import { encodeRequest } from '../../storage/shared/messages.ts';
import { openSharedStore } from '../../storage/shared/open.ts';
import { SOCKET_FILE } from '../../storage/shared/socket.ts';
import { bytes, create, done, eventually } from '../contract/store-kit.ts';
import { OwnerProcess } from './owner-process.ts';

const MiB = 1024 * 1024;
const LONG_KEY = 'k'.repeat(1_500);

/** A process that writes to the owner of a store, and reads no answers. */
class UnreadingPeer {
  readonly #socket: Socket;
  /** How many it has sent. */
  created = 0;
  isClosed = false;

  constructor(dir: string) {
    this.#socket = connect(join(dir, SOCKET_FILE)).pause();
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.isClosed = true));
  }

  /** Creates the key so many times. */
  create(key: string, times = 1): void {
    const frames = new FrameWriter();
    for (let i = 0; i < times; i++) {
      const operation = { op: 'create' as const, key, value: bytes(key) };
      const transaction = { operations: [operation], guards: [] };
      const request = { kind: 'write', transaction, ttlSeconds: undefined, caller: '' } as const;
      encodeRequest(frames, this.created++, request);
    }
    this.#socket.write(frames.take());
  }

  close(): void {
    this.#socket.destroy();
  }
}

describe('a process that does not read what the owner of a shared store answers', () => {
  let dir: string;
  let owner: OwnerProcess;
  let store: Store;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-unread-'));
    owner = new OwnerProcess(dir);
    await owner.start();
    store = await openSharedStore({ dir });
  });
  afterEach(async () => {
    await store.close();
    await owner.stop();
    await rm(dir, { recursive: true });
  });

  it('loses its connection when 32 MiB wait for it; others write', async () => {
    // a conflict names the key
    await create(store, LONG_KEY);
    const peer = new UnreadingPeer(dir);
    await eventually('the end of its connection', () => {
      peer.create(LONG_KEY, 100);
      return peer.isClosed ? true : undefined;
    });
    assert.ok(peer.created > (32 * MiB) / LONG_KEY.length, String(peer.created));
    for (let i = 0; i < 50; i++) await create(store, `after-${i}`);
    const { peak } = residence(owner.pid);
    assert.ok(peak < 400, `${peak} MiB`);
  });

  it('costs little when the values that stand in its way are large', async () => {
    const large = 'large';
    done(await store.create(large, Buffer.alloc(MiB)));
    const peer = new UnreadingPeer(dir);
    peer.create(large, 2_000);
    peer.create('last');
    await eventually('the last write', async () => (await store.get('last')).item);
    const { peak } = residence(owner.pid);
    assert.ok(peak < 400, `${peak} MiB`);
    peer.close();
  });
});
