import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
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
    replica = new Replica({ store, clock });
    graph = new DependencyGraph();
    feed = new GraphFeed(replica, graph);
  });
  afterEach(() => replica.stop());

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
