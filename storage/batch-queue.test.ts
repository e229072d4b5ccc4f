import assert from 'node:assert/strict';
import { revisionOf } from '../api/revision.ts';
import { BatchQueue } from './batch-queue.ts';
import type { StoreEvent, WatchBatch } from './interface.ts';

function batch(revision: bigint, size = 1, count = 1): WatchBatch {
  const at = revisionOf(revision);
  const event: StoreEvent = {
    type: 'put',
    key: 'k',
    value: Buffer.alloc(size),
    revision: at,
    created: true,
  };
  return { revision: at, events: Array.from({ length: count }, () => event) };
}

describe('batch queue', () => {
  it('delivers all waiting items as one batch', async () => {
    const queue = new BatchQueue(() => undefined);
    for (const revision of [1n, 2n, 3n]) queue.push(batch(revision));
    queue.push({ revision: revisionOf(7n), events: [] });
    const { value } = await queue.next();
    assert.deepEqual([value?.revision, value?.events.length], [7n, 3]);
  });

  it('serves callers that wait in their order', async () => {
    const queue = new BatchQueue(() => undefined);
    const waiting = [queue.next(), queue.next()];
    queue.push(batch(1n));
    queue.push(batch(2n));
    const revisions = (await Promise.all(waiting)).map(({ value }) => value?.revision);
    assert.deepEqual(revisions, [1n, 2n]);
  });

  it('reports when it is full and when it has space again', async () => {
    let calls = 0;
    const queue = new BatchQueue(() => calls++);
    queue.push(batch(1n));
    assert.equal(queue.full, false);
    await queue.next();
    assert.equal(calls, 0);
    queue.push(batch(2n, 17 * 1024 * 1024));
    assert.equal(queue.full, true);
    await queue.next();
    assert.deepEqual([queue.full, calls], [false, 1]);
    queue.push(batch(3n, 1, 5_000));
    assert.equal(queue.full, true);
  });

  it('ends with its error once, behind what is queued', async () => {
    const queue = new BatchQueue(() => undefined);
    queue.push(batch(1n));
    queue.fail(new Error('first'));
    queue.fail(new Error('second'));
    queue.push(batch(2n));
    assert.equal((await queue.next()).value?.revision, 1n);
    await assert.rejects(queue.next(), /first/);
    assert.equal((await queue.next()).done, true);
    assert.equal((await queue.next()).done, true);
  });

  it('fails the first of those who wait, and ends for the others', async () => {
    const queue = new BatchQueue(() => undefined);
    const waiting = [queue.next(), queue.next()];
    queue.fail(new Error('over'));
    const [first, second] = await Promise.allSettled(waiting);
    assert.equal(first?.status, 'rejected');
    assert.ok(second?.status === 'fulfilled' && second.value.done === true);
  });

  it('delivers nothing after it is closed', async () => {
    const queue = new BatchQueue(() => undefined);
    queue.push(batch(1n));
    queue.close();
    assert.equal((await queue.next()).done, true);
  });
});
