import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../api/clock.ts';
import { DATA_FILE } from '../../storage/embedded/data-file.ts';
import { Environment } from '../../storage/embedded/environment.ts';
import { filePages } from '../../storage/embedded/file-pages.ts';
import { Meta } from '../../storage/embedded/meta.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { Reader as FileReader } from '../../storage/embedded/reader.ts';
import { encryptedStore } from '../../storage/encryption/encrypted-store.ts';
import { Encryption } from '../../storage/encryption/value-cipher.ts';
import { Authenticator } from '../../storage/etcd/authenticator.ts';
import { Cluster } from '../../storage/etcd/cluster.ts';
import { H2Client } from '../../storage/etcd/h2-client.ts';
import { KeySpace } from '../../storage/etcd/key-space.ts';
import { Lineage } from '../../storage/etcd/lineage.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import { rangePages } from '../../storage/etcd/range-pages.ts';
import { Reader as RangeReader } from '../../storage/etcd/reader.ts';
import type { ListOptions, ListResult, Store } from '../../storage/interface.ts';
import type { PagesAhead } from '../../storage/pages-ahead.ts';
import { encodeStored, metadataOffset, spliceRevision } from '../../storage/stored-bytes.ts';
import type { Collection } from '../../watch/collection.ts';
import { EntryMemory } from '../../watch/entry-memory.ts';
import { loadRegistry } from '../../watch/load.ts';
import { TestEtcd } from '../support/etcd.ts';

const program = (name: string): URL => new URL(`../../dist/server/${name}.js`, import.meta.url);
const MAP_BYTES = 1024 ** 3;
const SLAB_BYTES = 64 * 1024;
/** More than the thousand of the first page, which no thread has read. */
const OBJECTS = 4_000;

const keyOf = (i: number): string => {
  const resource = i < OBJECTS - 500 ? 'a.example.com/things' : 'b.example.com/others';
  return `${resource}/ns-${i % 3 === 0 ? 'é' : 'x'}/thing-${String(i).padStart(5, '0')}`;
};

/** Many sizes and labels; some that no server writes, some too large to share a slab. */
function valueOf(i: number): Buffer {
  if (i % 700 === 699) return Buffer.from(i % 1_400 === 699 ? 'not JSON' : '{"odd": 1}');
  const padding = i % 450 === 449 ? 20_000 : (i * 7) % 900;
  const labels =
    i % 5 === 0 ? {} : { labels: { app: `app-${i % 11}`, q: i % 90 === 1 ? '"' : 'z' } };
  const metadata = { name: `thing-${i}`, ...labels };
  const data = { text: 'x'.repeat(padding), labels: { inner: 'no' } };
  return encodeStored({ apiVersion: 'v1', kind: 'Thing', metadata, data });
}

async function fill(store: Store): Promise<void> {
  const keys = Array.from({ length: OBJECTS }, (_, i) => keyOf(i));
  for (let from = 0; from < OBJECTS; from += 100) {
    const operations = keys.slice(from, from + 100).map((key, i) => {
      return { op: 'create' as const, key, value: valueOf(from + i) };
    });
    await store.batch(operations);
  }
}

interface Loaded {
  readonly collections: ReadonlyMap<string, Collection>;
  readonly memory: EntryMemory;
  readonly pages: readonly ListResult[];
}

/** A load of a store whose pages are these. */
async function load(list: (options: ListOptions) => Promise<ListResult>): Promise<Loaded> {
  const memory = new EntryMemory(SLAB_BYTES);
  const pages: ListResult[] = [];
  const kept = async (options: ListOptions): Promise<ListResult> => {
    const page = await list(options);
    pages.push(page);
    return page;
  };
  const { signal } = new AbortController();
  const store = { list: kept } as unknown as Store;
  const { collections } = await loadRegistry(store, { memory, signal, onPage: () => undefined });
  return { collections, memory, pages };
}

const entriesOf = ({ collections }: Loaded): unknown[] =>
  [...collections].flatMap(([prefix, { items, unreadable }]) =>
    [...items.range('')].map((entry) => {
      const { key, revision, labels, bytes, metadataStart, metadataEnd, corrupt } = entry;
      const text = bytes.toString('latin1');
      assert.equal(unreadable.has(key), corrupt);
      return { prefix, key, revision, labels, text, metadataStart, metadataEnd, corrupt };
    }),
  );

