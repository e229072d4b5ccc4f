import assert from 'node:assert/strict';
import { ageOf } from './age.ts';

describe('an age', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  const before = (seconds: number): string =>
    ageOf(new Date(now - seconds * 1_000).toISOString(), now);

  it('is written in its largest unit, small numbers with the next one', () => {
    assert.deepEqual([0, 59, 60, 61, 3_600 * 9 + 60, 3_600 * 11 + 60, 86_400 * 400].map(before), [
      '0s',
      '59s',
      '1m',
      '1m1s',
      '9h1m',
      '11h',
      '1y35d',
    ]);
  });

  it('is never negative, and empty for an invalid time', () => {
    assert.equal(before(-90), '0s');
    assert.equal(ageOf('soon', now), '');
  });
});
