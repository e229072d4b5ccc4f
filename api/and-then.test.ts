import assert from 'node:assert/strict';
import { andThen } from './and-then.ts';

describe('andThen', () => {
  const half = (n: number): number => n / 2;

  it('goes on at once with a value that is there', () => {
    assert.equal(andThen(4, half), 2);
  });

  it('goes on with what a promise brings, and fails as it does', async () => {
    const later = andThen(Promise.resolve(4), half);
    assert.ok(later instanceof Promise);
    assert.equal(await later, 2);
    const why = new Error('no number');
    const failed: number | Promise<number> = Promise.reject(why);
    await assert.rejects(async () => andThen(failed, half), why);
  });
});
