import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { Expiring } from '../../api/expiries.ts';
import { Gate, MAX_WAITING_PER_USER, type Pass } from './gate.ts';

/** Asks for seats until `n` requests of a user wait; what begins is noted in order. */
function queue(gate: Gate, user: string, n: number, begun: string[], passes: Pass[] = []): void {
  for (let i = 0; i < n; i++) {
    gate.wait(user, 1, (pass) => {
      begun.push(user);
      passes.push(pass);
    });
  }
}

describe('Gate', () => {
  it('never exceeds its number of seats', () => {
    const gate = new Gate(4, false, new FakeClock());
    const passes = [0, 1, 2, 3].map(() => gate.tryEnter('a', 1));
    assert.ok(passes.every((pass) => pass !== undefined));
    assert.equal(gate.tryEnter('b', 1), undefined);
    gate.leave(passes[0]!);
    assert.ok(gate.tryEnter('b', 1));
  });

  it('keeps a quarter of the seats from any one user', () => {
    const gate = new Gate(8, true, new FakeClock());
    for (let i = 0; i < 6; i++) assert.ok(gate.tryEnter('noisy', 1));
    assert.equal(gate.tryEnter('noisy', 1), undefined);
    assert.ok(gate.tryEnter('quiet', 1));
    assert.ok(gate.tryEnter('quiet', 1));
    assert.equal(gate.used, 8);
  });

  it('keeps a quarter also from a user who held more before the number of seats fell', () => {
    const gate = new Gate(100, true, new FakeClock());
    const wide = gate.tryEnter('noisy', 70)!;
    gate.sawRound(50);
    assert.ok(gate.isReduced);
    const begun: string[] = [];
    queue(gate, 'noisy', 1, begun);
    assert.equal(gate.startNext(), 0);
    const passes = ['a', 'b', 'c'].map((user) => gate.tryEnter(user, 4)!);
    assert.ok(passes.every((pass) => pass.isBeyond));
    assert.equal(gate.tryEnter('d', 4), undefined, 'more than a quarter');
    gate.leave(passes[0]!);
    passes[0] = gate.tryEnter('d', 4)!;
    for (const pass of [wide, ...passes]) gate.leave(pass);
    assert.equal(gate.used, 0);
    assert.equal(gate.startNext(), 1);
    const later = gate.tryEnter('e', 4);
    assert.equal(later?.isBeyond, false);
  });

  it('serves a new user before the long queue of another user', () => {
    const gate = new Gate(4, true, new FakeClock());
    const held = [0, 1, 2].map(() => gate.tryEnter('noisy', 1)!);
    const begun: string[] = [];
    queue(gate, 'noisy', 100, begun);
    assert.equal(gate.startNext(), 0);
    queue(gate, 'quiet', 2, begun);
    gate.leave(held[0]!);
    for (let i = 0; i < 2; i++) assert.ok(gate.startNext());
    assert.ok(begun.indexOf('quiet') < 2, begun.join());
  });

  it('starts a request at once when it is the next in order', () => {
    const gate = new Gate(8, true, new FakeClock());
    const begun: string[] = [];
    queue(gate, 'noisy', 100, begun);
    assert.equal(gate.startNext(), 1);
    assert.equal(gate.comesFirst('noisy'), false);
    assert.equal(gate.tryEnter('noisy', 1), undefined, 'others of the same user wait');
    assert.ok(gate.comesFirst('quiet'));
    assert.ok(gate.tryEnter('quiet', 1));
    assert.equal(gate.comesFirst('quiet'), false, 'has one under way');
    assert.equal(gate.tryEnter('quiet', 1), undefined, 'has had as much as the other one');
  });

  it('lets users with the same demand take turns', () => {
    const gate = new Gate(0, true, new FakeClock());
    const begun: string[] = [];
    const passes: Pass[] = [];
    queue(gate, 'a', 10, begun, passes);
    queue(gate, 'b', 10, begun, passes);
    for (let i = 0; i < 10; i++) {
      gate.startNext();
      gate.leave(passes.at(-1)!);
    }
    const ofA = begun.filter((user) => user === 'a').length;
    assert.ok(ofA >= 4 && ofA <= 6, begun.join());
  });

  it('counts what requests take beyond their width', () => {
    const gate = new Gate(0, true, new FakeClock());
    const begun: string[] = [];
    const passes: Pass[] = [];
    queue(gate, 'heavy', 50, begun, passes);
    queue(gate, 'light', 50, begun, passes);
    for (let i = 0; i < 44; i++) {
      gate.startNext();
      gate.leave(passes.at(-1)!, begun.at(-1) === 'heavy' ? 9 : 0);
    }
    const heavy = begun.filter((user) => user === 'heavy').length;
    assert.ok(heavy >= 3 && heavy <= 6, String(heavy));
  });

  it('refuses requests of a user whose queue is full, and of no other user', () => {
    const gate = new Gate(1, true, new FakeClock());
    gate.tryEnter('noisy', 1);
    const begun: string[] = [];
    queue(gate, 'noisy', MAX_WAITING_PER_USER, begun);
    assert.equal(
      gate.wait('noisy', 1, () => undefined),
      undefined,
    );
    assert.ok(gate.wait('quiet', 1, () => undefined));
  });

  it('never starts a request that was cancelled while it waited', () => {
    const gate = new Gate(1, true, new FakeClock());
    const held = gate.tryEnter('a', 1)!;
    let begun = 0;
    const waits = [0, 1, 2].map(() => gate.wait('a', 1, () => begun++)!);
    gate.giveUp(waits[0]!);
    gate.giveUp(waits[2]!);
    assert.equal(gate.waiting, 1);
    gate.leave(held);
    gate.startNext();
    assert.equal(gate.startNext(), 0);
    assert.equal(begun, 1);
    assert.equal(gate.waiting, 0);
  });

  it('gives a request that is wider than all seats the whole share of one user', () => {
    const gate = new Gate(8, true, new FakeClock());
    const pass = gate.tryEnter('a', 100);
    assert.equal(pass?.width, 6);
  });

  it('never exceeds its seats, loses no request, and stops when idle, under any load', () => {
    const step = fc.record({
      user: fc.constantFrom('a', 'b', 'c'),
      width: fc.integer({ min: 1, max: 5 }),
      act: fc.constantFrom(
        ...['enter', 'enter', 'leave', 'giveUp', 'next', 'long', 'short', 'idle', 'out', 'back'],
      ),
      at: fc.nat(50),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(step, { maxLength: 300 }),
        (limit, steps) => {
          const gate = new Gate(limit, true, new FakeClock());
          const inside: Pass[] = [];
          const waits: NonNullable<ReturnType<Gate['wait']>>[] = [];
          let asked = 0;
          let left = 0;
          let givenUp = 0;
          for (const { user, width, act, at } of steps) {
            const before = inside.length;
            const one = inside[at % inside.length];
            if (act === 'enter') {
              asked++;
              const pass = gate.tryEnter(user, width);
              if (pass === undefined) waits.push(gate.wait(user, width, (p) => inside.push(p))!);
              else inside.push(pass);
            } else if (act === 'next') gate.startNext();
            else if (act === 'long') gate.sawRound(50);
            else if (act === 'short') gate.sawRound(1);
            else if (act === 'idle') gate.sawIdle();
            else if (act === 'out' && one !== undefined) gate.stepOut(one);
            else if (act === 'back' && one !== undefined && one.calls > 0) gate.comeBack(one);
            else if (act === 'leave' && inside.length > 0) {
              gate.leave(inside.splice(at % inside.length, 1)[0]!);
              left++;
            } else if (act === 'giveUp' && waits.length > 0) {
              const wait = waits[at % waits.length]!;
              if (wait.isOpen) givenUp++;
              gate.giveUp(wait);
            }
            const seated = inside.filter(({ place }) => place === 'seated');
            const used = seated.reduce((sum, pass) => sum + pass.width, 0);
            assert.equal(gate.used, used);
            // those who come back have seats though there may be none
            if (inside.length > before) assert.ok(used <= limit);
          }
          while (inside.length > 0 || gate.waiting > 0) {
            while (gate.startNext() > 0);
            assert.ok(inside.length > 0, 'a request waits although all seats are free');
            for (const pass of inside.splice(0)) {
              gate.leave(pass);
              left++;
            }
          }
          assert.equal(left + givenUp, asked);
        },
      ),
    );
  });

  it('has seats for others while requests wait for other servers, not more for the same user', () => {
    const gate = new Gate(8, true, new FakeClock());
    const passes = Array.from({ length: 6 }, () => gate.tryEnter('noisy', 1)!);
    for (const pass of passes) gate.stepOut(pass);
    assert.equal(gate.used, 0);
    assert.equal(gate.tryEnter('noisy', 1), undefined);
    const begun: string[] = [];
    queue(gate, 'noisy', 1, begun);
    assert.equal(gate.startNext(), 0);
    const others = ['a', 'b'].flatMap((user) => [1, 2, 3, 4].map(() => gate.tryEnter(user, 1)));
    assert.ok(others.every((pass) => pass !== undefined));
    for (const pass of passes) gate.comeBack(pass);
    assert.equal(gate.used, 14, 'what has been let in goes on');
    for (const pass of [...passes, ...others]) gate.leave(pass);
    assert.equal(gate.startNext(), 1);
    assert.deepEqual([gate.used, begun], [1, ['noisy']]);
  });

  it('counts a request once that waits for several servers, or no longer for any', () => {
    const gate = new Gate(8, true, new FakeClock());
    const pass = gate.tryEnter('a', 2)!;
    gate.stepOut(pass);
    gate.stepOut(pass);
    gate.comeBack(pass);
    assert.equal(gate.used, 0);
    gate.leave(pass);
    gate.comeBack(pass);
    gate.stepOut(pass);
    gate.comeBack(pass);
    assert.equal(gate.used, 0);
    for (let i = 0; i < 6; i++) assert.ok(gate.tryEnter('a', 1));
  });

  it('lets a user who had all of their share begin more when there are more seats', () => {
    const gate = new Gate(100, true, new FakeClock());
    const pass = gate.tryEnter('a', 1)!;
    for (let i = 0; i < 20; i++) gate.sawRound(50);
    const begun: string[] = [];
    const passes = [pass];
    queue(gate, 'a', 60, begun, passes);
    while (gate.startNext() > 0);
    assert.ok(begun.length < 10);
    for (let i = 0; i < 100; i++) {
      gate.sawIdle();
      gate.startNext();
    }
    assert.equal(begun.length, 60);
  });

  it('reads from connections of a user again when few enough of their requests wait', () => {
    const gate = new Gate(1, true, new FakeClock());
    const pass = gate.tryEnter('noisy', 1)!;
    const begun: string[] = [];
    const passes: Pass[] = [pass];
    queue(gate, 'noisy', 7, begun, passes);
    const none = new Expiring(() => assert.fail('it does not rest'));
    assert.equal(gate.rest('noisy', none), false, 'few wait already');
    assert.equal(gate.rest('quiet', none), false, 'no request waits');
    queue(gate, 'noisy', 4, begun, passes);
    let resumed = 0;
    for (let i = 0; i < 10; i++) assert.ok(gate.rest('noisy', new Expiring(() => resumed++)));
    const next = (): void => {
      gate.leave(passes.shift()!);
      assert.equal(gate.startNext(), 1);
    };
    for (let i = 0; i < 3; i++) next();
    assert.equal(resumed, 0, '8 still wait');
    next();
    assert.equal(resumed, 2);
    next();
    assert.equal(resumed, 4);
    while (gate.waiting > 0) next();
    assert.equal(resumed, 10, 'nothing waits, so nothing rests');
  });

  it('reads again from a crowd of connections some at a time, and soon from all of them', async () => {
    const clock = new FakeClock();
    const gate = new Gate(1, true, clock);
    const passes: Pass[] = [gate.tryEnter('noisy', 1)!];
    queue(gate, 'noisy', 40, [], passes);
    let resumed = 0;
    for (let i = 0; i < 200; i++) assert.ok(gate.rest('noisy', new Expiring(() => resumed++)));
    const done = (): boolean => gate.waiting === 0;
    while (!done()) {
      gate.leave(passes.shift()!);
      gate.startNext();
    }
    assert.ok(resumed > 0 && resumed < 128, String(resumed));
    // They have nothing to send, so no call follows.
    await clock.advance(100);
    assert.equal(resumed, 200);
  });
});
