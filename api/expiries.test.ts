import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FakeClock } from '../test/support/fake-clock.ts';
import { Expiries, Expiring } from './expiries.ts';

const MS = 100;

type Step = { readonly op: 'add' | 'delete'; readonly item: number } | { readonly wait: number };

const item = fc.integer({ min: 0, max: 5 });
const steps = fc.array(
  fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'delete' as const), item }),
    fc.record({ wait: fc.integer({ min: 1, max: 150 }) }),
    fc.constant('shift' as const),
  ),
);

describe('Expiries', () => {
  it('expire each entry once, in order, after its full time', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all: (Step | 'shift')[]) => {
        const clock = new FakeClock();
        const seen: [number, number][] = [];
        const expiries = new Expiries(clock, MS);
        const items = Array.from(
          { length: 6 },
          (_, one) => new Expiring(() => seen.push([one, clock.monotonic()])),
        );
        const expected: [number, number][] = [];
        let model: { one: number; end: number }[] = [];
        const without = (one: number): typeof model => model.filter((entry) => entry.one !== one);
        for (const step of all) {
          if (step === 'shift') {
            const first = model.shift();
            assert.equal(expiries.shift(), first && items[first.one]);
          } else if ('wait' in step) {
            const until = clock.monotonic() + step.wait;
            for (const { one, end } of model) if (end <= until) expected.push([one, end]);
            model = model.filter(({ end }) => end > until);
            await clock.advance(step.wait);
          } else {
            model = without(step.item);
            if (step.op === 'delete') expiries.delete(items[step.item]!);
            else {
              expiries.add(items[step.item]!);
              model.push({ one: step.item, end: clock.monotonic() + MS });
            }
          }
        }
        assert.deepEqual(seen, expected);
      }),
    );
  });

  it('give entries added during an expiry their full time', async () => {
    const clock = new FakeClock();
    const ends: number[] = [];
    const expiries = new Expiries(clock, MS);
    const note = (): void => void ends.push(clock.monotonic());
    const again = new Expiring(note);
    const first = new Expiring(() => {
      note();
      expiries.add(again);
    });
    const from = clock.monotonic();
    expiries.add(first);
    await clock.advance(10);
    expiries.add(new Expiring(note));
    await clock.advance(300);
    assert.deepEqual(
      ends.map((end) => end - from),
      [100, 110, 200],
    );
  });

  it('leave their list when they are added to another one', async () => {
    const clock = new FakeClock();
    const [one, two] = [new Expiries(clock, MS), new Expiries(clock, MS)];
    const items = Array.from({ length: 3 }, () => new Expiring(() => undefined));
    for (const item of items) one.add(item);
    const [first, middle, last] = items as [Expiring, Expiring, Expiring];
    two.add(last);
    two.add(first);
    one.delete(first);
    assert.equal(one.shift(), middle);
    assert.equal(one.shift(), undefined);
    assert.equal(two.shift(), last);
    assert.equal(two.shift(), first);
    assert.equal(two.shift(), undefined);
    await clock.advance(MS);
  });
});
