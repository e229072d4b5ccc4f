import assert from 'node:assert/strict';
import { count } from '../../registry/count.ts';
import { EVERYTHING, type ListOptions } from '../../registry/list-options.ts';
import { list } from '../../registry/list.ts';
import type { Target } from '../../registry/served-resource.ts';
import { whileTimePasses } from '../support/fake-clock.ts';
import { Seeded, seeds } from '../support/seeded.ts';
import { NAMESPACES, randomLease, randomQuestion } from './naive.ts';
import { World, type TestServer } from '../support/world.ts';

const GROUP = 'coordination.cluster.io';

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
  const { labels, spec } = randomLease(random);
  const namespace = random.pick(NAMESPACES);
  await server.create(
    GROUP,
    'leases',
    JSON.parse(JSON.stringify({ metadata: { name: `n${i}`, namespace, labels }, spec })),
  );
}

let writes = 1_000;

async function ask(world: World, server: TestServer, random: Seeded): Promise<void> {
  const question = randomQuestion(random);
  const namespace = random.pick(['', 'a', 'b']);
  const options: ListOptions = {
    ...EVERYTHING,
    fieldSelector: question.fieldSelector,
    filter: question.filter,
    orderBy: question.orderBy,
    limit: random.pick([0, 1, 3, 7, 100]),
  };
  const target: Target = { resource: server.resource(GROUP, 'leases'), namespace, name: '' };
  const all: any[] = await now(server);
  const expected = question.answer(
    all.filter(({ metadata }) => namespace === '' || metadata.namespace === namespace),
  );
  const what = JSON.stringify({ namespace, ...options });

  const counted = await whileTimePasses(
    world.clock,
    count(server.parts, target, options, { groupBy: question.groupBy }),
  );
  assert.equal(counted.count, expected.length, what);
  assert.deepEqual(
    new Map(counted.groups!.map(({ value, count: of }) => [value, of])),
    question.groups(expected),
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
      Promise.resolve(list(server.parts, target, { ...options, continueToken })),
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
