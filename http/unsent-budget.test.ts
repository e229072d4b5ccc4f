import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '../test/support/fake-clock.ts';
import { UnsentBudget } from './unsent-budget.ts';

const RESUMED_PER_TURN = 16;

describe('answers that wait for unsent bytes to leave', () => {
  it('go on in turns of the event loop, all of them and in their order', async () => {
    const count = 4 * RESUMED_PER_TURN;
    const clock = new FakeClock();
    const budget = new UnsentBudget({ perUser: count, total: count, clock });
    const first = budget.claim('a', () => undefined);
    assert.ok(first.take(count, () => undefined));
    const goneOn: number[] = [];
    for (let i = 0; i < count; i++) {
      const claim = budget.claim('a', () => undefined);
      assert.ok(!claim.take(1, () => goneOn.push(i)));
    }
    first.leave();
    assert.equal(budget.held, count);
    for (let turn = 1; turn <= count / RESUMED_PER_TURN; turn++) {
      assert.equal(goneOn.length, turn * RESUMED_PER_TURN);
      await nextTurn();
    }
    assert.deepEqual(goneOn, [...Array(count).keys()]);
  });
});
