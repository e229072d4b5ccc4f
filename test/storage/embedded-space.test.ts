import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Environment } from '../../storage/embedded/environment.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { isStoreError } from '../../storage/errors.ts';
import {
  bytes,
  create,
  done,
  eventually,
  following,
  rejectsWith,
  WatchReader,
} from '../contract/store-kit.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { inspect } from './embedded-inspect.ts';

const run = promisify(execFile);
const FILLER = join(import.meta.dirname, 'embedded-filler.ts');

describe('embedded: the quota', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-space-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('refuses writes at the quota; reads, deletes and compaction still work and free space', async () => {
    const store = await openEmbeddedStore({ dir, maxBytes: 2 * 1024 * 1024 });
    const value = Buffer.alloc(8 * 1024, 'x');
    const watch = new WatchReader(store, '', await following(store));
    const fill = async (name: string, content: Buffer): Promise<number> => {
      for (let i = 0; ; i++) {
        try {
          done(await store.create(`${name}/${i}`, content));
        } catch (error) {
          assert.ok(isStoreError(error, 'outOfSpace'), String(error));
          return i;
        }
      }
    };
    const large = await fill('large', value);
    assert.ok(large > 100, `${large} values fitted`);
    const first = large + (await fill('small', bytes('x')));
    assert.match((await store.checkHealth()).writesRefused!, /^the store holds .*$/);
    const { items } = await store.list({ prefix: '' });
    assert.equal(items.length, first);
    await rejectsWith(store.update(items[0]!.key, value, items[0]!.revision), 'outOfSpace');
    for (const { key, revision } of items) done(await store.delete(key, revision));
    await rejectsWith(store.create('large/0', value), 'outOfSpace');
    await watch.until(first * 2);
    await store.compact(await store.currentRevision());
    await eventually('room comes back', async () =>
      (await store.checkHealth()).writesRefused === undefined ? true : undefined,
    );
    assert.ok((await fill('again', value)) > large / 2);
    await watch.close();
    await store.close();
    await inspect(dir);
  });

  it('is used again: what is overwritten and compacted does not make the file grow', async () => {
    const store = await openEmbeddedStore({ dir });
    const value = Buffer.alloc(4_000, 'x');
    const keys = Array.from({ length: 50 }, (_, i) => `k/${i}`);
    const revisions = await Promise.all(keys.map((key) => create(store, key)));
    const sizes: number[] = [];
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        keys.map(async (key, i) => {
          revisions[i] = done(await store.update(key, value, revisions[i]!));
        }),
      );
      await store.compact(await store.currentRevision());
      sizes.push((await stat(join(dir, 'store.mdb'))).size);
    }
    // 40 rounds write 8 MB; what is alive is 0.2 MB.
    assert.ok(sizes.at(-1)! < 3 * 1024 * 1024, `the file has ${sizes.at(-1)} bytes`);
    assert.ok(sizes.at(-1)! <= sizes[20]! * 1.5, sizes.join(' '));
    await store.close();
    await inspect(dir);
  });

  it('survives the file size limit', async function () {
    // 24 MB, in blocks of 1 KiB; the signal of a file that grows too large is turned into an error.
    const command = `ulimit -f 24000; trap '' XFSZ; exec "$0" --import=tsx "$1" "$2"`;
    const { stdout } = await run('bash', ['-c', command, process.execPath, FILLER, dir]);
    const report = JSON.parse(stdout) as FillerReport;
    assert.ok(report.stored > 1_000);
    // Nothing is kept free here for deletes, so some of them may fail; none may lie.
    const codes = new Set(['ok', 'outOfSpace', 'unavailable']);
    for (const code of [...report.refusals, ...report.deletes]) assert.ok(codes.has(code), code);
    assert.ok(report.deletes.includes('ok'));
    const { lost, foreign, again, unhandled } = report;
    assert.deepEqual(
      { lost, foreign, again, unhandled },
      { lost: [], foreign: [], again: 'ok', unhandled: [] },
    );
    await inspect(dir);
  });

  it('survives a full disk, and keeps enough space for deletes', async function () {
    const disk = await SmallDisk.mount(join(dir, 'disk'), 48);
    try {
      const { stdout } = await run(process.execPath, ['--import=tsx', FILLER, disk.path]);
      const { stored, ...report } = JSON.parse(stdout) as FillerReport;
      assert.ok(stored > 1_000);
      assert.deepEqual(report, {
        refusals: ['outOfSpace'],
        lost: [],
        foreign: [],
        deletes: ['ok'],
        compacted: 'ok',
        again: 'ok',
        unhandled: [],
      });
      await inspect(disk.path);
    } finally {
      await disk.remove();
    }
  });
});

interface FillerReport {
  readonly stored: number;
  readonly refusals: string[];
  readonly lost: string[];
  readonly foreign: string[];
  readonly deletes: string[];
  readonly compacted: string;
  readonly again: string;
  readonly unhandled: string[];
}

