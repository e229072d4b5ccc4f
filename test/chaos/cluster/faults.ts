import type { Seeded } from '../../support/seeded.ts';
import { QUOTA_BYTES, type ChaosCluster } from './cluster.ts';
import type { Part } from './part.ts';
import { slowDisk } from './slow-disk.ts';

export interface Surroundings {
  readonly cluster: ChaosCluster;
  /** Writes the truth down. @returns the revision up to which it may be compacted */
  readonly collect: () => Promise<bigint>;
  readonly random: Seeded;
}

/** Breaks something, lets it be broken for a while, and puts it right again. */
export type Fault = (around: Surroundings) => Promise<void>;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Long enough for elections and for clients to notice. */
const HOLD_MS = 4_000;
const JUNK_BYTES = 1024 * 1024;
const HOUR_SECONDS = 3_600;
const SLOW_PULSES = 12;
/** Below and about the time after which a leader is given up (a second). */
const SYNC_DELAYS_MS = [100, 300, 1_000] as const;

async function killed(part: Part, heldMs: number): Promise<void> {
  await part.kill();
  await sleep(heldMs);
  await part.start();
}

async function paused(part: Part, heldMs: number): Promise<void> {
  await part.pause();
  try {
    await sleep(heldMs);
  } finally {
    await part.unpause();
  }
}

async function cut({ cluster }: Surroundings, part: Part): Promise<void> {
  await cluster.cut(part);
  try {
    await sleep(HOLD_MS);
  } finally {
    await cluster.join(part);
  }
}

async function compact({ cluster, collect }: Surroundings): Promise<void> {
  const revision = await collect();
  const admin = await cluster.admin();
  await admin.anywhere(async (client) => client.kv.compact({ revision: String(revision) }));
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'a server is killed': ({ cluster, random }) => killed(random.pick(cluster.plinths), 1_000),
  'both servers are killed': async ({ cluster }) => {
    await Promise.all(cluster.plinths.map((plinth) => killed(plinth, 1_000)));
  },
  'a server is stopped and started': async ({ cluster, random }) => {
    const plinth = random.pick(cluster.plinths);
    await plinth.stop();
    await plinth.start();
  },
  'a server is frozen': ({ cluster, random }) =>
    paused(random.pick(cluster.plinths), 1_000 + random.below(HOLD_MS)),
  'a server is cut from etcd': (around) => cut(around, around.random.pick(around.cluster.plinths)),
  'a follower of etcd is killed': async ({ cluster }) => {
    const { follower } = await (await cluster.admin()).roles();
    await killed(follower, HOLD_MS / 2);
  },
  'the leader of etcd is killed': async ({ cluster }) => {
    const { leader } = await (await cluster.admin()).roles();
    await killed(leader, HOLD_MS);
  },
  'all of etcd is killed': async ({ cluster }) => {
    await Promise.all(cluster.etcds.map((member) => killed(member, 500)));
  },
  'the leader of etcd is frozen': async ({ cluster, random }) => {
    const { leader } = await (await cluster.admin()).roles();
    await paused(leader, 1_000 + random.below(HOLD_MS));
  },
  'the leader of etcd is slow': async ({ cluster, random }) => {
    const { leader } = await (await cluster.admin()).roles();
    for (let i = 0; i < SLOW_PULSES; i++) {
      await paused(leader, 200 + random.below(200));
      await sleep(100);
    }
  },
  'the disk of the leader of etcd is slow': async ({ cluster, random }) => {
    const { leader } = await (await cluster.admin()).roles();
    await slowDisk(cluster, leader, { delayMs: random.pick(SYNC_DELAYS_MS), heldMs: 2 * HOLD_MS });
  },
  'the disk of a follower of etcd is slow': async ({ cluster, random }) => {
    const { follower } = await (await cluster.admin()).roles();
    await slowDisk(cluster, follower, { delayMs: random.pick(SYNC_DELAYS_MS), heldMs: HOLD_MS });
  },
  'the leader of etcd is cut off': async (around) => {
    const { leader } = await (await around.cluster.admin()).roles();
    await cut(around, leader);
  },
  'a follower of etcd is cut off': async (around) => {
    const { follower } = await (await around.cluster.admin()).roles();
    await cut(around, follower);
  },
  'history is compacted under watches': async (around) => {
    for (let i = 0; i < 5; i++) {
      await compact(around);
      await sleep(300);
    }
  },
  'history is compacted while a server is cut from etcd': async (around) => {
    const plinth = around.random.pick(around.cluster.plinths);
    await around.cluster.cut(plinth);
    try {
      await sleep(HOLD_MS / 2);
      await compact(around);
    } finally {
      await around.cluster.join(plinth);
    }
  },
  'the store is full': full,
  'the clock of a server jumps': async ({ cluster, random }) => {
    for (const hours of [1, -1, 0]) {
      cluster.moveClock(hours * (HOUR_SECONDS + random.below(HOUR_SECONDS)));
      await sleep(HOLD_MS / 2);
    }
  },
};

/** Fills etcd up to its quota, and makes room again as an operator would. */
async function full(around: Surroundings): Promise<void> {
  const admin = await around.cluster.admin();
  const junk = Buffer.alloc(JUNK_BYTES, 'x');
  const most = QUOTA_BYTES / JUNK_BYTES + 8;
  for (let i = 0; i < most; i++) {
    const result = await admin.anywhere((client) =>
      // What etcd answers is what is asked for, also when it says no.
      client
        .put(`/junk/${i}`)
        .value(junk)
        .exec()
        .then(() => 'written', String),
    );
    if (/space exceeded/.test(result)) break;
    if (i === most - 1) throw new Error(`etcd does not become full: ${result}`);
  }
  await sleep(HOLD_MS / 2);
  await admin.anywhere(async (client) => client.delete().prefix('/junk/').exec());
  await compact(around);
  await admin.everywhere((client) => client.maintenance.defragment());
  await disarm(around);
}

async function disarm({ cluster }: Surroundings): Promise<void> {
  const admin = await cluster.admin();
  await admin.anywhere(async (client) => {
    const { alarms } = await client.maintenance.alarm({ action: 'Get' });
    for (const { alarm, memberID } of alarms) {
      await client.maintenance.alarm({ action: 'Deactivate', alarm, memberID });
    }
  });
}
