import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { StoreError } from '../../storage/errors.ts';
import { encodeStored } from '../../storage/stored-bytes.ts';
import { FakeClock, settle, whileTimePasses } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { Replica } from '../../watch/replica.ts';
import { GraphFeed } from './feed.ts';
import { DependencyGraph } from './graph.ts';

const OBJECTS = 4_500;

const OWNER = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };
const NEVER = new AbortController().signal;
const ignore = (): void => undefined;

describe('feed of the dependency graph', () => {
  let store: MemoryStore;
  let replica: Replica;
  let graph: DependencyGraph;
  let feed: GraphFeed;
  const clock = new FakeClock();

  beforeEach(() => {
    store = new MemoryStore();
    store.pageSize = 1_000;
    replica = new Replica({ store, clock });
    graph = new DependencyGraph();
    feed = new GraphFeed(replica, graph);
  });
  afterEach(async () => {
    feed.close();
    await replica.stop();
  });

  async function createMany(prefix: string, count: number): Promise<void> {
    await store.batch(
      Array.from({ length: count }, (_, i) => ({
        op: 'create' as const,
        key: `${prefix}o${i}`,
        value: thing(`o${i}`, { ownerReferences: [OWNER] }),
      })),
    );
  }

  it('loads everything after it was interrupted', async () => {
    await createMany('things.example.com/things/', OBJECTS);
    await whileTimePasses(clock, replica.start());
    await assert.rejects(feed.feed(ignore, AbortSignal.abort(new Error('too slow'))), /too slow/);
    await feed.feed(ignore, NEVER);
    assert.equal(graph.size, OBJECTS);
  });

  it('shows no owner without the dependents that were there before it was marked', async () => {
    await createMany('a.example.com/dependents/', 1);
    await createMany('b.example.com/others/', 2_100);
    await createMany('c.example.com/owners/', 1);
    await whileTimePasses(clock, replica.start());
    const done = feed.feed(ignore, NEVER);
    await store.create(
      'a.example.com/dependents/late',
      thing('late', { ownerReferences: [OWNER] }),
    );
    await store.create(
      'c.example.com/owners/n',
      thing('n', { finalizers: ['orphan'], deletionTimestamp: '2024-01-01T00:00:00Z' }),
    );
    await done;
    const isMarked = graph.get('c.example.com/owners/n') !== undefined;
    assert.equal(graph.get('a.example.com/dependents/late') !== undefined, isMarked);
    assert.ok(isMarked, 'the mark came while others were read');
  });

  /** Resources whose state is asked for meanwhile. */
  async function visitedBy(act: () => Promise<void>): Promise<string[]> {
    const plain = replica.collection.bind(replica);
    const visited: string[] = [];
    replica.collection = (prefix) => {
      visited.push(prefix);
      return plain(prefix);
    };
    await act();
    replica.collection = plain;
    return visited;
  }

  it('looks at changed resources only, however many there are', async () => {
    for (let i = 0; i < 40; i++) await createMany(`r${i}.example.com/things/`, 2);
    await whileTimePasses(clock, replica.start());
    await feed.feed(ignore, NEVER);
    const affected: string[] = [];
    const key = 'r7.example.com/things/late';
    const visited = await visitedBy(async () => {
      await feed.feed(ignore, NEVER);
    });
    assert.deepEqual(visited, [], 'nothing has changed');
    await store.create(key, thing('late', { ownerReferences: [OWNER] }));
    await settle();
    assert.deepEqual(await visitedBy(() => feed.feed((id) => affected.push(id), NEVER)), [
      'r7.example.com/things/',
    ]);
    assert.deepEqual(affected, [key], 'and at the changed object only');
  });

  it('looks at everything after a reload', async () => {
    await createMany('a.example.com/things/', 2);
    await createMany('b.example.com/things/', 1);
    await whileTimePasses(clock, replica.start());
    await feed.feed(ignore, NEVER);
    await store.delete('b.example.com/things/o0', store.revision);
    replica.distrust(new StoreError('reset', 'a test says so'));
    await whileTimePasses(clock, settle());
    await clock.advance(10_000);
    assert.ok(replica.ready);
    await feed.feed(ignore, NEVER);
    assert.equal(graph.size, 2);
    assert.equal(graph.get('b.example.com/things/o0'), undefined);
  });

  it('keeps nothing of a resource that is gone', async () => {
    const key = 'things.example.com/things/o0';
    await createMany('things.example.com/things/', 1);
    await whileTimePasses(clock, replica.start());
    await feed.feed(ignore, NEVER);
    assert.equal(graph.size, 1);
    await store.delete(key, store.revision);
    await settle();
    await clock.advance(400_000);
    replica.trimHistory(() => false);
    const affected: string[] = [];
    await feed.feed((id) => affected.push(id), NEVER);
    assert.equal(graph.size, 0);
    assert.deepEqual([...replica.collections()], [], 'it is not made again');
    await createMany('things.example.com/things/', 1);
    await settle();
    await feed.feed(ignore, NEVER);
    assert.equal(graph.size, 1);
  });
});

function thing(name: string, metadata: JsonObject): Buffer {
  const apiVersion = 'things.example.com/v1';
  return encodeStored({
    apiVersion,
    kind: 'Thing',
    metadata: { name, uid: `uid-${name}`, ...metadata },
  });
}
