import assert from 'node:assert/strict';
import { ageOf, humanDuration } from './age.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('ages in tables', () => {
  const cases: [number, string][] = [
    [-2 * SECOND, '<invalid>'],
    [-1 * SECOND, '0s'],
    [999, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [3 * MINUTE + 7 * SECOND, '3m7s'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY + 5 * HOUR, '2d5h'],
    [8 * DAY + 5 * HOUR, '8d'],
    [2 * YEAR - DAY, '729d'],
    [2 * YEAR + 3 * DAY, '2y3d'],
    [9 * YEAR, '9y'],
  ];
  for (const [ms, text] of cases) {
    it(`${ms} ms is ${text}`, () => assert.equal(humanDuration(ms), text));
  }

  it('is counted from the time in the object', () => {
    assert.equal(ageOf('2000-01-01T00:00:00Z', Date.parse('2000-01-01T01:00:00Z')), '60m');
  });

  it('is unknown without a time', () => {
    for (const none of [undefined, null, '', 'soon', 5]) assert.equal(ageOf(none, 0), '<unknown>');
  });
});
