import assert from 'node:assert/strict';
import { eventually } from '../test/support/plinth.ts';
import { World } from '../test/support/world.ts';
import type { Entry } from '../watch/entry.ts';
import { EVERYTHING } from './list-options.ts';
import type { ListResult } from './list-result.ts';
import { list } from './list.ts';
import { MAX_AT_ONCE } from './page-at-once.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';

/** Names of each namespace; they are created out of order. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  a: ['n1', 'n0', 'n12', 'n2'],
  'a-b': ['only'],
  b: ['y', 'x', 'z'],
};

/** So many are indexed. */
const INDEXED = 550;

describe('a list that is taken at once', () => {
  let parts: RegistryParts;
  let target: Target;

  before(async () => {
    const server = await new World().server();
    for (const [namespace, names] of Object.entries(NAMES)) {
      await server.namespace(namespace);
      for (const name of names) {
        await server.create('coordination.cluster.io', 'leases', { metadata: { name, namespace } });
      }
    }
    parts = server.parts;
    const resource = server.resource('coordination.cluster.io', 'leases');
    target = { resource, namespace: '', name: '' };
  });

  const keysIn = (namespace: string): string[] =>
    Object.entries(NAMES)
      .filter(([name]) => namespace === '' || namespace === name)
      .flatMap(([name, names]) => names.map((of) => `${name}/${of}`))
      .sort();

  /** A page of what is at hand: it has no promise. */
  function pageNow(of: Target, limit: number): ListResult {
    const resourceVersion = String(parts.reader.replica.revision);
    const options = { ...EVERYTHING, limit, resourceVersion, resourceVersionMatch: 'NotOlderThan' };
    const page = list(parts, of, options);
    assert.ok(!(page instanceof Promise), `a page of ${limit} is a promise`);
    return page;
  }

  async function keysOf({ chunks }: ListResult): Promise<string[]> {
    const entries: Entry[] = [];
    for await (const chunk of chunks) entries.push(...chunk);
    return entries.map(({ key }) => key);
  }

  for (const namespace of ['', 'a', 'a-b', 'b', 'empty']) {
    it(`holds the first of ${namespace || 'all namespaces'}, and says how many are left`, async () => {
      const of = { ...target, namespace };
      const all = keysIn(namespace);
      for (let limit = 0; limit <= all.length + 1; limit++) {
        const page = pageNow(of, limit);
        const size = limit === 0 ? all.length : limit;
        const left = Math.max(0, all.length - size);
        assert.deepEqual(await keysOf(page), all.slice(0, size), `limit ${limit}`);
        assert.deepEqual(
          page.items?.().map(({ key }) => key),
          all.slice(0, size),
        );
        assert.equal(page.revision, parts.reader.replica.revision);
        assert.equal(page.remaining, left === 0 ? undefined : left, `limit ${limit}`);
        assert.equal(page.continueToken === '', left === 0, `limit ${limit}`);
        if (left === 0) continue;
        const rest = await list(parts, of, { ...EVERYTHING, continueToken: page.continueToken });
        assert.deepEqual(await keysOf(rest), all.slice(size), `behind limit ${limit}`);
      }
    });
  }

  it('is gone through in turns where it has more objects than are taken at once', async () => {
    const server = await new World().server();
    await server.namespace('many');
    for (let i = 0; i <= MAX_AT_ONCE; i++) {
      const metadata = { name: `n${String(i).padStart(4, '0')}`, namespace: 'many' };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const ofMany = { ...target, namespace: 'many' };
    const any = { ...EVERYTHING, resourceVersion: '0' };
    const whole = list(server.parts, ofMany, any);
    assert.ok(whole instanceof Promise);
    const { items, chunks } = await whole;
    assert.equal(items, undefined);
    let count = 0;
    for await (const chunk of chunks) count += chunk.length;
    assert.equal(count, MAX_AT_ONCE + 1);
  });

  it('leaves out an object that cannot be read, and names it', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    for (const name of ['x', 'y']) {
      const metadata = { name, namespace: 'a' };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const { prefix } = server.resource('coordination.cluster.io', 'leases');
    const { item } = await world.store.get(`${prefix}a/x`);
    await world.store.update(`${prefix}a/x`, Buffer.from('{'), item!.revision);
    const revision = await world.store.currentRevision();
    assert.ok(await server.parts.reader.replica.waitFor(revision, 10_000));
    const page = await list(server.parts, target, { ...EVERYTHING, resourceVersion: '0' });
    assert.deepEqual(await keysOf(page), ['a/y']);
    assert.deepEqual(page.unreadable, ['a/x']);
  });

  it('holds what a label selects once there is an index, page by page, and follows changes', async () => {
    const server = await new World().server();
    await server.namespace('a');
    const keys: string[] = [];
    for (let i = 0; i < INDEXED; i++) {
      const name = `n${String(i).padStart(4, '0')}`;
      const labels = { part: i % 25 === 0 ? 'few' : 'most', side: i % 2 === 0 ? 'left' : 'right' };
      if (i % 50 === 0) keys.push(`a/${name}`);
      const metadata = { name, namespace: 'a', labels };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const { replica } = server.parts.reader;
    const few = { ...EVERYTHING, labelSelector: 'part=few,side=left' };
    // those who ask first make the index
    await eventually(async () => {
      const any = list(server.parts, target, { ...few, resourceVersion: '0' });
      assert.deepEqual(await keysOf(await any), keys);
      return !(any instanceof Promise);
    }, 'the index is there');
    const now = (limit: number): ListResult => {
      const resourceVersion = String(replica.revision);
      const options = { ...few, limit, resourceVersion, resourceVersionMatch: 'NotOlderThan' };
      const page = list(server.parts, target, options);
      assert.ok(!(page instanceof Promise), `a page of ${limit} is a promise`);
      return page;
    };
    for (let limit = 0; limit <= keys.length + 1; limit++) {
      const page = now(limit);
      const size = limit === 0 ? keys.length : limit;
      assert.deepEqual(await keysOf(page), keys.slice(0, size), `limit ${limit}`);
      assert.equal(page.remaining, undefined);
      assert.equal(page.continueToken === '', size >= keys.length, `limit ${limit}`);
      if (page.continueToken === '') continue;
      const { continueToken } = page;
      const rest = await list(server.parts, target, { ...few, continueToken });
      assert.deepEqual(await keysOf(rest), keys.slice(size), `behind limit ${limit}`);
    }
    const metadata = { name: 'added', namespace: 'a', labels: { part: 'few', side: 'left' } };
    await server.create('coordination.cluster.io', 'leases', { metadata });
    assert.deepEqual(await keysOf(now(0)), ['a/added', ...keys]);
  });
});
