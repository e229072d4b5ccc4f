import assert from 'node:assert/strict';
import { Answers } from './answers.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Answers of a commit', () => {
  const writers = (heard: unknown[], n: number, caller = 'noisy') =>
    Array.from({ length: n }, () => ({ caller, resolve: (result: unknown) => heard.push(result) }));

  it('come to a few writers in each turn of the event loop, in order, and to all', async () => {
    const answers = new Answers();
    const heard: unknown[] = [];
    answers.give(writers(heard, 40), [...Array(40).keys()]);
    assert.ok(heard.length > 0 && heard.length < 10, 'the first at once');
    await turn();
    assert.ok(heard.length < 20, String(heard.length));
    await answers.given();
    assert.deepEqual(heard, [...Array(40).keys()]);
  });

  it('of the next commit come after those of the one before', async () => {
    const answers = new Answers();
    const heard: unknown[] = [];
    answers.give(writers(heard, 10), [...Array(10).keys()]);
    answers.give(
      writers(heard, 10),
      [...Array(10).keys()].map((i) => 10 + i),
    );
    await answers.given();
    assert.deepEqual(heard, [...Array(20).keys()]);
    answers.give(writers(heard, 1), [20]);
    assert.equal(heard.at(-1), 20, 'a single writer does not wait');
    await answers.given();
  });

  it('come to callers in turns: one write does not wait for the many of another', async () => {
    const answers = new Answers();
    const heard: unknown[] = [];
    answers.give(
      [...writers(heard, 30), ...writers(heard, 1, 'quiet'), ...writers(heard, 2, 'third')],
      [...Array(30).keys(), 'quiet', 'third', 'third again'],
    );
    answers.give(writers(heard, 1, 'late'), ['late']);
    await answers.given();
    assert.ok(heard.indexOf('quiet') <= 1, String(heard));
    assert.ok(heard.indexOf('third again') <= 5, String(heard));
    assert.ok(heard.indexOf('late') <= 7, String(heard));
    const noisy = heard.filter((one) => typeof one === 'number');
    assert.deepEqual(noisy, [...Array(30).keys()], 'each caller in the order of its writes');
    assert.equal(heard.length, 34);
  });
});
