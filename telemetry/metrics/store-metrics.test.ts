import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { systemClock } from '../../api/clock.ts';
import { revisionOf } from '../../api/revision.ts';
import { StoreError } from '../../storage/errors.ts';
import type { Store, WatchBatch } from '../../storage/interface.ts';
import type { Reader } from '../../watch/reader.ts';
import type { Replica } from '../../watch/replica.ts';
import type { Watcher } from '../../watch/watcher.ts';
import { meteredStore, StoreMetrics } from './metered-store.ts';
import { registerReplicaMetrics } from './replica-metrics.ts';
import { registerStoreState } from './store-state.ts';

const REVISION = revisionOf(7n);

function linesOf(metrics: StoreMetrics): string[] {
  return metrics.families().flatMap((family) => [...family.lines()].join('').split('\n'));
}

function fakeStore(parts: Partial<Store>): Store {
  return parts as Store;
}

async function textOf(registry: Registry): Promise<string> {
  return registry.metrics();
}

describe('metrics of the store', () => {
  it('count calls by operation and resource, and those that fail', async () => {
    const metrics = new StoreMetrics();
    const store = meteredStore(
      fakeStore({
        get: () => Promise.resolve({ revision: REVISION }),
        list: () => Promise.resolve({ revision: REVISION, items: [], more: false }),
        create: () => Promise.reject(new StoreError('unavailable', 'away')),
        currentRevision: () => Promise.resolve(REVISION),
      }),
      metrics,
      systemClock,
    );
    assert.deepEqual(await store.get('namespaces/a'), { revision: REVISION });
    await store.get('coordination.cluster.io/leases/ns/a');
    await store.list({ prefix: 'coordination.cluster.io/leases/' });
    await store.list({ prefix: '' });
    await store.currentRevision();
    await assert.rejects(store.create('namespaces/b', Buffer.alloc(0)), { code: 'unavailable' });
    const lines = linesOf(metrics);
    for (const line of [
      'etcd_requests_total{operation="get",group="",resource="namespaces"} 1',
      'etcd_requests_total{operation="get",group="coordination.cluster.io",resource="leases"} 1',
      'etcd_requests_total{operation="list",group="coordination.cluster.io",resource="leases"} 1',
      'etcd_requests_total{operation="list",group="",resource=""} 1',
      'etcd_requests_total{operation="currentRevision",group="",resource=""} 1',
      'etcd_request_errors_total{operation="create",group="",resource="namespaces"} 1',
      'etcd_request_errors_total{operation="get",group="",resource="namespaces"} 0',
      'etcd_request_duration_seconds_count{operation="create",group="",resource="namespaces"} 1',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  it('count events on their way through', async () => {
    const metrics = new StoreMetrics();
    const batch: WatchBatch = {
      revision: REVISION,
      events: [
        { type: 'delete', key: 'namespaces/a', revision: REVISION },
        { type: 'delete', key: 'namespaces/b', revision: REVISION },
      ],
    };
    async function* watch(): AsyncIterable<WatchBatch> {
      yield await Promise.resolve(batch);
    }
    const store = meteredStore(fakeStore({ watch }), metrics, systemClock);
    const seen: WatchBatch[] = [];
    for await (const b of store.watch({ prefix: '', from: REVISION })) seen.push(b);
    assert.deepEqual(seen, [batch]);
    assert.ok(
      linesOf(metrics).includes(
        'apiserver_storage_events_received_total{group="",resource="namespaces"} 2',
      ),
    );
  });

  it('release a watch without events', async () => {
    let ended = false;
    const quiet: AsyncIterator<WatchBatch> = {
      next: () => new Promise(() => undefined),
      return: () => {
        ended = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
    const watch = (): AsyncIterable<WatchBatch> => ({ [Symbol.asyncIterator]: () => quiet });
    const store = meteredStore(fakeStore({ watch }), new StoreMetrics(), systemClock);
    const batches = store.watch({ prefix: '', from: REVISION })[Symbol.asyncIterator]();
    void batches.next();
    assert.deepEqual(await batches.return?.(), { done: true, value: undefined });
    assert.equal(ended, true);
  });

  it('show the size that the store last told, and never wait for it', async () => {
    const registry = new Registry();
    let answer: (size: number) => void = () => undefined;
    const describe = () =>
      new Promise<{ kind: string; version: string; sizeBytes: number; limitations: [] }>(
        (resolve) => {
          answer = (sizeBytes) =>
            resolve({ kind: 'etcd', version: '3', sizeBytes, limitations: [] });
        },
      );
    registerStoreState(registry, fakeStore({ describe }));
    assert.doesNotMatch(await textOf(registry), /^apiserver_storage_size_bytes\{/m);
    answer(4096);
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(
      await textOf(registry),
      /^apiserver_storage_size_bytes\{storage_cluster_id="etcd-0"\} 4096$/m,
    );
  });

  it('show whether the store refuses writes', async () => {
    const registry = new Registry();
    let writesRefused: string | undefined = 'the disk is full';
    const checkHealth = () => Promise.resolve({ writesRefused });
    registerStoreState(registry, fakeStore({ checkHealth }));
    await textOf(registry);
    assert.match(await textOf(registry), /^plinth_store_writes_refused 1$/m);
    writesRefused = undefined;
    await textOf(registry);
    assert.match(await textOf(registry), /^plinth_store_writes_refused 0$/m);
  });
});

describe('metrics of the replica', () => {
  it('are read at the moment of the scrape', async () => {
    const registry = new Registry();
    const collections = ['namespaces/', 'coordination.cluster.io/leases/'].map((prefix, i) => ({
      prefix,
      items: { size: i + 2 },
      history: { bytes: 100 },
      unreadable: new Set(['x']),
    }));
    const counters = { probes: 3, reads: 9, behind: 1 };
    const replica = {
      ready: true,
      revision: REVISION,
      memory: { slabs: { bytes: 5 }, indexes: { bytes: 6, count: 3 } },
      collections: () => collections.values(),
    };
    registerReplicaMetrics(registry, {
      replica: replica as unknown as Replica,
      reader: { freshness: { counters } } as unknown as Reader,
      watcher: { size: 4 } as unknown as Watcher,
    });
    await textOf(registry);
    counters.reads = 10;
    const lines = (await textOf(registry)).split('\n');
    for (const line of [
      'apiserver_resource_objects{group="",resource="namespaces"} 2',
      'apiserver_resource_objects{group="coordination.cluster.io",resource="leases"} 3',
      'apiserver_storage_objects{resource="leases.coordination.cluster.io"} 3',
      'apiserver_storage_objects{resource="namespaces"} 2',
      'plinth_replica_ready 1',
      'plinth_replica_revision 7',
      'plinth_replica_slab_bytes 5',
      'plinth_replica_index_bytes 6',
      'plinth_replica_indexes 3',
      'plinth_history_bytes 200',
      'plinth_unreadable_objects 2',
      'plinth_watch_streams 4',
      'plinth_fresh_reads_total 10',
      'plinth_fresh_read_probes_total 3',
      'plinth_fresh_reads_behind_total 1',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });
});
