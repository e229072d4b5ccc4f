import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openStore, type StoreOptions } from '../../storage/open.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Seeded, seeds } from '../support/seeded.ts';
import { TrueHistory, type Selected } from './history.ts';

const GROUP = '/apis/coordination.cluster.io/v1';
const PREFIX = 'coordination.cluster.io/leases/';
const NAMESPACES = ['default', 'cluster-public'];
/** A run ends when it has seen so much, however long that takes. */
const ENOUGH = { writes: 400, lists: 60, watches: 8 };

interface ListSeen {
  readonly path: string;
  readonly revision: bigint;
  readonly keys: string[];
  readonly selected: Selected;
  /** Revision that had been answered to a writer before the list was sent. */
  readonly atLeast: bigint;
}

interface WatchSeen {
  readonly after: bigint;
  readonly events: string[];
  readonly selected: Selected;
  last: bigint;
  close: () => void;
}

const everything: Selected = () => true;
const gold: Selected = (labels) => labels.tier === 'gold';

/** Concurrent writers, listers and watchers on one server; what they saw is judged by the store's own log. */
class Run {
  readonly #plinth: Plinth;
  readonly #random: Seeded;
  readonly lists: ListSeen[] = [];
  readonly watches: WatchSeen[] = [];
  readonly problems: string[] = [];
  acknowledged = 0n;
  #writes = 0;
  #running = true;

  constructor(plinth: Plinth, seed: number) {
    this.#plinth = plinth;
    this.#random = new Seeded(seed);
  }

  async go(): Promise<void> {
    const work = [
      ...Array.from({ length: 6 }, () => this.#loop(() => this.#write())),
      ...Array.from({ length: 3 }, () => this.#loop(() => this.#list())),
      this.#loop(() => this.#watch()),
    ];
    await Promise.all(work);
    const last = this.acknowledged;
    // a stream with a selector need not get the last event: a bookmarkless wait by silence would
    // prove nothing, so one more write that all watches select ends the run
    const { json } = await this.#plinth.send('POST', `${GROUP}/namespaces/default/leases`, {
      metadata: { name: 'the-end', labels: { tier: 'gold' } },
    });
    const end = BigInt(json.metadata.resourceVersion);
    assert.ok(end > last);
    await eventually(
      () => this.watches.every((w) => w.last >= end),
      'the last event at every watcher',
    );
    for (const watch of this.watches) watch.close();
  }

  /** All go on until there is enough of each, so that they are under way at the same time. */
  async #loop(step: () => Promise<void>): Promise<void> {
    try {
      while (this.#running) {
        await step();
        if (this.#hasEnough()) this.#running = false;
      }
    } finally {
      this.#running = false;
    }
  }

