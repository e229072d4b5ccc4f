import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { sleep, systemClock, type Clock } from './clock.ts';

/** Time that passes only when told to. */
class ManualClock implements Clock {
  #now = 0;
  readonly timers = new Map<() => void, number>();
  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after(ms: number, callback: () => void): () => void {
    this.timers.set(callback, this.#now + ms);
    return () => this.timers.delete(callback);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const [callback, due] of [...this.timers]) {
      if (due <= this.#now && this.timers.delete(callback)) callback();
    }
  }
}

describe('sleep', () => {
  it('ends when its time has passed', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    let isOver = false;
    const over = sleep(clock, 10, signal).then(() => (isOver = true));
    clock.advance(9);
    await Promise.resolve();
    assert.equal(isOver, false);
    clock.advance(1);
    assert.equal(await over, true);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('ends at once with the reason of an abort, and leaves no timer', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const sleeping = sleep(clock, 10, abort.signal);
    assert.equal(clock.timers.size, 1);
    const reason = new Error('stop');
    abort.abort(reason);
    await assert.rejects(sleeping, reason);
    assert.equal(clock.timers.size, 0);
    await assert.rejects(sleep(clock, 10, abort.signal), reason);
    assert.equal(clock.timers.size, 0);
  });
});

describe('systemClock', () => {
  it('reports the wall clock and a monotonic time', () => {
    assert.ok(Math.abs(systemClock.now() - Date.now()) < 1000);
    const before = systemClock.monotonic();
    assert.ok(systemClock.monotonic() >= before);
  });

  it('calls back once unless it is cancelled', async () => {
    let calls = 0;
    const cancel = systemClock.after(0, () => (calls += 100));
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(0, () => {
        calls++;
        resolve();
      });
    });
    assert.equal(calls, 1);
  });
});

describe('the clock of the system', () => {
  it('supports timers longer than the maximum of a Node timer', async () => {
    let rang = false;
    const cancel = systemClock.after(2 ** 31 + 1, () => (rang = true));
    await new Promise((resolve) => systemClock.after(20, () => resolve(undefined)));
    assert.equal(rang, false);
    cancel();
  });
});
