import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Revision } from '../../api/revision.ts';
import { openEmbeddedStore } from './open.ts';
import type { EmbeddedStore } from './store.ts';

/** Long enough for a commit to become durable while the event loop is told nothing. */
const SPIN_MS = 20;
const VALUE = Buffer.from('{}');

/** How a read is shown a revision; undefined: none that is new. Needs no turn of the event loop. */
type Read = (store: EmbeddedStore, before: Revision) => Promise<Revision | undefined>;

const READS: Record<string, Read> = {
  async get(store, before) {
    await lookAgain(store, before);
    return (await store.get('none')).revision;
  },
  async list(store) {
    return (await store.list({ prefix: 'none/' })).revision;
  },
  async watch(store, before) {
    await lookAgain(store, before);
    // not all that it has been told of: it reads the log, with what LMDB shows at its end
    const from = (before - 1n) as Revision;
    const watch = store.watch({ prefix: '', from })[Symbol.asyncIterator]();
    let shown: Revision | undefined;
    const reading = watch.next().then(({ done, value }) => {
      if (done !== true) shown = value.revision;
    });
    for (let i = 0; i < 20 && shown === undefined; i++) await Promise.resolve();
    await watch.return?.();
    void reading;
    return shown;
  },
  async currentRevision(store, before) {
    await lookAgain(store, before);
    return store.currentRevision();
  },
};

/** Has LMDB show the newest state to the reads that follow, and is shown an old one itself. */
async function lookAgain(store: EmbeddedStore, before: Revision): Promise<void> {
  await store.list({ prefix: 'none/', revision: before });
}

describe('the newest revision of the embedded store', () => {
  let directory: string;
  let store: EmbeddedStore;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plinth-newest-'));
    store = await openEmbeddedStore({ dir: directory });
  });
  after(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });

  for (const [name, read] of Object.entries(READS)) {
    it(`is never older than what a read has shown: ${name}`, async () => {
      let raced = 0;
      for (let i = 0; i < 200 && raced < 5; i++) {
        const write = { isAnswered: false };
        const isPending = (): boolean => !write.isAnswered;
        const before = await store.currentRevision();
        const written = store.create(`things/${name}-${i}`, VALUE).then((outcome) => {
          write.isAnswered = true;
          return outcome;
        });
        while (isPending()) {
          await nextTurn();
          // while this goes on the process is not told that a commit is durable
          for (const ends = performance.now() + SPIN_MS; performance.now() < ends;) {
            const shown = await read(store, before);
            if (shown === undefined || shown <= before) continue;
            if (isPending()) raced++;
            assert.ok((store.newestRevision() ?? 0n) >= shown, `${i}: ${shown}`);
            break;
          }
        }
        await written;
      }
      assert.ok(raced >= 5, `only ${raced} reads were shown a commit before its writer was told`);
    });
  }

  it('is that of a write when its writer is told, though nothing has been read', async () => {
    for (let i = 0; i < 20; i++) {
      const outcome = await store.create(`things/unread-${i}`, VALUE);
      assert.ok(outcome.outcome === 'ok');
      assert.equal(store.newestRevision(), outcome.revision);
    }
  });

  it('is that of the file when it is opened again, and unknown when it is closed', async () => {
    const newest = store.newestRevision();
    await store.close();
    assert.equal(store.newestRevision(), undefined);
    store = await openEmbeddedStore({ dir: directory });
    assert.equal(store.newestRevision(), newest);
    assert.equal(await store.currentRevision(), newest);
  });
});
