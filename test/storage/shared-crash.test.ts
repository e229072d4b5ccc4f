import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextRevision, revisionOf, type Revision } from '../../api/revision.ts';
import { systemClock } from '../../api/clock.ts';
import { DATA_FILE } from '../../storage/embedded/data-file.ts';
import { Environment } from '../../storage/embedded/environment.ts';
import { Meta } from '../../storage/embedded/meta.ts';
import { isStoreError, StoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import { Channel } from '../../storage/shared/channel.ts';
import { openSharedStore } from '../../storage/shared/open.ts';
import { SharedStore } from '../../storage/shared/store.ts';
import {
  bytes,
  create,
  done,
  eventually,
  rejectsWith,
  WatchReader,
} from '../contract/store-kit.ts';
import { inspect } from './embedded-inspect.ts';
import { OwnerProcess } from './owner-process.ts';

const KILLS = process.env['PLINTH_TEST_LONG'] === undefined ? 8 : 200;
const WRITERS = 32;
const WRITER = join(import.meta.dirname, 'shared-writer.ts');
const HOLDER = join(import.meta.dirname, 'shared-holder.ts');
const MiB = 1024 * 1024;

/** What writers were told, by key; each key is written once. */
interface Told {
  readonly answered: Map<string, Revision>;
  readonly unknown: Set<string>;
}

/** Creates keys, each once, until it is told to stop. */
async function write(store: Store, name: string, told: Told, goOn: () => boolean): Promise<void> {
  for (let i = 0; goOn(); i++) {
    const key = `things/${name}-${i}`;
    try {
      const outcome = await store.create(key, bytes(key));
      assert.equal(outcome.outcome, 'ok', 'a write was sent twice');
      told.answered.set(key, done(outcome));
    } catch (error) {
      assert.ok(isStoreError(error, 'timeout'), String(error));
      told.unknown.add(key);
    }
  }
}

describe('an embedded store that several processes share', () => {
  let dir: string;
  let owner: OwnerProcess;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-shared-'));
    owner = new OwnerProcess(dir);
    await owner.start();
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('G10: kill -9 of its owner loses no answered write and repeats none; watches go on without a gap', async function () {
    this.timeout(KILLS * 40_000);
    const store = await openSharedStore({ dir });
    const told: Told = { answered: new Map(), unknown: new Set() };
    const watch = new WatchReader(store, '', revisionOf(2n));
    let isOver = false;
    const writing = Array.from({ length: WRITERS }, (_, i) =>
      write(store, String(i), told, () => !isOver),
    );
    for (let i = 0; i < KILLS; i++) {
      const before = told.answered.size;
      await eventually('writes', () => (told.answered.size > before + 50 ? true : undefined));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      await owner.kill();
      await owner.start();
    }
    isOver = true;
    await Promise.all(writing);
    const last = await store.currentRevision();
    const events = await watch.untilRevision(last);
    await watch.close();

    const at = new Map(events.map(({ key, revision }) => [key, revision]));
    assert.equal(at.size, events.length, 'a key was written twice');
    for (const [key, revision] of told.answered) assert.equal(at.get(key), revision, key);
    for (const key of at.keys()) assert.ok(told.answered.has(key) || told.unknown.has(key), key);
    assert.deepEqual(
      events.map(({ revision }) => revision),
      Array.from({ length: events.length }, (_, i) => BigInt(i) + 2n),
      'every revision once, in order',
    );
    assert.ok(told.unknown.size > 0, 'no write was under way when an owner ended');
    await store.close();
    await owner.stop();
    await inspect(dir);
  });

  /** Whether a way to read shows the key `late`, which was written at this revision. */
  const READS: Readonly<Record<string, (store: Store, at: Revision) => Promise<boolean>>> = {
    get: async (store, at) => (await store.get('late')).item?.revision === at,
    list: async (store) => (await store.list({ prefix: 'late' })).items.length === 1,
    'look at the newest revision': async (store, at) => (await store.currentRevision()) === at,
    'look at the newest revision that waits for nothing': (store, at) =>
      Promise.resolve(store.newestRevision?.() === at),
  };
  for (const [name, shows] of Object.entries(READS)) {
    it(`G1: shows in a ${name} what another process was answered before, also within one turn of the event loop`, () =>
      showsWithinOneTurn(shows));
  }

  async function showsWithinOneTurn(
    shows: (store: Store, at: Revision) => Promise<boolean>,
  ): Promise<void> {
    const store = await openSharedStore({ dir });
    const marker = join(dir, 'answered');
    const writer = spawn(process.execPath, ['--import=tsx', WRITER, dir, 'late', marker], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(writer.stdout, 'data');
    const ended = once(writer, 'exit');
    writer.stdin.write('go');
    const before = await store.currentRevision();
    assert.equal((await store.get('late')).item, undefined);
    // no other turn of the loop: a process may be busy for so long
    while (!existsSync(marker));
    assert.ok(await shows(store, nextRevision(before)));
    await ended;
    await store.close();
    await owner.stop();
  }

  it('tells no newest revision when the file cannot be read: what is asked says why', async () => {
    const environment = new Environment(join(dir, DATA_FILE), MiB, { readOnly: true });
    const meta = new Meta(environment.tables.meta);
    const store = new SharedStore({
      ...{ environment, meta },
      connect: (onRevision) => new Channel({ directory: dir, clock: systemClock, onRevision }),
    });
    assert.ok(store.newestRevision() !== undefined);
    const damaged = new StoreError('corrupt', 'a page is damaged');
    Object.defineProperty(meta, 'revision', {
      get: () => {
        throw damaged;
      },
    });
    assert.equal(store.newestRevision(), undefined);
    await assert.rejects(store.currentRevision(), damaged);
    await store.close();
    await owner.stop();
  });

  it('creates a key when what stood in the way has been deleted before it could be read', async () => {
    const environment = new Environment(join(dir, DATA_FILE), MiB, { readOnly: true });
    const store = new SharedStore({
      ...{ environment, meta: new Meta(environment.tables.meta) },
      connect: (onRevision) => {
        const channel = new Channel({ directory: dir, clock: systemClock, onRevision });
        const ask = channel.ask.bind(channel);
        let isFirst = true;
        channel.ask = (request, signal) => {
          if (!isFirst) return ask(request, signal);
          isFirst = false;
          return Promise.resolve({ kind: 'written', result: { outcome: 'conflict', key: 'a' } });
        };
        return channel;
      },
    });
    const revision = await create(store, 'a');
    assert.equal((await store.get('a')).item!.revision, revision);
    await store.close();
    await owner.stop();
  });

  it('is read while it has no owner; writes wait for the next one, and health says so', async () => {
    const store = await openSharedStore({ dir });
    await create(store, 'a');
    await owner.kill();
    assert.ok((await store.get('a')).item !== undefined);
    await eventually('a store that takes no writes', async () => {
      const { writesRefused } = await store.checkHealth();
      return writesRefused === 'the process that owns the store is not there' ? true : undefined;
    });
    const controller = new AbortController();
    const cancelled = store.create('never', bytes('never'), { signal: controller.signal });
    const waiting = create(store, 'b');
    controller.abort();
    await rejectsWith(cancelled, 'cancelled');
    await owner.start();
    const revision = await waiting;
    assert.equal((await store.get('b')).item!.revision, revision);
    assert.equal((await store.get('never')).item, undefined);
    await store.close();
    await rejectsWith(store.create('c', bytes('c')), 'unavailable');
    await owner.stop();
  });

  it('G15: refuses writes at the quota of its owner, and says so; reads and deletes work and free space', async () => {
    await owner.stop();
    owner = new OwnerProcess(dir, 2 * MiB);
    await owner.start();
    const store = await openSharedStore({ dir });
    const value = Buffer.alloc(100 * 1024);
    const revisions: Revision[] = [];
    const fill = async (): Promise<void> => {
      for (;;) revisions.push(done(await store.create(`a${revisions.length}`, value)));
    };
    const { message } = await rejectsWith(fill(), 'outOfSpace');
    assert.match(message, /^the store holds \d+ bytes of the 2097152 it may: delete or compact$/);
    assert.equal((await store.get('a0')).item!.value.length, value.length);
    for (const [i, revision] of revisions.entries()) {
      done(await store.delete(`a${i}`, revision));
    }
    await store.compact(await store.currentRevision());
    await eventually('room', async () => {
      const outcome = await store.create('b', value).catch(() => undefined);
      return outcome?.outcome === 'ok' ? true : undefined;
    });
    assert.deepEqual(await store.checkHealth(), { writesRefused: undefined });
    await store.close();
    await owner.stop();
  });

  it('is read when its file has outgrown what a reader expected', async () => {
    const store = await openSharedStore({ dir, maxBytes: MiB / 8 });
    const value = Buffer.alloc(MiB, 'x');
    const watch = new WatchReader(store, 'large/', revisionOf(2n));
    for (let i = 0; i < 24; i++) done(await store.create(`large/${i}`, value));
    const { items } = await store.list({ prefix: 'large/' });
    assert.equal(items.length, 24);
    assert.ok(items.every((item) => item.value.equals(value)));
    assert.equal((await watch.until(24)).length, 24);
    await watch.close();
    await store.close();
    await owner.stop();
  });

  it('uses pages again that a killed process was reading', async () => {
    const store = await openSharedStore({ dir });
    let revision = await create(store, 'a');
    const holder = spawn(process.execPath, ['--import=tsx', HOLDER, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    /** By how much the file grows while one value is replaced many times. */
    const growth = async (): Promise<number> => {
      const before = statSync(join(dir, 'store.mdb')).size;
      for (let i = 0; i < 60; i++) {
        revision = done(await store.update('a', Buffer.alloc(MiB / 4), revision));
        await store.compact(revision);
      }
      return statSync(join(dir, 'store.mdb')).size - before;
    };
    assert.ok((await growth()) > 8 * MiB, 'a reader keeps what it reads');
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    await eventually('a file that stays as it is', async () =>
      (await growth()) < MiB ? true : undefined,
    );
    await store.close();
    await owner.stop();
  });
});
