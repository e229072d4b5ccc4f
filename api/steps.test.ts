import assert from 'node:assert/strict';
import type { Clock } from './clock.ts';
import { atOnce, inTurns, withRests, type Steps } from './steps.ts';

describe('steps of long work', () => {
  function* count(to: number, done: number[] = []): Steps<number> {
    for (let i = 0; i < to; i++) {
      yield;
      done.push(i);
    }
    return to;
  }
  /** A clock on which each look takes a millisecond. */
  function slowClock(): Clock {
    let now = 0;
    return { now: () => now, monotonic: () => ++now, after: () => () => undefined };
  }
  const stoppedClock: Clock = { ...slowClock(), monotonic: () => 0 };

  it('give the same result at once, with pauses and over several turns', async () => {
    assert.equal(atOnce(count(5)), 5);
    let rests = 0;
    assert.equal(
      await withRests(count(5), () => {
        rests++;
        return Promise.resolve();
      }),
      5,
    );
    assert.equal(rests, 5);
    assert.equal(await inTurns(count(100), slowClock()), 100);
  });

  it('complete synchronously when they are short', () => {
    assert.equal(inTurns(count(1_000), stoppedClock), 1_000);
  });

  it('yield to the event loop when they take long', async () => {
    const done: number[] = [];
    const all = inTurns(count(100, done), slowClock());
    assert.ok(done.length < 10, String(done.length));
    let turns = 0;
    while (done.length < 100) {
      await new Promise(setImmediate);
      turns++;
    }
    assert.equal(await all, 100);
    assert.ok(turns > 20, String(turns));
  });

  it('fail as a whole', async () => {
    // oxlint-disable-next-line require-yield -- it fails at once
    function* failing(): Steps<never> {
      throw new Error('broken');
    }
    assert.throws(() => inTurns(failing(), stoppedClock), /broken/);
    function* late(): Steps<never> {
      yield* count(50);
      throw new Error('late');
    }
    await assert.rejects(Promise.resolve(inTurns(late(), slowClock())), /late/);
  });
});
