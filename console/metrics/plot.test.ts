import assert from 'node:assert/strict';
import { nearest, niceTop, pathOf, spanOf } from './plot.ts';

const FRAME = { width: 120, height: 102, top: 10 };

describe('the line of a chart', () => {
  it('stands by the time of its readings, the newest at the right edge', () => {
    const times = [100_000, 110_000, 120_000];
    const span = spanOf(times);
    assert.deepEqual(span, { from: 0, to: 120_000 });
    assert.equal(pathOf(times, [0, 10, 5], span, FRAME), 'M100.0 101.0L110.0 1.0L120.0 51.0');
  });

  it('covers all readings once they last longer than two minutes', () => {
    assert.deepEqual(spanOf([1_000, 60_000, 500_000]), { from: 1_000, to: 500_000 });
  });

  it('ends where a value is unknown, and where readings are missing', () => {
    const times = [0, 5_000, 10_000, 60_000, 65_000];
    const span = { from: 0, to: 120_000 };
    const path = pathOf(times, [1, undefined, 1, 1, 1], span, FRAME);
    assert.equal(path.replaceAll(/[\d. ]+/g, ''), 'MMML');
  });

  it('gives the reading that is nearest to a place', () => {
    const times = [0, 1_000, 90_000, 120_000];
    const span = { from: 0, to: 120_000 };
    assert.equal(nearest(times, span, 0), 0);
    assert.equal(nearest(times, span, 0.5), 2);
    assert.equal(nearest(times, span, 2), 3);
    assert.equal(nearest([], span, 0.5), undefined);
  });

  it('reaches up to a round number', () => {
    assert.deepEqual([0, 0.03, 1, 1.1, 42, 512].map(niceTop), [1, 0.05, 1, 2, 50, 1_000]);
  });
});