describe('embedded: data', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-data-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('of a newer format are refused in one line', async () => {
    await (await openEmbeddedStore({ dir })).close();
    const environment = new Environment(join(dir, 'store.mdb'), 1024 * 1024);
    await environment.transaction(() => {
      environment.tables.meta.putSync(Buffer.from('format'), Buffer.from([0, 0, 0, 99]));
    });
    await environment.close();
    const error = await rejectsWith(openEmbeddedStore({ dir }), 'corrupt');
    assert.equal(
      error.message,
      `the data in ${dir} has format 99, which was written by a newer version of Plinth; this version reads format 2`,
    );
  });

  it('that are invalid or incomplete are refused in one line', async () => {
    const file = join(dir, 'store.mdb');
    const store = await openEmbeddedStore({ dir });
    for (let i = 0; i < 20; i++) await create(store, `k/${i}`, 'x'.repeat(3_000));
    await store.close();
    const whole = await readFile(file);
    const none = `the data file ${file} cannot be opened: it is not a data file of this store`;
    const faults: [Buffer, string | RegExp][] = [
      [Buffer.from('this is not a database '.repeat(1_000)), none],
      [Buffer.alloc(50_000), none],
      [whole.subarray(0, 100), none],
      [whole.subarray(0, 5_000), /cut short|not a data file/],
      [whole.subarray(0, whole.length - 1), /it is cut short \(\d+ of \d+ bytes\)$/],
    ];
    for (const [content, message] of faults) {
      await writeFile(file, content);
      const error = await rejectsWith(openEmbeddedStore({ dir }), 'corrupt');
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
    }
    await writeFile(file, whole);
    await inspect(dir);
    await writeFile(file, '');
    await (await openEmbeddedStore({ dir })).close();
  });

  it('in a place that cannot be used are refused in one line', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const error = await rejectsWith(openEmbeddedStore({ dir: join(file, 'data') }), 'unavailable');
    assert.match(error.message, /^the data directory .* cannot be used: ENOTDIR$/);
  });

  it('can lie at the end of a long path', async () => {
    const deep = join(dir, ...Array.from({ length: 10 }, (_, i) => `${'directory'.repeat(3)}${i}`));
    const store = await openEmbeddedStore({ dir: deep });
    await rejectsWith(openEmbeddedStore({ dir: deep }), 'unavailable');
    await store.close();
  });

  it('are copied consistently while writes go on', async () => {
    const store = await openEmbeddedStore({ dir: join(dir, 'data') });
    const stop = new AbortController();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; !stop.signal.aborted; i++) {
        await store.batch([
          { op: 'create', key: `a/${writer}-${i}`, value: bytes('x') },
          { op: 'create', key: `b/${writer}-${i}`, value: bytes('x') },
        ]);
      }
    });
    await eventually('writers get on', async () => {
      return (await store.currentRevision()) > 100n ? true : undefined;
    });
    const copy = join(dir, 'copy', 'store.mdb');
    await mkdir(join(dir, 'copy'));
    const before = await store.currentRevision();
    await store.backup(`${copy}.tmp`);
    await store.backup(`${copy}.tmp`);
    const after = await store.currentRevision();
    stop.abort();
    await Promise.all(writers);
    await store.close();
    await rename(`${copy}.tmp`, copy);

    await inspect(join(dir, 'copy'));
    const restored = await openEmbeddedStore({ dir: join(dir, 'copy') });
    const revision = await restored.currentRevision();
    assert.ok(revision >= before && revision <= after);
    const a = await restored.list({ prefix: 'a/' });
    const b = await restored.list({ prefix: 'b/' });
    assert.equal(a.items.length, Number(revision) - 1);
    assert.deepEqual(
      a.items.map(({ key }) => key.slice(2)),
      b.items.map(({ key }) => key.slice(2)),
    );
    await restored.close();
  });

  it('are the same after a restart, with all of their history', async () => {
    let store = await openEmbeddedStore({ dir });
    const first = await create(store, 'a', 'one');
    const second = done(await store.update('a', bytes('two'), first));
    const list = await store.list({ prefix: '', count: true });
    await store.close();
    await rejectsWith(store.get('a'), 'unavailable');
    await rejectsWith(store.create('b', bytes('x')), 'unavailable');
    await rejectsWith(new WatchReader(store, '', first).next(), 'unavailable');
    await store.close();
    store = await openEmbeddedStore({ dir });
    assert.deepEqual(await store.list({ prefix: '', count: true }), list);
    assert.equal((await store.get('a', { revision: first })).item!.value.toString(), 'one');
    const watch = new WatchReader(store, '', first);
    assert.equal((await watch.until(2))[1]!.revision, second);
    const third = await create(store, 'b');
    assert.equal(third, second + 1n);
    assert.equal((await watch.until(3))[2]!.revision, third);
    await watch.close();
    await store.close();
  });
});
