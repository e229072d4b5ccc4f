import assert from 'node:assert/strict';
import { AdaptiveLimit } from './adaptive-limit.ts';

const repeat = (times: number, act: () => void): void => {
  for (let i = 0; i < times; i++) act();
};

describe('AdaptiveLimit', () => {
  it('is less after long rounds, though never less than a few', () => {
    const limit = new AdaptiveLimit(200);
    limit.sawRound(7, 100);
    assert.equal(limit.current, 70);
    assert.ok(limit.isReduced);
    repeat(50, () => limit.sawRound(7, limit.current));
    assert.equal(limit.current, 8);
  });

  it('stays low where one round in a hundred is long', () => {
    const limit = new AdaptiveLimit(200);
    let highest = 0;
    repeat(50, () => {
      limit.sawRound(7, limit.current);
      repeat(99, () => limit.sawRound(0.5, limit.current));
      highest = limit.current;
    });
    assert.ok(highest < 40, `${highest}`);
  });

  it('goes back to what the operator allows within a second when the work waits for others', () => {
    const limit = new AdaptiveLimit(200);
    repeat(50, () => limit.sawRound(7, limit.current));
    repeat(200, () => limit.sawIdle());
    assert.equal(limit.current, 200);
    assert.ok(!limit.isReduced);
  });

  it('does not know of a limit where there is none', () => {
    const limit = new AdaptiveLimit(Infinity);
    limit.sawIdle();
    assert.equal(limit.current, Infinity);
    assert.ok(!limit.isReduced);
  });
});