for (const kind of ['etcd', 'the embedded store']) {
  describe(`the pages of a start on ${kind}, whose objects a thread finishes`, () => {
    let store: Store;
    let pages: PagesAhead;
    let asked = 0;
    const closers: (() => unknown)[] = [];

    before(async () => {
      if (kind === 'etcd') {
        const etcd = await TestEtcd.start();
        closers.push(() => etcd.dispose());
        store = await openEtcdStore({ endpoints: [etcd.url] });
        const cluster = new Cluster(
          [new H2Client(etcd.url, {})],
          new Authenticator(undefined),
          systemClock,
        );
        closers.push(() => cluster.close());
        const lineage = new Lineage();
        const reader = new RangeReader(cluster, new KeySpace('/registry'), lineage);
        pages = rangePages(
          reader,
          () => ({
            prefix: '/registry',
            tls: {},
            auth: undefined,
            endpoints: cluster.endpoints,
            clusterId: lineage.clusterId ?? 0n,
          }),
          { threadKeys: 1, program: program('range-thread') },
        );
      } else {
        const dir = await mkdtemp(join(tmpdir(), 'plinth-finished-'));
        closers.push(() => rm(dir, { recursive: true }));
        store = await openEmbeddedStore({ dir });
        const file = join(dir, DATA_FILE);
        const environment = new Environment(file, MAP_BYTES);
        closers.push(() => environment.close());
        const reader = new FileReader(environment, new Meta(environment.tables.meta));
        const keys = (): number => environment.tables.state.entries();
        pages = filePages(reader, { file, mapBytes: MAP_BYTES }, keys, {
          threadKeys: 1,
          program: program('page-thread'),
        });
      }
      closers.push(
        () => store.close(),
        () => pages.close(),
      );
      await fill(store);
    });
    after(async () => {
      for (const close of closers.reverse()) await close();
    });

    const listFinished = (options: ListOptions): Promise<ListResult> => {
      if (options.slabBytes !== undefined) asked++;
      return pages.list(options);
    };

    it('make the replica that their items make', async () => {
      const finished = await load(listFinished);
      const plain = await load(({ slabBytes: _, ...options }) => store.list(options));
      const found = entriesOf(finished);
      assert.equal(found.length, OBJECTS);
      assert.deepEqual(found, entriesOf(plain));
      assert.ok(finished.pages.filter((page) => page.finished !== undefined).length > 10);
      assert.ok(plain.pages.every((page) => page.finished === undefined));
      assert.equal(asked, finished.pages.length);
    });

    it('hold finished bytes, and the labels of each part once', async () => {
      const { pages: read } = await load(listFinished);
      let after = 0;
      for (const { finished } of read) {
        for (const [i, key] of (finished?.keys ?? []).entries()) {
          const [at, start] = [i * 4, i === 0 ? 0 : finished!.shapes[i * 4 - 4]!];
          const { item } = await store.get(finished!.prefix + key);
          const { value, revision } = item!;
          const bytes = Buffer.from(finished!.memory.slice(start, finished!.shapes[at]));
          assert.ok(bytes.equals(spliceRevision(value, metadataOffset(value), revision)));
          after++;
        }
        const labels = finished?.labels ?? [];
        assert.equal(new Set(labels).size, labels.length);
      }
      assert.ok(after > OBJECTS / 4, `${after} objects`);
    });

    it('give their memory back when most of their objects are gone', async () => {
      const { collections, memory } = await load(listFinished);
      const before = memory.slabs.bytes;
      let n = 0;
      for (const { items } of collections.values()) {
        for (const entry of [...items.range('')]) {
          if (n++ % 20 === 0) continue;
          items.delete(entry.key);
          entry.release();
        }
      }
      for (let round = 0; round < 20; round++) memory.slabs.compact();
      assert.ok(memory.slabs.bytes < before / 4, `${memory.slabs.bytes} of ${before} bytes`);
      for (const { items } of collections.values()) {
        for (const entry of items.range('')) {
          if (!entry.corrupt) assert.match(entry.bytes.toString(), /^\{"apiVersion".*\}$/);
        }
      }
    });

    it('come as items through encryption', async () => {
      const inner = { ...store, list: listFinished } as unknown as Store;
      const encrypted = encryptedStore(inner, new Encryption([]));
      const { pages: read } = await load((options) => encrypted.list(options));
      assert.ok(read.every(({ finished }) => finished === undefined));
    });
  });
}