  #hasEnough(): boolean {
    return (
      this.#writes >= ENOUGH.writes &&
      this.lists.length >= ENOUGH.lists &&
      this.watches.length >= ENOUGH.watches
    );
  }

  #collection(): string {
    return `${GROUP}/namespaces/${this.#random.pick(NAMESPACES)}/leases`;
  }

  async #write(): Promise<void> {
    const random = this.#random;
    const collection = this.#collection();
    const name = `l${random.below(40)}`;
    const labels = random.below(2) === 0 ? { tier: 'gold' } : {};
    const dice = random.below(100);
    const reply =
      dice < 50
        ? await this.#plinth.send('POST', collection, { metadata: { name, labels } })
        : dice < 75
          ? await this.#plinth.send(
              'PATCH',
              `${collection}/${name}`,
              {
                metadata: { labels: { tier: random.below(2) === 0 ? 'gold' : null } },
                spec: { leaseTransitions: random.below(1e6) },
              },
              { 'content-type': 'application/merge-patch+json' },
            )
          : dice < 98
            ? await this.#plinth.send('DELETE', `${collection}/${name}`)
            : await this.#plinth.send('DELETE', `${collection}?labelSelector=tier%3Dgold`);
    this.#writes++;
    if (reply.status >= 500) this.problems.push(`${reply.status} ${reply.text}`);
    const revision = BigInt(reply.json?.metadata?.resourceVersion ?? 0);
    if (revision > this.acknowledged) this.acknowledged = revision;
  }

  async #list(): Promise<void> {
    const random = this.#random;
    const path = random.below(3) === 0 ? `${GROUP}/leases` : this.#collection();
    const isGold = random.below(3) === 0;
    const selector = isGold ? 'labelSelector=tier%3Dgold&' : '';
    const limit = random.below(2) === 0 ? `limit=${1 + random.below(9)}&` : '';
    const atLeast = this.acknowledged;
    const keys: string[] = [];
    let revision = '';
    let token = '';
    do {
      const { status, json } = await this.#plinth.get(
        `${path}?${selector}${limit}${token === '' ? '' : `continue=${token}`}`,
      );
      if (status !== 200) {
        this.problems.push(`list answered ${status}: ${json?.message}`);
        return;
      }
      if (revision !== '' && revision !== json.metadata.resourceVersion) {
        this.problems.push(`pages at ${revision} and ${json.metadata.resourceVersion}`);
      }
      revision = json.metadata.resourceVersion;
      for (const { metadata } of json.items) {
        keys.push(`${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`);
      }
      token = json.metadata.continue ?? '';
    } while (token !== '');
    const selected = isGold ? gold : everything;
    this.lists.push({ path, revision: BigInt(revision), keys, selected, atLeast });
  }

  async #watch(): Promise<void> {
    // one after each so many writes, so that they begin at different points of the history
    const due = (this.watches.length * ENOUGH.writes) / ENOUGH.watches;
    if (this.watches.length >= ENOUGH.watches || this.#writes < due) {
      return new Promise((resolve) => setTimeout(resolve, 5));
    }
    const isGold = this.#random.below(2) === 0;
    const path = `${GROUP}/leases`;
    const from = (await this.#plinth.get(`${path}?limit=1`)).json.metadata
      .resourceVersion as string;
    const seen: WatchSeen = {
      after: BigInt(from),
      events: [],
      selected: isGold ? gold : everything,
      last: 0n,
      close: () => undefined,
    };
    this.watches.push(seen);
    const query = `watch=1&resourceVersion=${from}${isGold ? '&labelSelector=tier%3Dgold' : ''}`;
    const { close } = await this.#plinth.watch(`${path}?${query}`, ({ type, object }) => {
      const { namespace, name, resourceVersion } = object.metadata;
      seen.events.push(`${type} ${namespace}/${name}@${resourceVersion}`);
      seen.last = BigInt(resourceVersion ?? 0);
    });
    seen.close = close;
  }
}

function judge(run: Run, truth: TrueHistory): void {
  assert.deepEqual(run.problems, []);
  for (const list of run.lists) {
    const namespace = /namespaces\/([^/]+)\//.exec(list.path)?.[1];
    const state = truth
      .stateAt(list.revision, list.selected)
      .filter((key) => namespace === undefined || key.startsWith(`${namespace}/`));
    assert.deepEqual(
      list.keys,
      state,
      `the list ${list.path} at ${list.revision} is the state at that revision`,
    );
    assert.ok(
      list.revision >= list.atLeast,
      'a list shows every write that was answered before it',
    );
  }
  for (const watch of run.watches) {
    const events = truth.eventsBetween(watch.after, watch.last, watch.selected);
    assert.deepEqual(watch.events, events, 'a stream is the store’s own history');
  }
}

async function runOn(
  args: string[],
  storeOptions: (dataDir: string) => StoreOptions,
  seed: number,
): Promise<void> {
  const plinth = await Plinth.start({ args });
  try {
    const start = BigInt((await plinth.get(`${GROUP}/leases`)).json.metadata.resourceVersion);
    const run = new Run(plinth, seed);
    await run.go();
    await plinth.stop();
    const store = await openStore(storeOptions(plinth.dataDir));
    try {
      judge(run, await TrueHistory.read(store, PREFIX, start));
    } finally {
      await store.close();
    }
  } finally {
    await plinth.dispose();
  }
}

describe('G2 G3 G4 G5 G9: lists are exact past states, streams are the store’s history, under concurrent load', function () {
  for (const seed of seeds(2)) {
    it(`on the embedded store, seed ${seed}`, () =>
      runOn([], (dataDir) => ({ kind: 'embedded', dir: join(dataDir, 'store') }), seed));

    it(`on etcd, seed ${seed}`, async () => {
      const etcd = await TestEtcd.start();
      try {
        await runOn(
          ['--etcd-servers', etcd.url],
          () => ({ kind: 'etcd', endpoints: [etcd.url] }),
          seed,
        );
      } finally {
        await etcd.dispose();
      }
    });
  }
});
