import { Counter, Gauge, type Registry } from 'prom-client';
import type { Reader } from '../../watch/reader.ts';
import type { Replica } from '../../watch/replica.ts';
import type { Watcher } from '../../watch/watcher.ts';
import { resourceOfPrefix } from '../../storage/keys.ts';

/** Gauges that are read when they are asked for, so that they cost nothing between scrapes. */

/** What the replica holds, how fresh it is, who watches. */
export function registerReplicaMetrics(
  registry: Registry,
  { replica, reader, watcher }: { replica: Replica; reader: Reader; watcher: Watcher },
): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({ name, help, registers, collect: valueCollector(value) });
  };
  registerObjectCounts(registry, replica);
  gauge('plinth_replica_ready', '1 when the replica is loaded, otherwise 0.', () =>
    replica.ready ? 1 : 0,
  );
  // A gauge is a float; revisions reach 2^53 after centuries.
  gauge('plinth_replica_revision', 'Revision of the replica.', () => Number(replica.revision));
  gauge(
    'plinth_replica_slab_bytes',
    'Bytes of the slabs that hold objects of up to 32 KiB, including objects that only the history needs.',
    () => replica.memory.slabs.bytes,
  );
  gauge(
    'plinth_replica_index_bytes',
    'Approximate memory of the indexes for reads, in bytes.',
    () => replica.memory.indexes.bytes,
  );
  gauge('plinth_replica_indexes', 'Number of indexes for reads.', () => {
    return replica.memory.indexes.count;
  });
  gauge('plinth_history_bytes', 'Bytes of the events in the watch history.', () => {
    let bytes = 0;
    for (const { history } of replica.collections()) bytes += history.bytes;
    return bytes;
  });
  const unreadable = 'Stored objects that cannot be read; lists omit these objects.';
  gauge('plinth_unreadable_objects', unreadable, () => {
    let count = 0;
    for (const collection of replica.collections()) count += collection.unreadable.size;
    return count;
  });
  gauge('plinth_watch_streams', 'Open watch streams.', () => watcher.size);
  const { counters } = reader.freshness;
  const counter = (name: string, help: string, value: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  };
  counter(
    'plinth_fresh_reads_total',
    'Reads that must see the newest state.',
    () => counters.reads,
  );
  counter(
    'plinth_fresh_read_probes_total',
    'Requests to the store for the newest revision; concurrent fresh reads share one.',
    () => counters.probes,
  );
  counter(
    'plinth_fresh_reads_behind_total',
    'Fresh reads that waited for the replica to catch up.',
    () => counters.behind,
  );
}

function valueCollector(value: () => number): (this: Gauge) => void {
  return function () {
    this.set(value());
  };
}

/** Both names of the number of objects: the old one has group and resource in one label. */
function registerObjectCounts(registry: Registry, replica: Replica): void {
  const collect = (each: (group: string, resource: string, count: number) => void): void => {
    for (const { prefix, items } of replica.collections()) {
      const { group, resource } = resourceOfPrefix(prefix);
      each(group, resource, items.size);
    }
  };
  const registers = [registry];
  new Gauge({
    name: 'apiserver_resource_objects',
    help: 'Stored objects by group and resource.',
    labelNames: ['group', 'resource'],
    registers,
    collect() {
      this.reset();
      collect((group, resource, count) => this.set({ group, resource }, count));
    },
  });
  new Gauge({
    name: 'apiserver_storage_objects',
    help: 'Stored objects by resource, as resource.group; apiserver_resource_objects has separate labels.',
    labelNames: ['resource'],
    registers,
    collect() {
      this.reset();
      collect((group, resource, count) =>
        this.set({ resource: group === '' ? resource : `${resource}.${group}` }, count),
      );
    },
  });
}
