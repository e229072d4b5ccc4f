import assert from 'node:assert/strict';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import { WebhookBackend, type WebhookBackendOptions } from './webhook-backend.ts';

function backend(clock: FakeClock, options: Partial<WebhookBackendOptions> = {}) {
  const sent: string[][] = [];
  const lost: number[] = [];
  const made = new WebhookBackend({
    post: (text) => {
      sent.push((JSON.parse(text) as { items: string[] }).items);
      return Promise.resolve();
    },
    maxBatch: 3,
    maxWaitMs: 1_000,
    maxQueued: 5,
    initialBackoffMs: 100,
    clock,
    onProblem: () => undefined,
    onLost: (events) => lost.push(events),
    ...options,
  });
  return { made, sent, lost };
}

describe('WebhookBackend', () => {
  it('sends when there are enough events, or when the first has waited long enough', async () => {
    const clock = new FakeClock();
    const { made, sent } = backend(clock);
    for (const event of ['1', '2', '3']) made.write(event);
    await settle();
    assert.deepEqual(sent, [[1, 2, 3]]);
    made.write('4');
    await clock.advance(999);
    assert.equal(sent.length, 1);
    await clock.advance(1);
    assert.deepEqual(sent[1], [4]);
  });

  it('tries again, in order, and gives a batch up in the end', async () => {
    const clock = new FakeClock();
    let tries = 0;
    const post = () => {
      tries++;
      return Promise.reject(new Error('no'));
    };
    const { made, lost } = backend(clock, { post });
    for (const event of ['1', '2', '3']) made.write(event);
    await settle();
    await clock.advance(99);
    assert.equal(tries, 1);
    await clock.advance(1);
    assert.equal(tries, 2);
    await clock.advance(10_000);
    assert.equal(tries, 4);
    assert.deepEqual(lost, [3]);
  });

  it('is bounded: what finds no room is refused at once', async () => {
    const clock = new FakeClock();
    const { made } = backend(clock, { post: () => new Promise(() => undefined) });
    const taken = Array.from({ length: 12 }, (_, i) => made.write(String(i)));
    assert.equal(taken.filter((isTaken) => isTaken).length, 3 + 5);
    await settle();
  });

  it('sends what is left at the end, and does not wait for ever', async () => {
    const clock = new FakeClock();
    const { made, sent } = backend(clock);
    made.write('1');
    await made.close();
    assert.deepEqual(sent, [[1]]);
    const stuck = backend(clock, {
      post: () => Promise.reject(new Error('no')),
      initialBackoffMs: 1e9,
    });
    stuck.made.write('1');
    const closed = stuck.made.close();
    await clock.advance(5_000);
    await closed;
    assert.deepEqual(stuck.lost, [1]);
  });
});
