import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seeded } from '../support/seeded.ts';
import { check } from './checker/check.ts';
import { PLANTED } from './checker/planted.ts';
import type { Run } from './checker/simulated.ts';
import { ChaosCluster } from './cluster/cluster.ts';
import { FAULTS } from './cluster/faults.ts';
import { round } from './round.ts';

// Containers are removed by the test itself.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

/** `npm run test:chaos -- --minutes=60`, or PLINTH_CHAOS_MINUTES; without it one round of all faults. */
const MINUTES = Number(
  process.argv.find((arg) => arg.startsWith('--minutes='))?.split('=')[1] ??
    process.env['PLINTH_CHAOS_MINUTES'] ??
    0,
);
/** PLINTH_CHAOS_SEED repeats the order of faults and the traffic of a run. */
const SEED = Number(process.env['PLINTH_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** PLINTH_CHAOS_FAULTS=clock: only faults of which the name matches. */
const ONLY = new RegExp(process.env['PLINTH_CHAOS_FAULTS'] ?? '');
const ROUND_MINUTES = 8;
const say = (text: string): void => console.log(`    ${text}`);

describe('three members of etcd and two servers', function () {
  this.timeout((MINUTES + 2 * ROUND_MINUTES) * 60_000);
  let cluster: ChaosCluster;
  before(async () => {
    cluster = await ChaosCluster.start();
  });
  after(() => cluster.dispose());

  it('keep their guarantees under faults', async () => {
    const end = performance.now() + MINUTES * 60_000;
    for (let seed = SEED; seed === SEED || performance.now() < end; seed++) {
      say(`seed ${seed} (repeat with PLINTH_CHAOS_SEED=${seed})`);
      const faults = shuffled(
        Object.entries(FAULTS).filter(([name]) => ONLY.test(name)),
        seed,
      );
      const { truth, history, summary, healedMs } = await round(cluster, faults, { seed, say });
      say(summary);
      const violations = check(truth, history);
      if (violations.length > 0) {
        const file = keep({ seed, violations, truth: truth.events, history });
        assert.fail(
          `seed ${seed}: ${violations.length} violations, all in ${file}; the first:\n` +
            violations
              .slice(0, 5)
              .map(({ guarantee, what }) => `  ${guarantee}: ${what}`)
              .join('\n'),
        );
      }
      assert.equal(healedMs.size, faults.length);
      assert.ok(truth.events.length > 100 * faults.length, 'there was traffic');
      assertPlantedAreFound({ truth, history }, seed);
    }
  });
});

/** In this very history the checker would have found what it has to find. */
function assertPlantedAreFound(run: Run, seed: number): void {
  for (const [fault, plant] of Object.entries(PLANTED)) {
    const faulty = plant(run, new Seeded(seed));
    assert.ok(faulty !== undefined, `no place for it: ${fault}`);
    assert.notEqual(check(faulty.truth, faulty.history).length, 0, `not found: ${fault}`);
  }
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = new Seeded(seed);
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

function keep(what: object): string {
  const file = join(mkdtempSync(join(tmpdir(), 'plinth-chaos-')), 'history.json');
  writeFileSync(
    file,
    JSON.stringify(
      what,
      (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
      1,
    ),
  );
  return file;
}
