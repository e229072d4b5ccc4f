import assert from 'node:assert/strict';
import { Answers } from './answers.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Answers of a commit', () => {
  const writers = (heard: unknown[], n: number) =>
    Array.from({ length: n }, () => ({ resolve: (result: unknown) => heard.push(result) }));

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
    assert.equal(heard.at(-1), 20, 'a single writer waits for nobody');
    await answers.given();
  });
});
