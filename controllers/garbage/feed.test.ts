import assert from 'node:assert/strict';
import { encodeStored } from '../../storage/stored-bytes.ts';
import { FakeClock, whileTimePasses } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { Replica } from '../../watch/replica.ts';
import { GraphFeed } from './feed.ts';
import { DependencyGraph } from './graph.ts';

const OBJECTS = 4_500;

describe('feed of the dependency graph', () => {
  it('loads everything after it was interrupted', async () => {
    const store = new MemoryStore();
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
    await store.batch(
      Array.from({ length: OBJECTS }, (_, i) => ({
        op: 'create' as const,
        key: `things.example.com/things/o${i}`,
        value: encodeStored({
          apiVersion: 'v1',
          kind: 'Thing',
          metadata: { name: `o${i}`, uid: `uid-${i}`, ownerReferences },
        }),
      })),
    );
    const clock = new FakeClock();
    const replica = new Replica({ store, clock });
    await whileTimePasses(clock, replica.start());
    const graph = new DependencyGraph();
    const feed = new GraphFeed(replica, graph);
    const ignore = (): void => undefined;
    await assert.rejects(feed.feed(ignore, AbortSignal.abort(new Error('too slow'))), /too slow/);
    await feed.feed(ignore, new AbortController().signal);
    assert.equal(graph.size, OBJECTS);
    await replica.stop();
  });
});
