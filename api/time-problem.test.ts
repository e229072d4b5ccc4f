import assert from 'node:assert/strict';
import { timeError } from './time.ts';

const TIME = '"2006-01-02T15:04:05Z07:00"';

describe('the reason why a string is not a time', () => {
  const cases: [text: string, why: string][] = [
    ['', `parsing time "" as ${TIME}: cannot parse "" as "2006"`],
    ['soon', `parsing time "soon" as ${TIME}: cannot parse "soon" as "2006"`],
    ['2024-1-02', `parsing time "2024-1-02" as ${TIME}: cannot parse "1-02" as "01"`],
    ['2024-01-02', `parsing time "2024-01-02" as ${TIME}: cannot parse "" as "T"`],
    [
      '2024-01-02T03:04:05',
      `parsing time "2024-01-02T03:04:05" as ${TIME}: cannot parse "" as "Z07:00"`,
    ],
    ['2024-13-02T03:04:05Z', 'parsing time "2024-13-02T03:04:05Z": month out of range'],
    ['2024-02-30T03:04:05Z', 'parsing time "2024-02-30T03:04:05Z": day out of range'],
    ['2024-01-02T24:04:05Z', 'parsing time "2024-01-02T24:04:05Z": hour out of range'],
    ['2024-01-02T03:04:05Z!', 'parsing time "2024-01-02T03:04:05Z!": extra text: "!"'],
  ];
  for (const [text, why] of cases) {
    it(`names the part of ${JSON.stringify(text)} that is wrong`, () => {
      assert.equal(timeError(text, 'Time'), why);
    });
  }

  it('reports too few and too many digits of a microsecond time', () => {
    const FORM = '"2006-01-02T15:04:05.000000Z07:00"';
    assert.equal(
      timeError('2024-01-02T03:04:05.123Z', 'MicroTime'),
      `parsing time "2024-01-02T03:04:05.123Z" as ${FORM}: cannot parse ".123Z" as ".000000"`,
    );
    assert.equal(
      timeError('2024-01-02T03:04:05.123456789Z', 'MicroTime'),
      `parsing time "2024-01-02T03:04:05.123456789Z" as ${FORM}: cannot parse "789Z" as "Z07:00"`,
    );
  });

  it('reports a missing fraction of a microsecond time', () => {
    assert.equal(
      timeError('2024-01-02T03:04:05Z', 'MicroTime'),
      'parsing time "2024-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    );
  });
});
