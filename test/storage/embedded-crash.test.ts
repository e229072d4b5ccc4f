import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { revisionOf } from '../../api/revision.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import { create, done, eventually, rejectsWith, WatchReader } from '../contract/store-kit.ts';
import { inspect } from './embedded-inspect.ts';

const KILLS = process.env['PLINTH_TEST_LONG'] === undefined ? 12 : 300;
const WRITER = join(import.meta.dirname, 'embedded-writer.ts');

interface Answer {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
}

/** Starts a process that writes; `answers` fills with what it was answered, by revision. */
async function startWriter(
  dir: string,
  session: string,
  answers: Map<bigint, Answer>,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import=tsx', WRITER, dir, session], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the writer ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, id, revision, kind, key] = line.split(' ');
      if (word === 'ready') resolve();
      else answers.set(BigInt(revision!), { id: id!, kind: kind!, key: key! });
    });
  });
  await ready;
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

describe('embedded: kill -9', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-crash-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('keeps every acknowledged write, and leaves no partial write', async function () {
    this.timeout(KILLS * 25_000);
    const answers = new Map<bigint, Answer>();
    for (let session = 1; session <= KILLS; session++) {
      const before = answers.size;
      const child = await startWriter(dir, String(session), answers);
      await eventually('it writes', () => (answers.size > before ? true : undefined));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await killed(child);
      assert.ok((await inspect(dir)).events > 0);
      await checkAnswers(dir, answers);
    }
    assert.ok(answers.size > KILLS * 10, `only ${answers.size} writes`);
  });

  it('frees the data directory for the next process', async () => {
    const child = await startWriter(dir, '1', new Map());
    const error = await rejectsWith(openEmbeddedStore({ dir }), 'unavailable');
    const line = `the data directory ${dir} is in use by process ${child.pid}`;
    assert.equal(error.message, line);
    child.kill('SIGSTOP');
    const frozen = await rejectsWith(openEmbeddedStore({ dir }), 'unavailable');
    assert.match(frozen.message, /in use by process/);
    child.kill('SIGCONT');
    await killed(child);
    const store = await openEmbeddedStore({ dir });
    await store.checkHealth();
    await store.close();
  });

  it('lets exactly one of several processes open the store when they start at once', async function () {
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, () => openEmbeddedStore({ dir })),
    );
    const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
    for (const attempt of attempts) {
      if (attempt.status === 'fulfilled') continue;
      assert.ok(isStoreError(attempt.reason, 'unavailable'), String(attempt.reason));
    }
    assert.equal(opened.length, 1);
    for (const { value } of opened) await value.close();
    await (await openEmbeddedStore({ dir })).close();
  });
});

/** Every answer stands in the log where it said, unless compaction has taken it. */
async function checkAnswers(dir: string, answers: ReadonlyMap<bigint, Answer>): Promise<void> {
  const store = await openEmbeddedStore({ dir });
  try {
    const { revisions, from } = await readLog(store);
    for (const [revision, { id, kind, key }] of answers) {
      if (revision < from) continue;
      const events = revisions.get(revision);
      assert.ok(events !== undefined, `revision ${revision} was answered and is lost`);
      const whole = kind === 'batch' ? 3 : 1;
      assert.equal(events.length, whole, `revision ${revision} is not whole`);
      assert.deepEqual(events[0], { key, id: kind === 'delete' ? undefined : id });
    }
    // Unanswered batches are whole, too.
    for (const [revision, events] of revisions) {
      assert.ok(events.length === 1 || events.length === 3, `revision ${revision} is not whole`);
      assert.equal(new Set(events.map(({ id }) => id)).size, 1);
    }
  } finally {
    await store.close();
  }
}

type Logged = { key: string; id: string | undefined }[];

async function readLog(store: Store): Promise<{ revisions: Map<bigint, Logged>; from: bigint }> {
  const revisions = new Map<bigint, Logged>();
  const probe = new WatchReader(store, '', revisionOf(1n));
  const current = await store.currentRevision();
  let from = 1n;
  try {
    await probe.next();
  } catch (error) {
    assert.ok(isStoreError(error, 'compacted'));
    from = error.compactRevision!;
  }
  await probe.close();
  const watch = new WatchReader(store, '', revisionOf(from));
  // At the compacted revision itself the log may be empty.
  const events = current > from ? await watch.untilRevision(current) : [];
  await watch.close();
  for (const event of events) {
    if (event.revision === from) continue;
    const id = event.type === 'put' ? event.value.toString().split(' ')[0] : undefined;
    const at = revisions.get(event.revision) ?? [];
    revisions.set(event.revision, [...at, { key: event.key, id }]);
  }
  return { revisions, from: from + 1n };
}

describe('embedded: time to live over a restart', () => {
  it('removes keys that expired while the server was stopped', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-ttl-'));
    let wall = Date.now();
    const clock = {
      now: () => wall,
      monotonic: () => performance.now(),
      after(ms: number, callback: () => void) {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    };
    let store = await openEmbeddedStore({ dir, clock });
    done(await store.create('short', Buffer.from('x'), { ttlSeconds: 600 }));
    done(await store.create('long', Buffer.from('x'), { ttlSeconds: 7_200 }));
    // Setting the clock moves no deadline of a process that runs.
    wall += 86_400_000;
    await create(store, 'other');
    await store.checkHealth();
    assert.ok((await store.get('short')).item !== undefined);
    const revision = await store.currentRevision();
    await store.close();
    // An hour passes while the server is stopped.
    wall += 3_600_000;
    store = await openEmbeddedStore({ dir, clock });
    const watch = new WatchReader(store, '', revisionOf(revision + 1n));
    const [gone] = await watch.until(1);
    assert.deepEqual([gone!.type, gone!.key], ['delete', 'short']);
    assert.ok((await store.get('long')).item !== undefined);
    await watch.close();
    await store.close();
    // A clock that was set back counts for nothing, and breaks nothing.
    wall -= 400 * 86_400_000;
    store = await openEmbeddedStore({ dir, clock });
    await store.checkHealth();
    assert.ok((await store.get('long')).item !== undefined);
    await store.close();
    await inspect(dir);
    await rm(dir, { recursive: true });
  });
});
