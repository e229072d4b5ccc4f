import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seeded } from '../support/seeded.ts';
import { check } from './checker/check.ts';
import type { Violation } from './checker/history.ts';
import { PLANTED } from './checker/planted.ts';
import type { Run } from './checker/simulated.ts';
import { ChaosCluster } from './cluster/cluster.ts';
import { differing } from './cluster/comparisons.ts';
import { FAULTS, type Fault } from './cluster/faults.ts';
import { assertSteady, footprint, type Footprint } from './cluster/footprint.ts';
import { round } from './round.ts';

// Containers are removed by the test itself.
process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';

/** `npm run test:chaos -- --minutes=60`, or PLINTH_CHAOS_MINUTES; without it one round of all faults. */
const MINUTES = Number(
  process.argv.find((arg) => arg.startsWith('--minutes='))?.split('=')[1] ??
    process.env['PLINTH_CHAOS_MINUTES'] ??
    0,
);
/** Half of the time for all faults, half for those that leave the servers running. */
const HALF_MS = (MINUTES / 2) * 60_000;
/** PLINTH_CHAOS_SEED repeats the order of faults and the traffic of a run. */
const SEED = Number(process.env['PLINTH_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** PLINTH_CHAOS_FAULTS=clock: only faults of which the name matches. */
const ONLY = new RegExp(process.env['PLINTH_CHAOS_FAULTS'] ?? '');
const ROUND_MINUTES = 8;
/** Faults after which a server has another process, with new memory and files. */
const RESTARTING = /^(a|both) servers? (is|are) (killed|stopped)/;
/** Rounds of the second half when no time is given, and how many faults each has. */
const SHORT_ROUNDS = 4;
const SHORT_ROUND_FAULTS = 3;

/** What the checker calls the violations of each guarantee of docs/guarantees.md. */
const JUDGED: Readonly<Record<string, readonly string[]>> = {
  'G1: reads and writes of an object are linearizable': [
    'reads are linearizable',
    'writes are linearizable',
    'a read shows what was written',
    'a refusal is justified',
    'nothing shows the future',
  ],
  'G2: a plain list is a linearizable snapshot': [
    'lists are linearizable',
    'a list is the state at its revision',
  ],
  'G3: all pages of a list are of one revision': ['all pages of a list are of one revision'],
  'G4, G5, G7, G9: a watch is the history through its selector, over all servers': [
    'a watch is the history, in order, complete, without repeats',
    'a stream of many keeps the order of the log',
    'a watch delivers',
  ],
  'G6, G8: a bookmark arrives only after all events that it covers': [
    'a bookmark overtakes nothing',
  ],
  'G10: an acknowledged write is never lost': [
    'no acknowledged write is lost',
    'an answer tells its revision',
    'a write stays at its key',
    'nothing happens by itself',
  ],
  'G11: a conditional write happens once, and only on its condition': [
    'a write happens once',
    'a conditional write keeps its condition',
    'what was refused does not happen',
  ],
  'G28: every server shows exactly what etcd holds': ['replicas are equal to the store'],
};
const say = (text: string): void => console.log(`    ${text}`);

describe('three members of etcd and two servers', function () {
  this.timeout((MINUTES + 2 * ROUND_MINUTES) * 60_000);
  let cluster: ChaosCluster;
  before(async () => {
    cluster = await ChaosCluster.start();
  });
  after(() => cluster.dispose());

  const found: (Violation & { seed: number; file: string })[] = [];
  const leftRunning = new Map<string, Footprint[]>();

  /** One round, judged. Nothing after the first violation: what comes of it would be blamed, too. */
  async function judgedRound(faults: readonly NamedFault[], seed: number): Promise<void> {
    assert.equal(found.length, 0, 'there are violations already');
    say(`seed ${seed} (repeat with PLINTH_CHAOS_SEED=${seed})`);
    const { truth, history, summary, healedMs } = await round(cluster, faults, { seed, say });
    say(summary);
    const violations = [...check(truth, history), ...(await differing(cluster))];
    if (violations.length > 0) {
      const file = keep({ seed, violations, truth: truth.events, history });
      for (const violation of violations) found.push({ ...violation, seed, file });
    }
    assert.equal(healedMs.size, faults.length);
    assert.ok(truth.events.length > 100 * faults.length, 'there was traffic');
    if (violations.length === 0) assertPlantedAreFound({ truth, history }, seed);
  }
  const faultsOf = (seed: number): NamedFault[] =>
    shuffled(
      Object.entries(FAULTS).filter(([name]) => ONLY.test(name)),
      seed,
    );

  it('go on and heal under all faults', async () => {
    const end = performance.now() + HALF_MS;
    for (let seed = SEED; seed === SEED || performance.now() < end; seed++) {
      await judgedRound(faultsOf(seed), seed);
      if (found.length > 0) break;
    }
  });

  it('go on and heal under faults that leave the servers running', async () => {
    const end = performance.now() + HALF_MS;
    const first = SEED + 1_000_000;
    for (let i = 0; i < SHORT_ROUNDS || performance.now() < end; i++) {
      const faults = faultsOf(first + i).filter(([name]) => !RESTARTING.test(name));
      await judgedRound(MINUTES > 0 ? faults : faults.slice(0, SHORT_ROUND_FAULTS), first + i);
      for (const plinth of cluster.plinths) {
        const before = leftRunning.get(plinth.name) ?? [];
        leftRunning.set(plinth.name, [...before, await footprint(plinth)]);
      }
      if (found.length > 0) break;
    }
  });

  for (const [guarantee, names] of Object.entries(JUDGED)) {
    it(guarantee, () => {
      assert.notEqual(leftRunning.size, 0, 'no round has come to its end');
      const broken = found.filter((violation) => names.includes(violation.guarantee));
      const told = broken.slice(0, 5).map(({ what }) => `  ${what}`);
      const { seed, file } = broken[0] ?? {};
      assert.equal(broken.length, 0, `seed ${seed}, all in ${file}:\n${told.join('\n')}`);
    });
  }

  it('G29: memory and open files of the servers stay constant', () => {
    for (const [name, samples] of leftRunning) {
      say(`${name}: ${samples.map(({ mib, files }) => `${mib} MiB, ${files} files`).join('; ')}`);
      assertSteady(name, samples);
    }
    assert.equal(leftRunning.size, cluster.plinths.length);
  });

  it('has a guarantee for everything that the checker found', () => {
    const names = Object.values(JUDGED).flat();
    assert.deepEqual(
      found.filter(({ guarantee }) => !names.includes(guarantee)),
      [],
    );
  });
});

type NamedFault = readonly [string, Fault];

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
