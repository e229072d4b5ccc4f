import assert from 'node:assert/strict';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import type { AuditEvent } from './backend.ts';
import { QueuedBackend, type QueuedBackendOptions } from './queued-backend.ts';

function backend(options: Partial<QueuedBackendOptions> = {}) {
  const clock = new FakeClock();
  const sent: (readonly string[])[] = [];
  let lost = 0;
  const made = new QueuedBackend({
    mode: 'batch',
    deliver: (events) => {
      sent.push(events);
      return Promise.resolve();
    },
    maxBatch: 3,
    maxBatchBytes: 100,
    maxWaitMs: 1_000,
    maxQueued: 5,
    maxEventBytes: undefined,
    clock,
    onProblem: () => undefined,
    onLost: (events) => (lost += events),
    ...options,
  });
  const write = (...texts: string[]) => texts.map((text) => made.write(event(text)));
  /** Without waiting for what comes of it. */
  const give = (...events: (string | AuditEvent)[]): void => {
    for (const one of events) void made.write(typeof one === 'string' ? event(one) : one);
  };
  return { made, write, give, sent, clock, lost: () => lost };
}

const event = (text: string, shortened = text): AuditEvent => ({ text, shortened });
const no = () => Promise.reject(new Error('no'));

describe('QueuedBackend', () => {
  it('batch: is sent when it is full, or when its first event has waited for the maximum time', async () => {
    const { give, sent, clock } = backend();
    give('1', '2', '3');
    await settle();
    assert.deepEqual(sent, [['1', '2', '3']]);
    give('4');
    await clock.advance(999);
    assert.equal(sent.length, 1);
    await clock.advance(1);
    assert.deepEqual(sent[1], ['4']);
  });

  it('a batch has a maximum size in bytes and at least one event', async () => {
    const { give, sent } = backend({ maxBatchBytes: 4 });
    give('aa', 'bb', 'cc', 'ddddddd', 'e');
    await settle();
    assert.deepEqual(sent, [['aa', 'bb'], ['cc'], ['ddddddd'], ['e']]);
  });

  it('blocking: a request waits until its event is written, and continues when the event is lost', async () => {
    let arrive = (): void => undefined;
    const { write, lost } = backend({
      mode: 'blocking',
      deliver: () => new Promise((resolve) => (arrive = resolve)),
    });
    const [waits] = write('1');
    let isKept: boolean | undefined;
    void Promise.resolve(waits).then((result) => (isKept = result));
    await settle();
    assert.equal(isKept, undefined);
    arrive();
    await settle();
    assert.equal(isKept, true);
    const failing = backend({ mode: 'blocking', deliver: no });
    assert.equal(await failing.write('1')[0], true);
    assert.equal(failing.lost(), 1);
    assert.equal(lost(), 0);
  });

  it('blocking-strict: a lost event is reported, so the request can be refused', async () => {
    const failing = backend({ mode: 'blocking-strict', deliver: no });
    assert.equal(await failing.write('1')[0], false);
    const full = backend({ mode: 'blocking-strict', deliver: () => new Promise(() => undefined) });
    const all = full.write(...'1234567890');
    assert.equal(await all.at(-1), false);
  });

  it('an event that arrives while the last batch is delivered starts another batch', async () => {
    const { made, write, sent } = backend({ mode: 'blocking' });
    await made.write(event('1'));
    assert.equal(await write('2')[0], true);
    assert.deepEqual(sent, [['1'], ['2']]);
  });

  it('is bounded: events beyond the limit are dropped and counted', async () => {
    const { give, lost } = backend({ deliver: () => new Promise(() => undefined) });
    give('1', '2', '3');
    await settle();
    give(...'123456789');
    assert.equal(lost(), 9 - 5);
    const bytes = backend({ deliver: () => new Promise(() => undefined) });
    bytes.give(...Array.from({ length: 5 }, () => 'x'.repeat(15 * 1024 * 1024)));
    assert.equal(bytes.lost(), 1);
  });

  it('an event that is too long is sent without its objects, or dropped', async () => {
    const { give, sent, lost } = backend({ maxEventBytes: 5 });
    give(event('short', 's'), event('longer', 'less'));
    give(event('longer', 'still'), event('longer', 'longer'));
    await settle();
    assert.deepEqual(sent, [['short', 'less', 'still']]);
    assert.equal(lost(), 1);
  });

  it('requests wait for their events only briefly while the server stops', async () => {
    const hung = backend({ mode: 'blocking', deliver: () => new Promise(() => undefined) });
    const [before] = hung.write('before');
    await settle();
    await hung.clock.advance(60_000);
    hung.made.hurry();
    await hung.clock.advance(5_000);
    assert.equal(await before, true);
    const [after] = hung.write('after');
    assert.equal(await after, true, 'others need not wait');
    assert.equal(hung.lost(), 2);
    const closed = hung.made.close();
    await hung.clock.advance(0);
    await closed;
  });

  it('remaining events are flushed at shutdown within a bounded time', async () => {
    const { made, give, sent } = backend();
    give('1');
    await made.close();
    assert.deepEqual(sent, [['1']]);
    const stuck = backend({
      deliver: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    });
    stuck.give('1', '2', '3', '4');
    const closed = stuck.made.close();
    await settle();
    await stuck.clock.advance(5_000);
    await closed;
    assert.equal(stuck.lost(), 4, 'also the batches behind the one that hangs');
  });
});
