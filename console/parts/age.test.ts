import assert from 'node:assert/strict';
import { ageOf, distanceOf } from './age.ts';

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

  it('says of moments that lie ahead when they come', () => {
    const far = (seconds: number): string =>
      distanceOf(new Date(now + seconds * 1_000).toISOString(), now);
    assert.deepEqual([-120, 0, 1, 5, 300, 86_400 * 3].map(far), [
      ...['2m ago', '0s ago', '0s ago', 'in 5s', 'in 5m', 'in 3d'],
    ]);
    assert.equal(distanceOf('soon', now), '');
  });
});
