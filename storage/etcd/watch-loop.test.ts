import assert from 'node:assert/strict';
import { NO_REVISION, revisionOf } from '../../api/revision.ts';
import { isStoreError } from '../errors.ts';
import type { WatchBatch } from '../interface.ts';
import {
  failing,
  fakeWatch,
  putEvent,
  type FakeMember,
  type FakeStream,
} from '../../test/support/etcd-fake.ts';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import type { Lineage } from './lineage.ts';
import type { WatchLoop } from './watch-loop.ts';

type Batch = IteratorResult<WatchBatch, undefined>;

/** A getter: the compiler would take the number of before for granted. */
function loopProgress(stream: FakeStream): number {
  return stream.progressRequests;
}

function shown({ value }: Batch): [bigint, string[]] {
  assert.ok(value !== undefined, 'the watch ended');
  return [value.revision, value.events.map(({ key, revision }) => `${key}@${revision}`)];
}

async function rejection(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'it did not fail',
    (reason: unknown) => reason,
  );
  return isStoreError(error) ? error.code : String(error);
}

describe('watch loop', () => {
  let clock: FakeClock;
  let loop: WatchLoop;
  let members: FakeMember[];
  let streams: () => FakeStream[];
  let retries: number;
  let lineage: Lineage;

  beforeEach(() => {
    clock = new FakeClock();
    retries = 0;
  });
  afterEach(() => loop.return());

  function watch(from: bigint, options: { members?: number; auth?: true } = {}): void {
    const auth = options.auth === true ? { auth: { username: 'u', password: 'p' } } : {};
    const { members: count = 1 } = options;
    const fake = fakeWatch(clock, { from, members: count, onRetry: () => retries++, ...auth });
    ({ loop, streams, lineage } = fake);
    members = fake.all;
  }

  /** What is ready to run runs first: it may want to be woken within the time. */
  async function pass(ms: number): Promise<void> {
    await settle();
    await clock.advance(ms);
  }

  /** The newest stream, once it has been made and told its revision. */
  async function opened(revision = 100n): Promise<FakeStream> {
    await settle();
    const stream = streams().at(-1)!;
    stream.respond({ created: true, revision });
    await settle();
    return stream;
  }

  it('hands over a fragmented response in one piece', async () => {
    watch(5n);
    const next = loop.next();
    const stream = await opened();
    stream.respond({ fragment: true, events: [putEvent('a', 5n), putEvent('b', 6n)] });
    stream.respond({ fragment: true, events: [putEvent('c', 6n)] });
    await settle();
    stream.respond({ events: [putEvent('d', 6n)] });
    assert.deepEqual(shown(await next), [6n, ['a@5', 'b@6', 'c@6', 'd@6']]);
  });

  it('resumes before a response of which only a part has come', async () => {
    watch(5n);
    const next = loop.next();
    const first = await opened();
    first.respond({ events: [putEvent('a', 5n)] });
    assert.deepEqual(shown(await next), [5n, ['a@5']]);
    first.respond({ fragment: true, events: [putEvent('b', 6n), putEvent('c', 7n)] });
    first.end();
    const again = loop.next();
    members[0]!.onRange = (revision) => (revision === 5n ? [putEvent('a', 5n).kv] : []);
    await pass(100);
    const second = await opened();
    assert.equal(second.create.startRevision, 6n);
    second.respond({ events: [putEvent('b', 6n), putEvent('c', 7n), putEvent('d', 7n)] });
    assert.deepEqual(shown(await again), [7n, ['b@6', 'c@7', 'd@7']]);
  });

  it('drops what it has delivered before', async () => {
    watch(5n);
    const stream = await openedBy(loop.next(), 4n);
    stream.respond({ events: [putEvent('a', 5n), putEvent('b', 6n)] });
    await settle();
    stream.respond({ events: [putEvent('a', 5n), putEvent('b', 6n), putEvent('c', 7n)] });
    stream.respond({ events: [putEvent('old', 3n)] });
    stream.respond({ events: [putEvent('d', 8n)] });
    assert.deepEqual(shown(await loop.next()), [8n, ['c@7', 'd@8']]);
  });

  /** Opens, and forgets what the first batch was. */
  async function openedBy(first: Promise<Batch>, revision: bigint): Promise<FakeStream> {
    first.catch(() => undefined);
    return opened(revision);
  }

  it('advances with revisions that hold nothing but the store’s own keys', async () => {
    watch(5n);
    const next = loop.next();
    const stream = await opened();
    const own = putEvent('x', 9n);
    const key = Buffer.from('/r/\u0000epoch');
    stream.respond({ events: [{ ...own, kv: { ...own.kv, key } }] });
    assert.deepEqual(shown(await next), [9n, []]);
  });

  it('reports progress only on etcd versions where that is safe', async () => {
    watch(5n);
    const next = loop.next();
    assert.equal(loop.requestProgress(), undefined);
    const stream = await opened();
    assert.equal(stream.progressRequests, 1, 'what was asked before is asked when it is possible');
    assert.equal(stream.create.progressNotify, true);
    stream.respond({ revision: 42n });
    assert.deepEqual(shown(await next), [42n, []]);
    assert.equal(loop.requestProgress(), true);
    assert.equal(stream.progressRequests, 2);
    await loop.return();

    watch(5n);
    members[0]!.version = '3.4.23';
    const unsafe = loop.next();
    const old = await opened(4n);
    assert.equal(old.create.progressNotify, false);
    assert.equal(loop.requestProgress(), false);
    assert.equal(old.progressRequests, 0);
    old.respond({ revision: 42n });
    await settle();
    old.respond({ events: [putEvent('a', 43n)] });
    assert.deepEqual(shown(await unsafe), [43n, ['a@43']]);
  });

  it('replaces a silent stream', async () => {
    watch(5n);
    const next = loop.next();
    const first = await opened();
    await pass(31_000);
    assert.equal(first.progressRequests, 1);
    first.respond({ revision: 50n });
    assert.deepEqual(shown(await next), [50n, []]);
    const last = loop.next();
    await pass(45_000);
    assert.equal(loopProgress(first), 2);
    await pass(4_500);
    assert.equal(first.canceled, true, 'nothing came, and it was kept');
    const second = await opened();
    assert.notEqual(second, first);
    second.respond({ events: [putEvent('a', 51n)] });
    assert.deepEqual(shown(await last), [51n, ['a@51']]);
  });

  it('replaces a silent stream of an etcd that tells no progress once it is left behind', async () => {
    watch(5n);
    members[0]!.version = '3.4.23';
    const next = loop.next();
    const first = await opened(4n);
    await pass(100_000);
    assert.equal(first.canceled, false, 'nothing has happened that it could tell');
    lineage.observe({ clusterId: 7n, revision: revisionOf(6n) }, NO_REVISION);
    await pass(61_000);
    assert.equal(first.canceled, true, 'etcd went on, and it was kept');
    const second = await opened(4n);
    assert.notEqual(second, first);
    second.respond({ events: [putEvent('a', 6n)] });
    assert.deepEqual(shown(await next), [6n, ['a@6']]);
  });

  it('goes to the next member when one does not answer', async () => {
    watch(5n, { members: 3 });
    const next = loop.next();
    await settle();
    assert.equal(members[0]!.streams.length, 1);
    await pass(5_100);
    assert.equal(members[0]!.streams[0]!.canceled, true);
    assert.equal(members[1]!.streams.length, 1);
    members[1]!.streams[0]!.end('refused');
    await pass(200);
    assert.equal(members[2]!.streams.length, 1);
    const stream = await opened();
    stream.respond({ events: [putEvent('a', 5n)] });
    assert.deepEqual(shown(await next), [5n, ['a@5']]);
  });

  it('backs off while it fails, and resets the delay after a delivery', async () => {
    watch(5n);
    const next = loop.next();
    await settle();
    const attempts: number[] = [];
    for (let i = 0; i < 9; i++) {
      streams().at(-1)!.end();
      const before = clock.monotonic();
      const count = streams().length;
      while (streams().length === count) await pass(10);
      assert.equal(retries, i + 1, 'who asked for the watch was not told');
      attempts.push(clock.monotonic() - before);
    }
    assert.deepEqual(attempts, [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
    const stream = await opened();
    stream.respond({ events: [putEvent('a', 5n)] });
    await next;
    const again = loop.next();
    again.catch(() => undefined);
    stream.end();
    members[0]!.onRange = () => [putEvent('a', 5n).kv];
    await pass(60);
    assert.equal(streams().length, 11);
  });

  it('gets a new token when the old one is refused', async () => {
    watch(5n, { auth: true });
    let tokens = 0;
    members[0]!.onAuthenticate = () => `token${++tokens}`;
    const next = loop.next();
    await settle();
    streams()[0]!.respond({
      created: true,
      canceled: true,
      cancelReason: 'etcdserver: invalid auth token',
    });
    await pass(60);
    assert.equal(tokens, 2);
    const stream = await opened();
    stream.respond({ events: [putEvent('a', 5n)] });
    assert.deepEqual(shown(await next), [5n, ['a@5']]);
  });

  it('ends when its history is compacted, when etcd denies permission, and when it is stopped', async () => {
    watch(5n);
    const compacted = loop.next();
    await settle();
    streams()[0]!.respond({ created: true });
    streams()[0]!.respond({ canceled: true, compactRevision: 9n });
    assert.equal(await rejection(compacted), 'compacted');
    assert.equal((await loop.next()).done, true);

    watch(5n);
    const denied = loop.next();
    await settle();
    const cancelReason = 'rpc error: code = PermissionDenied desc = etcdserver: permission denied';
    streams()[0]!.respond({ created: true, canceled: true, cancelReason });
    assert.equal(await rejection(denied), 'denied');

    watch(5n);
    const closed = loop.next();
    const stream = await opened();
    await loop.return();
    assert.equal((await closed).done, true);
    assert.equal(stream.canceled, true);
  });

  it('checks on an affected etcd version that compaction has not removed its history', async () => {
    watch(5n);
    members[0]!.version = '3.4.23';
    const next = loop.next();
    // It is behind: etcd may have dropped the events that it begins with.
    const stream = await opened(100n);
    members[0]!.onRange = (revision) => (revision === 4n ? failing('compacted')() : []);
    stream.respond({ events: [putEvent('b', 6n)] });
    assert.equal(await rejection(next), 'compacted');

    watch(5n);
    members[0]!.version = '3.5.21';
    const safe = loop.next();
    const other = await opened(100n);
    members[0]!.onRange = failing('compacted');
    other.respond({ events: [putEvent('b', 6n)] });
    assert.deepEqual(shown(await safe), [6n, ['b@6']]);
  });

  it('keeps the order while it checks for compaction', async () => {
    watch(5n);
    members[0]!.version = '3.4.23';
    const stream = await openedBy(loop.next(), 100n);
    stream.respond({ events: [putEvent('a', 5n)] });
    stream.respond({ events: [putEvent('b', 6n)] });
    const batches = [shown(await loop.next())];
    await pass(1_100);
    stream.respond({ events: [putEvent('c', 7n)] });
    stream.respond({ events: [putEvent('d', 8n)] });
    while (batches.at(-1)![0] < 8n) batches.push(shown(await loop.next()));
    assert.deepEqual(
      batches.flatMap(([, events]) => events),
      ['b@6', 'c@7', 'd@8'],
    );
  });

  it('loses nothing when a full queue is emptied while a new stream is being checked', async () => {
    watch(5n);
    const stream = await openedBy(loop.next(), 4n);
    stream.respond({ events: [putEvent('a', 5n)] });
    await settle();
    const large = Array.from({ length: 5_000 }, () => putEvent('b', 6n));
    stream.respond({ events: large });
    await settle();
    stream.end();
    let open = (): void => undefined;
    members[0]!.rangeGate = new Promise((resolve) => {
      open = resolve;
    });
    members[0]!.onRange = () => [putEvent('b', 6n).kv];
    await pass(60);
    const second = await opened();
    assert.notEqual(second, stream);
    // The reader takes what has piled up; the history of the new stream is not confirmed yet.
    assert.equal(shown(await loop.next())[0], 6n);
    second.respond({ events: [putEvent('c', 7n)] });
    await settle();
    open();
    await settle();
    second.respond({ events: [putEvent('d', 8n)] });
    const events: string[] = [];
    while (!events.includes('d@8')) events.push(...shown(await loop.next())[1]);
    assert.deepEqual(events, ['c@7', 'd@8']);
  });

  it('is reset when a newer history is not the one it knows', async () => {
    watch(5n);
    const first = loop.next();
    const stream = await opened();
    stream.respond({ events: [putEvent('a', 5n, 'mine')] });
    await first;
    const next = loop.next();
    stream.end();
    members[0]!.onRange = () => [putEvent('a', 5n, 'of another life').kv];
    const ended = rejection(next);
    await pass(60);
    await opened();
    assert.equal(await ended, 'reset');
  });

  it('is reset when another cluster answers', async () => {
    watch(5n);
    const next = loop.next();
    const stream = await opened();
    stream.respond({ events: [putEvent('a', 5n)], header: { clusterId: 8n, revision: 5n } });
    // Nothing was read from the first cluster yet, so its identity is unknown.
    assert.deepEqual(shown(await next), [5n, ['a@5']]);
    members[0]!.onRange = () => [putEvent('a', 5n).kv];
    stream.end();
    const again = rejection(loop.next());
    await pass(60);
    const second = await opened();
    second.respond({ events: [putEvent('b', 6n)], header: { clusterId: 8n, revision: 6n } });
    assert.equal(await again, 'reset');
  });
});
