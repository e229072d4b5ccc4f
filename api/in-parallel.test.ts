import assert from 'node:assert/strict';
import { inParallel } from './in-parallel.ts';

describe('inParallel', () => {
  it('runs each task once with bounded concurrency', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      done.push(item);
    });
    assert.deepEqual(done.sort(), [1, 2, 3, 4, 5]);
    assert.equal(most, 2);
  });

  it('starts nothing after a failure and waits for running tasks', async () => {
    const begun: number[] = [];
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const all = inParallel([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('the first');
      await slow;
      throw new Error('a later one');
    });
    let isOver = false;
    const over = (): void => void (isOver = true);
    all.then(over, over);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isOver, false, 'the second is under way');
    finish();
    await assert.rejects(all, /the first/);
    assert.deepEqual(begun, [1, 2]);
  });
});
