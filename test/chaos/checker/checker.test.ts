import assert from 'node:assert/strict';
import { Seeded, seeds } from '../../support/seeded.ts';
import { check } from './check.ts';
import { PLANTED } from './planted.ts';
import { simulate } from './simulated.ts';

const OPERATIONS = 2_000;
const PLANTS_PER_SEED = 10;
const RUNS = seeds(3).map((seed) => ({ seed, run: simulate(seed, OPERATIONS) }));

describe('the checker of histories', () => {
  it('finds nothing in the histories of a server without faults', () => {
    for (const { seed, run } of RUNS) {
      const { truth, history } = run;
      assert.ok(truth.events.length > 250, 'something happened');
      assert.deepEqual(check(truth, history), [], `seed ${seed}`);
    }
  });

  for (const [fault, plant] of Object.entries(PLANTED)) {
    it(`finds it when ${fault}`, () => {
      let planted = 0;
      for (const { seed, run } of RUNS) {
        for (let i = 0; i < PLANTS_PER_SEED; i++) {
          const faulty = plant(run, new Seeded(seed + i));
          if (faulty === undefined) continue;
          planted++;
          assert.notEqual(
            check(faulty.truth, faulty.history).length,
            0,
            `seed ${seed}, plant ${i}`,
          );
        }
      }
      assert.ok(planted >= RUNS.length, 'there was a place for it');
    });
  }

  it('finds one event that is dropped of ten thousand', () => {
    const run = simulate(RUNS[0]!.seed, 60_000);
    const frames = run.history.watches[0]!.segments[0]!.frames.length;
    assert.ok(frames > 10_000, `${frames} events`);
    const faulty = PLANTED['one event of many is dropped']!(run, new Seeded(1))!;
    assert.equal(check(faulty.truth, faulty.history).length, 1);
  });
});
