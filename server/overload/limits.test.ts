import assert from 'node:assert/strict';
import { ApiError } from '../../api/api-error.ts';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import { Cancellation } from '../../http/cancellation.ts';
import type { Pass } from './gate.ts';
import { Expiring } from '../../api/expiries.ts';
import { Limits, type LimitOptions, type SeatKind } from './limits.ts';

function limits(options: Partial<LimitOptions> = {}, clock = new FakeClock()): Limits {
  return new Limits({
    maxReading: 4,
    maxMutating: 1,
    maxLongRunning: 2,
    isFair: true,
    maxWaitMs: 15_000,
    clock,
    ...options,
  });
}

const asks = (user = 'a', cancellation = new Cancellation()) => ({ user, width: 1, cancellation });
const is429 = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 429 &&
  error.status.details?.retryAfterSeconds === 1 &&
  error.message === 'Too many requests, please try again later.';

describe('Limits', () => {
  it('starts a waiting request when a seat is released', async () => {
    const all = limits();
    const pass = all.tryEnter('mutating', 'a', 1)!;
    let begun: Pass | undefined;
    const waits = all.wait('mutating', asks(), (got) => {
      begun = got;
      return Promise.resolve('done');
    });
    await settle();
    assert.equal(begun, undefined);
    all.leave('mutating', pass);
    assert.equal(await waits, 'done');
    assert.ok(begun);
  });

  it('keeps readers and writers apart', () => {
    const all = limits();
    assert.ok(all.tryEnter('mutating', 'a', 1));
    assert.equal(all.tryEnter('mutating', 'b', 1), undefined);
    assert.ok(all.tryEnter('readOnly', 'b', 1));
  });

  it('answers 429 to a request that waited too long', async () => {
    const clock = new FakeClock();
    const all = limits({}, clock);
    all.tryEnter('mutating', 'a', 1);
    const refused = assert.rejects(
      all.wait('mutating', asks(), () => Promise.resolve()),
      is429,
    );
    await clock.advance(15_000);
    await refused;
  });

  it('without fairness refuses at once', async () => {
    const all = limits({ isFair: false });
    all.tryEnter('mutating', 'a', 1);
    await assert.rejects(
      all.wait('mutating', asks(), () => Promise.resolve()),
      is429,
    );
  });

  it('drops a queued request when its client disconnects', async () => {
    const all = limits();
    const pass = all.tryEnter('mutating', 'a', 1)!;
    const gone = new Cancellation();
    let begun = false;
    const waits = all.wait('mutating', asks('a', gone), () => {
      begun = true;
      return Promise.resolve();
    });
    gone.abort(new Error('gone'));
    await assert.rejects(waits, /gone/);
    const late = all.wait('mutating', asks('a', gone), () => Promise.reject(new Error('begun')));
    await assert.rejects(late, /gone/, 'gone before it had to wait');
    all.leave('mutating', pass);
    await settle();
    assert.equal(begun, false);
  });

  it('lets what arrives in a full turn of the event loop wait for the next one', async () => {
    const clock = new FakeClock();
    const all = limits({}, clock);
    assert.ok(all.tryEnter('readOnly', 'a', 1));
    await clock.advance(0);
    assert.ok(all.tryEnter('readOnly', 'a', 1), 'a turn without work is over at once');
    const turn = clock.monotonic();
    void clock.advance(5); // synchronously: no turn has passed
    assert.equal(clock.monotonic(), turn + 5);
    assert.equal(all.tryEnter('readOnly', 'a', 1), undefined);
    assert.equal(await all.wait('readOnly', asks(), () => Promise.resolve('next')), 'next');
  });

  it('lets users who have nothing else under way begin in a full turn, eight of them', async () => {
    const clock = new FakeClock();
    const all = limits({ maxReading: 100 }, clock);
    assert.ok(all.tryEnter('readOnly', 'noisy', 1));
    void clock.advance(5); // synchronously: no turn has passed
    assert.equal(all.tryEnter('readOnly', 'noisy', 1), undefined, 'has one under way');
    const others = Array.from({ length: 10 }, (_, i) => all.tryEnter('readOnly', `quiet-${i}`, 1));
    assert.equal(others.filter((pass) => pass !== undefined).length, 8);
    await settle();
    assert.ok(all.tryEnter('readOnly', 'quiet-9', 1), 'the next turn');
  });

  it('lets one begin after a long round of the event loop, and more after a short one', async () => {
    const startsAfter = async (ms: number, kind: SeatKind): Promise<number> => {
      const clock = new FakeClock();
      const all = limits({ maxReading: 100, maxMutating: 100 }, clock);
      const inTurns: number[] = [];
      let started = 0;
      const waits = Array.from({ length: 20 }, () =>
        all.wait(kind, asks(), () => Promise.resolve(started++)),
      );
      void clock.advance(ms); // synchronously: this round is so long
      setImmediate(() => inTurns.push(started));
      await Promise.all(waits);
      return inTurns[0] ?? 0;
    };
    assert.equal(await startsAfter(4, 'readOnly'), 1);
    assert.equal(await startsAfter(0, 'readOnly'), 4);
    assert.equal(await startsAfter(4, 'mutating'), 1);
    assert.equal(await startsAfter(0, 'mutating'), 2, 'a write is more work');
  });

  it('answers refused requests over several turns of the event loop', async () => {
    const all = limits({ maxMutating: 1 });
    all.tryEnter('mutating', 'a', 1);
    const waits = Array.from({ length: 256 }, () =>
      all.wait('mutating', asks(), () => Promise.resolve()),
    );
    for (const wait of waits) wait.catch(() => undefined);
    let refused = 0;
    const more = Array.from({ length: 40 }, () =>
      all
        .wait('mutating', asks(), () => Promise.resolve())
        .catch((error: unknown) => {
          assert.ok(is429(error));
          refused++;
        }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(refused > 0 && refused < 30, String(refused));
    await Promise.all(more);
  });

  it('lets a connection rest for a second at most', async () => {
    const clock = new FakeClock();
    const all = limits({}, clock);
    all.tryEnter('mutating', 'a', 1);
    let resumed = 0;
    all.rest('mutating', 'a', new Expiring(() => resumed++));
    assert.equal(resumed, 1, 'nothing waits: at once');
    const clients = Array.from({ length: 40 }, () => new Cancellation());
    const waits = clients.map((client) =>
      all.wait('mutating', asks('a', client), () => Promise.resolve()),
    );
    all.rest('mutating', 'a', new Expiring(() => resumed++));
    await clock.advance(999);
    assert.equal(resumed, 1);
    await clock.advance(1);
    assert.equal(resumed, 2);
    for (const client of clients) client.abort(new Error('gone'));
    await Promise.allSettled(waits);
    assert.equal(resumed, 2, 'once');
  });
});
