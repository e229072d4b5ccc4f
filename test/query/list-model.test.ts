import assert from 'node:assert/strict';
import { MERGE, patched } from '../support/custom.ts';
import { administer } from '../support/etcd-admin.ts';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';
import { Seeded, seeds } from '../support/seeded.ts';
import { NAMESPACES, randomLease, randomQuestion, type Question } from './naive.ts';

const GROUPS = ['/apis/coordination.cluster.io/v1', '/apis/coordination.k8s.io/v1'];
const OBJECTS = 60;
const QUESTIONS = 60;

const keyOf = ({ metadata }: any): string => `${metadata.namespace}/${metadata.name}`;

class World {
  readonly #plinth: Plinth;
  readonly #random: Seeded;

  constructor(plinth: Plinth, seed: number) {
    this.#plinth = plinth;
    this.#random = new Seeded(seed);
  }

  async fill(): Promise<void> {
    for (const name of NAMESPACES) {
      const { status } = await this.#plinth.send('POST', '/api/v1/namespaces', {
        metadata: { name },
      });
      assert.equal(status, 201);
    }
    for (let i = 0; i < OBJECTS; i++) await this.write();
  }

  /** Creates an object, or changes one. */
  async write(): Promise<void> {
    const namespace = this.#random.pick(NAMESPACES);
    const path = `${GROUPS[0]}/namespaces/${namespace}/leases`;
    const name = `n${this.#random.below(OBJECTS)}`;
    const { labels, spec } = randomLease(this.#random);
    const body = { metadata: { name, labels }, spec };
    const { status } = await this.#plinth.send('POST', path, body);
    if (status === 201) return;
    assert.equal((await patched(this.#plinth, `${path}/${name}`, MERGE, { spec })).status, 200);
  }

  async #json(path: string, query: Record<string, string>): Promise<any> {
    const asked = `${path}?${new URLSearchParams(query).toString()}`;
    const { status, json, text } = await this.#plinth.get(asked);
    assert.equal(status, 200, `${asked}: ${text}`);
    return json;
  }

  /** A random question in pages, with writes between them, and its numbers. */
  async ask(): Promise<void> {
    const random = this.#random;
    const question = randomQuestion(random);
    const scope = random.pick(['', '/namespaces/a', '/namespaces/b']);
    const path = `${random.pick(GROUPS)}${scope}/leases`;
    const { fieldSelector, filter, orderBy } = question;
    // the leases of the server itself come and go, and are not asked for
    const system = 'metadata.namespace notin (cluster-system,kube-node-lease,cluster-node-lease)';
    const selector = [fieldSelector, system].filter((text) => text !== '').join(',');
    const query = { fieldSelector: selector, filter, orderBy };
    const found: any[] = [];
    const remaining: [number, number][] = [];
    let revision = '';
    let token = '';
    const limit = random.pick(['0', '1', '4', '9', '500']);
    do {
      const page = await this.#json(path, {
        ...query,
        limit,
        ...(token === '' ? {} : { continue: token }),
      });
      revision ||= page.metadata.resourceVersion;
      assert.equal(page.metadata.resourceVersion, revision, 'all pages are of one revision');
      found.push(...page.items);
      token = page.metadata.continue ?? '';
      if (page.metadata.remainingItemCount !== undefined) {
        remaining.push([found.length, page.metadata.remainingItemCount]);
      }
      if (random.below(3) === 0) await this.write();
    } while (token !== '');
    const at = { resourceVersion: revision, resourceVersionMatch: 'Exact' };
    const expected = await this.#expected(question, path, at);
    const what = JSON.stringify({ path, limit, ...query });
    const order = (objects: readonly any[]): any[] =>
      orderBy === '' ? objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : [...objects];
    assert.deepEqual(order(found).map(keyOf), order(expected).map(keyOf), what);
    assert.deepEqual(order(found), order(expected), what);
    for (const [seen, left] of remaining) assert.equal(left, expected.length - seen, what);

    const { groupBy } = question;
    const counted = await this.#json(path, { ...query, ...at, count: 'true' });
    assert.deepEqual(
      [counted.count, counted.metadata.resourceVersion],
      [expected.length, revision],
    );
    const grouped = await this.#json(path, { ...query, ...at, groupBy });
    assert.deepEqual(
      new Map(grouped.groups.map(({ value, count }: any) => [value, count])),
      question.groups(expected),
      what,
    );
  }

  async #expected(question: Question, path: string, at: Record<string, string>): Promise<any[]> {
    const { items } = await this.#json(path, at);
    return question.answer(
      items.filter(({ metadata }: any) => NAMESPACES.includes(metadata.namespace)),
    );
  }
}

async function pagesAfterCompaction(plinth: Plinth, etcd: TestEtcd): Promise<void> {
  const path = `${GROUPS[0]}/leases?fieldSelector=metadata.namespace%3Da&orderBy=metadata.name:desc`;
  const first = await plinth.get(`${path}&limit=2`);
  const token = first.json.metadata.continue;
  const last = first.json.items.at(-1).metadata.name;
  await plinth.stop();
  await administer(etcd, async (client) => {
    const { header } = await client.put('/elsewhere').value('x');
    await client.kv.compact({ revision: header.revision });
  });
  await plinth.start();
  const late = await plinth.get(`${path}&limit=2&continue=${token}`);
  assert.deepEqual([late.status, late.json.reason], [410, 'Expired'], late.text);
  const rest = await plinth.get(`${path}&continue=${late.json.metadata.continue}`);
  assert.equal(rest.status, 200, rest.text);
  const names = (reply: any): string[] =>
    reply.json.items.map(({ metadata }: any) => metadata.name);
  const all = names(await plinth.get(path));
  assert.deepEqual(names(rest), all.slice(all.indexOf(last) + 1), 'it goes on in the order');
}

describe('G31: queries over HTTP equal a naive evaluation at the same revision', function () {
  for (const seed of seeds(2)) {
    it(`on the embedded store, seed ${seed}`, async () => {
      const plinth = await Plinth.start();
      try {
        const world = new World(plinth, seed);
        await world.fill();
        for (let i = 0; i < QUESTIONS; i++) await world.ask();
      } finally {
        await plinth.dispose();
      }
    });

    it(`on etcd, whose compaction ends pages in order, seed ${seed}`, async () => {
      const etcd = await TestEtcd.start();
      const plinth = await Plinth.start({
        args: ['--etcd-servers', etcd.url, '--etcd-compaction-interval', '0'],
      });
      try {
        const world = new World(plinth, seed);
        await world.fill();
        for (let i = 0; i < QUESTIONS; i++) await world.ask();
        await pagesAfterCompaction(plinth, etcd);
      } finally {
        await plinth.dispose();
        await etcd.dispose();
      }
    });
  }
});
