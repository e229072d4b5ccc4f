import assert from 'node:assert/strict';
import { Plinth } from '../support/plinth.ts';

const WATCH = '/api/v1/namespaces?watch=1&allowWatchBookmarks=true&resourceVersion=0';

describe('a watch whose client does not say how long', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--min-request-timeout', '1'] });
  });
  after(() => plinth.dispose());

  it('ends by itself, cleanly, between --min-request-timeout and twice that', async () => {
    const began = performance.now();
    const frames: { type: string }[] = [];
    const watch = await plinth.watch(WATCH, (frame: { type: string }) => frames.push(frame));
    await watch.ended;
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds > 0.9, String(seconds));
    assert.ok(frames.some(({ type }) => type === 'ADDED'));
    assert.ok(!frames.some(({ type }) => type === 'ERROR'));
  });

  it('lasts as long as its client says otherwise', async () => {
    const began = performance.now();
    const watch = await plinth.watch(`${WATCH}&timeoutSeconds=3`, () => undefined);
    await watch.ended;
    assert.ok(performance.now() - began > 2900);
  });
});
