import { setMaxListeners } from 'node:events';
import { Seeded } from '../support/seeded.ts';
import type { View } from './checker/history.ts';
import type { Run } from './checker/simulated.ts';
import type { ChaosCluster } from './cluster/cluster.ts';
import type { Fault, Surroundings } from './cluster/faults.ts';
import { TruthCollector } from './cluster/truth-collector.ts';
import { Actor } from './traffic/actor.ts';
import type { ClientOptions } from './traffic/client.ts';
import { Http } from './traffic/http.ts';
import {
  COLLECTION,
  COLORS,
  DEFINITIONS,
  NAMESPACE,
  NOTE_DEFINITION,
  STORE_PREFIX,
  type Choose,
} from './traffic/place.ts';
import { Recorder } from './traffic/recorder.ts';
import { UnionObserver } from './traffic/union-observer.ts';
import { ViewObserver } from './traffic/view-observer.ts';

const ACTORS = 8;
const OBSERVERS: readonly View[] = [
  ...[undefined, ...COLORS, undefined, undefined, ...COLORS, undefined].map((color) => ({ color })),
  ...COLORS.map((color) => ({ color, by: 'filter' }) as const),
  { color: 'red', by: 'fieldSelector' },
  { color: undefined, colorOnly: true },
];
/** Subscriptions of one stream. */
const UNION: readonly View[] = [{ color: 'red', by: 'filter' }, { color: undefined }];
const CALM_MS = 2_000;
/** From the moment when nothing is broken any more until everything works again. */
const HEAL_MS = 60_000;
const COLLECT_MS = 5_000;

interface RoundResult extends Run {
  readonly summary: string;
  /** How long the cluster took to serve again after each fault. */
  readonly healedMs: ReadonlyMap<string, number>;
}

/** One run of traffic under faults, and what all clients saw of it. */
export async function round(
  cluster: ChaosCluster,
  faults: readonly (readonly [string, Fault])[],
  { seed, say }: { seed: number; say: (text: string) => void },
): Promise<RoundResult> {
  const random = new Seeded(seed);
  const recorder = new Recorder();
  const truth = new TruthCollector(cluster, STORE_PREFIX);
  await prepare(cluster);
  await truth.begin();

  const choose =
    (own: Seeded): Choose =>
    () =>
      cluster.url(own.pick(cluster.plinths));
  const options = (n: number): ClientOptions => {
    const own = new Seeded(seed + n);
    return { random: own, choose: choose(own), recorder };
  };
  const actors = Array.from({ length: ACTORS }, (_, i) => new Actor(`actor-${i}`, options(i + 1)));
  const observers = [
    ...OBSERVERS.map((view, i) => new ViewObserver(`observer-${i}`, view, options(100 + i))),
    new UnionObserver('union', UNION, options(200)),
  ];
  const followed = observers.flatMap(({ views }) => views);
  const [acting, observing] = [new AbortController(), new AbortController()];
  setMaxListeners(observers.length, observing.signal);
  const acts = actors.map((actor) => actor.run(acting.signal));
  const watches = observers.map((observer) => observer.run(observing.signal));

  // What the server's own compaction cuts is written down before.
  let busy: Promise<unknown> = Promise.resolve();
  const locked = <T>(action: () => Promise<T>): Promise<T> => {
    const turn = busy.then(action, action);
    busy = turn.catch(() => undefined);
    return turn;
  };
  const collect = (): Promise<bigint> => locked(() => truth.collect());
  let collecting = false;
  const collector = setInterval(() => {
    if (collecting) return;
    collecting = true;
    // What cannot be had now is had the next time.
    void collect()
      .catch(() => undefined)
      .then(() => (collecting = false));
  }, COLLECT_MS);
  const healedMs = new Map<string, number>();
  try {
    await sleep(CALM_MS);
    const around: Surroundings = { cluster, collect, random };
    for (const [name, fault] of faults) {
      await fault(around).catch((error: unknown) => {
        throw new Error(`while ${name}`, { cause: error });
      });
      const ms = await healed(cluster);
      healedMs.set(name, ms);
      say(`${name}; all serve again after ${Math.round(ms)} ms`);
      await sleep(CALM_MS);
    }
    clearInterval(collector);
    acting.abort();
    await Promise.all(acts);
    // The last writes: a watch that has seen them has seen everything.
    const last = new Actor('last', options(999));
    const names = COLORS.map((color) => ({ color, key: `last-${color}` }));
    for (const { key, color } of names) await last.insist(key, color);
    const sawAll = (): boolean =>
      followed.every(({ view, seen }) =>
        names.every(
          ({ key, color }) =>
            (view.color ?? color) !== color || [...seen].some((name) => name.startsWith(key)),
        ),
      );
    // The checker finds watches that have not seen them when time is up.
    for (const end = performance.now() + HEAL_MS; !sawAll() && performance.now() < end;) {
      await sleep(100);
    }
    observing.abort();
    await Promise.all(watches);
  } finally {
    // Also after a failure: they try again for as long as they are not told to stop.
    clearInterval(collector);
    acting.abort();
    observing.abort();
    await Promise.allSettled([...acts, ...watches]);
  }
  await busy;
  return {
    truth: await truth.finish(),
    history: recorder,
    summary: recorder.summary(),
    healedMs,
  };
}

/** An empty namespace for the objects of this run. */
async function prepare(cluster: ChaosCluster): Promise<void> {
  const http = new Http(10_000);
  const url = cluster.url(cluster.plinths[0]!);
  await http.send(`${url}/api/v1/namespaces`, 'POST', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  await http.send(`${url}${DEFINITIONS}`, 'POST', NOTE_DEFINITION);
  http.close();
  await healed(cluster);
  const cleaner = new Http(30_000);
  await cleaner.send(`${url}${COLLECTION}`, 'DELETE');
  cleaner.close();
}

/** Waits until every server answers a linearizable list. @returns milliseconds */
async function healed(cluster: ChaosCluster): Promise<number> {
  const begin = performance.now();
  const http = new Http(2_000);
  try {
    for (const plinth of cluster.plinths) {
      for (;;) {
        if (performance.now() - begin > HEAL_MS) {
          throw new Error(`${plinth.name} does not serve again\n${await cluster.logs()}`);
        }
        await cluster.refreshAddresses();
        const answer = await http
          .send(`${cluster.url(plinth)}${COLLECTION}?limit=1`, 'GET')
          .catch(() => undefined);
        if (answer?.status === 200) break;
        await sleep(50);
      }
    }
  } finally {
    http.close();
  }
  return performance.now() - begin;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
