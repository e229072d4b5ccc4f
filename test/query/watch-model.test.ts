import assert from 'node:assert/strict';
import { MERGE, patched } from '../support/custom.ts';
import { administer } from '../support/etcd-admin.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Seeded, seeds } from '../support/seeded.ts';
import { eventsOf, FilteredWatcher, type Change } from './filtered-watcher.ts';
import { randomLease, randomQuestion } from './naive.ts';

const PATH = '/apis/coordination.cluster.io/v1/namespaces/a/leases';
const ALIASED = PATH.replace('.cluster.io', '.k8s.io');
const WATCHERS = 12;
const NAMES = 12;
const WRITES = 60;

/** The one writer: it knows what every change was. */
class Writer {
  readonly #plinth: Plinth;
  readonly #random: Seeded;
  readonly state = new Map<string, any>();
  readonly changes: Change[] = [];

  constructor(plinth: Plinth, random: Seeded) {
    this.#plinth = plinth;
    this.#random = random;
  }

  async write(): Promise<void> {
    const name = `n${this.#random.below(NAMES)}`;
    const before = this.state.get(name);
    if (before !== undefined && this.#random.below(5) === 0) {
      const { status, text } = await this.#plinth.send('DELETE', `${PATH}/${name}`);
      assert.equal(status, 200, text);
      this.state.delete(name);
      this.changes.push({ name, before, after: undefined, revision: undefined });
      return;
    }
    const { labels, spec } = randomLease(this.#random);
    const absent = { holderIdentity: null, leaseDurationSeconds: null, renewTime: null };
    const reply =
      before === undefined
        ? await this.#plinth.send('POST', PATH, { metadata: { name, labels }, spec })
        : await patched(this.#plinth, `${PATH}/${name}`, MERGE, {
            metadata: { labels: labels ?? null },
            spec: { ...absent, ...spec },
          });
    assert.ok(reply.status < 300, reply.text);
    const after = reply.json;
    const revision = after.metadata.resourceVersion;
    // what changes nothing is not written
    if (revision === before?.metadata.resourceVersion) return;
    this.state.set(name, after);
    this.changes.push({ name, before, after, revision });
  }
}

const withoutUnknown = (seen: readonly string[], expected: readonly string[]): string[] =>
  seen.map((event, i) =>
    expected[i]?.endsWith(' *') === true ? event.replace(/ \d+$/, ' *') : event,
  );

async function settled(watchers: readonly FilteredWatcher[], changes: Change[]): Promise<void> {
  for (const { question, seen } of watchers) {
    const expected = eventsOf(question, changes);
    const what = JSON.stringify([question.fieldSelector, question.filter]);
    await eventually(() => seen.length >= expected.length, `${what}: ${expected.join('; ')}`);
    assert.deepEqual(withoutUnknown(seen, expected), expected, what);
  }
  assert.deepEqual(
    watchers.flatMap(({ violations }) => violations),
    [],
  );
}

async function overFaults(plinth: Plinth, seed: number, compact?: () => Promise<void>) {
  const random = new Seeded(seed);
  assert.equal(
    (await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'a' } })).status,
    201,
  );
  const writer = new Writer(plinth, random);
  for (let i = 0; i < WRITES / 2; i++) await writer.write();
  const watchers = Array.from({ length: WATCHERS }, (_, i) => {
    const path = i % 2 === 0 ? PATH : ALIASED;
    return new FilteredWatcher(plinth, path, randomQuestion(random));
  });
  const running = watchers.map((watcher) => watcher.run());
  const areOpen = (): boolean => watchers.every(({ isOpen }) => isOpen);
  const checkLists = (): void => {
    for (const { question, listed } of watchers) {
      const names = question
        .answer([...writer.state.values()])
        .map(({ metadata }) => metadata.name);
      assert.deepEqual(listed.toSorted(), names.toSorted(), question.filter);
    }
  };
  try {
    await eventually(areOpen, 'all watches');
    checkLists();
    writer.changes.length = 0;
    for (let i = 0; i < WRITES; i++) {
      await writer.write();
      if (random.below(4) === 0) random.pick(watchers).cut();
      if (i === WRITES / 2) {
        await plinth.stop('SIGKILL');
        await plinth.start();
      }
    }
    await settled(watchers, writer.changes);
    assert.ok(watchers.every(({ reconnects }) => reconnects > 0));
    assert.ok(watchers.every(({ lists }) => lists === 1));
    if (compact === undefined) return;

    // what they have missed is gone: they list again, and lose nothing
    await plinth.stop();
    await compact();
    await plinth.start();
    await eventually(() => areOpen() && watchers.some(({ lists }) => lists > 1), 'new lists');
    const again = watchers.filter(({ lists }) => lists > 1);
    for (const { question, listed } of again) {
      const names = question
        .answer([...writer.state.values()])
        .map(({ metadata }) => metadata.name);
      assert.deepEqual(listed.toSorted(), names.toSorted(), question.filter);
    }
    writer.changes.length = 0;
    for (let i = 0; i < WRITES / 2; i++) await writer.write();
    await settled(again, writer.changes);
  } finally {
    for (const watcher of watchers) watcher.stop();
    await Promise.all(running);
  }
}

describe('G32: watches with filters and fields are the history through them, over faults', function () {
  for (const seed of seeds(2)) {
    it(`on the embedded store, seed ${seed}`, async () => {
      const plinth = await Plinth.start();
      try {
        await overFaults(plinth, seed);
      } finally {
        await plinth.dispose();
      }
    });

    it(`on etcd, which is compacted, too, seed ${seed}`, async () => {
      const etcd = await TestEtcd.start();
      const plinth = await Plinth.start({
        args: ['--etcd-servers', etcd.url, '--etcd-compaction-interval', '0'],
      });
      try {
        await overFaults(plinth, seed, () =>
          administer(etcd, async (client) => {
            const { header } = await client.put('/elsewhere').value('x');
            await client.kv.compact({ revision: header.revision });
          }),
        );
      } finally {
        await plinth.dispose();
        await etcd.dispose();
      }
    });
  }
});
