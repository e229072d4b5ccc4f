import assert from 'node:assert/strict';
import type { Clock } from '../../api/clock.ts';
import { StoreTime } from './store-time.ts';

function clockAt(wall: number, monotonic: number): Clock {
  return { now: () => wall, monotonic: () => monotonic, after: () => () => undefined };
}

describe('store time', () => {
  it('follows the monotonic clock while the process runs', () => {
    let wall = 1_000_000;
    let monotonic = 500;
    const clock: Clock = {
      now: () => wall,
      monotonic: () => monotonic,
      after: () => () => undefined,
    };
    const time = new StoreTime(clock, undefined);
    assert.equal(time.now(), 0);
    monotonic += 250;
    wall += 3_600_000;
    assert.equal(time.now(), 250);
    wall -= 9_000_000;
    assert.equal(time.now(), 250);
  });

  it('counts the time between two runs, but never backwards', () => {
    const first = new StoreTime(clockAt(1_000_000, 0), undefined);
    const saved = first.save();
    assert.equal(new StoreTime(clockAt(1_060_000, 77), saved).now(), 60_000);
    assert.equal(new StoreTime(clockAt(900_000, 77), saved).now(), 0);
  });
});
