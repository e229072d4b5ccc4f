import assert from 'node:assert/strict';
import { PerTurn } from './per-turn.ts';

describe('things that are done a few in each turn of the event loop', () => {
  /** What is done in each turn until all is done. */
  async function turnsOf(max: number, weights: number[]): Promise<number[][]> {
    const perTurn = new PerTurn(max);
    const turns: number[][] = [];
    let now: number[] = [];
    let done = 0;
    weights.forEach((weight, at) => {
      perTurn.run(() => {
        if (now.length === 0) turns.push(now);
        now.push(at);
        done++;
      }, weight);
    });
    while (done < weights.length) {
      now = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
    return turns;
  }

  it('the first are done at once, the others in the next turns in their order', async () => {
    assert.deepEqual(await turnsOf(2, [1, 1, 1, 1, 1]), [[0, 1], [2, 3], [4]]);
  });

  it('what is heavier leaves less room for others', async () => {
    assert.deepEqual(await turnsOf(4, [3, 3, 1, 1, 1, 9, 1]), [[0, 1], [2, 3, 4, 5], [6]]);
  });
});
