import assert from 'node:assert/strict';
import { count } from '../../registry/count.ts';
import { EVERYTHING, type ListOptions } from '../../registry/list-options.ts';
import { list } from '../../registry/list.ts';
import type { Target } from '../../registry/served-resource.ts';
import { whileTimePasses } from '../support/fake-clock.ts';
import { Seeded, seeds } from '../support/seeded.ts';
import { World, type TestServer } from '../support/world.ts';

const GROUP = 'coordination.cluster.io';
const NAMESPACES = ['a', 'a-b', 'b'];
const HOLDERS = ['one', 'two', 'three', 'One', '10', '9'];

/** A question, and its answer by an evaluation that knows nothing of the server's. */
interface Field {
  readonly path: string;
  readonly read: (object: any) => any;
  readonly values: readonly string[];
}

const FIELDS: readonly Field[] = [
  { path: 'spec.holderIdentity', read: (o) => o.spec.holderIdentity, values: HOLDERS },
  {
    path: 'spec.leaseDurationSeconds',
    read: (o) => o.spec.leaseDurationSeconds,
    values: ['5', '10', '100'],
  },
  { path: 'spec.renewTime', read: (o) => o.spec.renewTime, values: [time(1), time(2)] },
  { path: 'metadata.namespace', read: (o) => o.metadata.namespace, values: NAMESPACES },
  {
    path: 'metadata.labels["example.com/team"]',
    read: (o) => o.metadata.labels?.['example.com/team'],
    values: ['x', 'y'],
  },
];

function time(second: number): string {
  return `2024-01-01T00:00:0${second}.000000Z`;
}

describe('queries against a naive evaluation', () => {
  for (const seed of seeds(2)) {
    it(`lists, pages and counts are those of one revision (seed ${seed})`, async () => {
      const random = new Seeded(seed);
      const world = new World();
      const server = await world.server();
      try {
        for (const name of NAMESPACES) await server.namespace(name);
        for (let i = 0; i < 60; i++) await write(server, random, i);
        for (let i = 0; i < 80; i++) await ask(world, server, random);
      } finally {
        await world.stop();
      }
    });
  }
});

async function write(server: TestServer, random: Seeded, i: number): Promise<void> {
  const maybe = <T>(value: T): T | undefined => (random.below(4) === 0 ? undefined : value);
  const spec = {
    holderIdentity: maybe(random.pick(HOLDERS)),
    leaseDurationSeconds: maybe(random.pick([5, 10, 100])),
    renewTime: maybe(time(random.below(4))),
  };
  const labels = maybe({ 'example.com/team': random.pick(['x', 'y']) });
  const namespace = random.pick(NAMESPACES);
  await server.create(
    GROUP,
    'leases',
    JSON.parse(JSON.stringify({ metadata: { name: `n${i}`, namespace, labels }, spec })),
  );
}

let writes = 1_000;

async function ask(world: World, server: TestServer, random: Seeded): Promise<void> {
  const tests: ((object: any) => boolean)[] = [];
  const terms: string[] = [];
  for (let i = random.below(3); i > 0; i--) {
    const { path, read, values } = random.pick(FIELDS);
    const [value, other] = [random.pick(values), random.pick(values)];
    const text = (object: any): string => String(read(object) ?? '');
    const [term, test] = random.pick<[string, (object: any) => boolean]>([
      [`${path}=${value}`, (o) => text(o) === value],
      [`${path}!=${value}`, (o) => text(o) !== value],
      [`${path} in (${value},${other})`, (o) => text(o) === value || text(o) === other],
      [`${path} notin (${value},${other})`, (o) => text(o) !== value && text(o) !== other],
      ...(path === 'metadata.namespace'
        ? []
        : ([
            [path, (o) => read(o) !== undefined],
            [`!${path}`, (o) => read(o) === undefined],
          ] as [string, (object: any) => boolean][])),
    ]);
    terms.push(term);
    tests.push(test);
  }
  const keys = Array.from({ length: random.below(4) }, () => ({
    field: random.pick(FIELDS),
    descending: random.below(2) === 0,
  }));
  const group = random.pick(FIELDS);
  const namespace = random.pick(['', 'a', 'b']);
  const options: ListOptions = {
    ...EVERYTHING,
    fieldSelector: terms.join(','),
    orderBy: keys
      .map(({ field, descending }) => field.path + (descending ? ':desc' : ''))
      .join(','),
    limit: random.pick([0, 1, 3, 7, 100]),
  };
  const target: Target = { resource: server.resource(GROUP, 'leases'), namespace, name: '' };
  const all: any[] = await now(server);
  const expected = all
    .filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    .filter((object) => tests.every((test) => test(object)))
    .sort((a, b) => naiveOrder(keys, a, b));
  const what = JSON.stringify({ namespace, ...options });

  const counted = await whileTimePasses(
    world.clock,
    count(server.parts, target, options, { groupBy: group.path }),
  );
  assert.equal(counted.count, expected.length, what);
  assert.deepEqual(
    new Map(counted.groups!.map(({ value, count: of }) => [value, of])),
    naiveGroups(expected, group),
    what,
  );
  const plain = await whileTimePasses(
    world.clock,
    count(server.parts, target, options, { groupBy: '' }),
  );
  assert.equal(plain.count, expected.length, what);

  const found: string[] = [];
  let continueToken = '';
  do {
    const page = await whileTimePasses(
      world.clock,
      list(server.parts, target, { ...options, continueToken }),
    );
    for await (const entries of page.chunks) found.push(...entries.map(({ key }) => key));
    continueToken = page.continueToken;
    if (continueToken !== '' && page.remaining !== undefined) {
      assert.equal(page.remaining, expected.length - found.length, what);
    }
    if (continueToken !== '' && options.orderBy !== '') assert.notEqual(page.remaining, undefined);
    // the pages that follow must not see it
    if (continueToken !== '' && random.below(3) === 0) await write(server, random, writes++);
  } while (continueToken !== '');
  const keysOf = expected.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(
    options.orderBy === '' ? found.toSorted() : found,
    options.orderBy === '' ? keysOf.toSorted() : keysOf,
    what,
  );
}

async function now(server: TestServer): Promise<any[]> {
  const { items } = await server.parts.store.list({ prefix: `${GROUP}/leases/`, limit: 10_000 });
  return items.map(({ value }) => JSON.parse(value.toString()));
}

function naiveOrder(
  keys: readonly { field: Field; descending: boolean }[],
  a: any,
  b: any,
): number {
  for (const { field, descending } of keys) {
    const [x, y] = [field.read(a), field.read(b)];
    if (x === y) continue;
    if (x === undefined) return 1;
    if (y === undefined) return -1;
    return x < y !== descending ? -1 : 1;
  }
  const [p, q] = [a, b].map(({ metadata }) => [metadata.namespace, metadata.name]);
  if (p![0] !== q![0]) return p![0] < q![0] ? -1 : 1;
  return p![1] < q![1] ? -1 : 1;
}

function naiveGroups(objects: readonly any[], { read }: Field): Map<unknown, number> {
  const groups = new Map<unknown, number>();
  for (const object of objects) {
    const value = read(object) ?? null;
    groups.set(value, (groups.get(value) ?? 0) + 1);
  }
  return groups;
}
