import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { systemClock } from '../../api/clock.ts';
import { Authenticator, type Credentials } from '../../storage/etcd/authenticator.ts';
import { Cluster } from '../../storage/etcd/cluster.ts';
import { H2Client } from '../../storage/etcd/h2-client.ts';
import { KeySpace } from '../../storage/etcd/key-space.ts';
import { Lineage } from '../../storage/etcd/lineage.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import { rangePages } from '../../storage/etcd/range-pages.ts';
import { Reader } from '../../storage/etcd/reader.ts';
import { readTlsFiles, type EtcdTlsFiles } from '../../storage/etcd/tls-files.ts';
import type { ListOptions, ListResult, Store, StoredItem } from '../../storage/interface.ts';
import type { PagesAhead } from '../../storage/pages-ahead.ts';
import { done, rejectsWith } from '../contract/store-kit.ts';
import { enableAuth, WRITER } from '../support/etcd-admin.ts';
import { makeCertificates } from '../support/etcd-tls.ts';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';

const PROGRAM = new URL('../../dist/server/range-thread.js', import.meta.url);
/** The first page has a thousand; those behind it are more than wait to be taken at a time. */
const OBJECTS = 3_000;
const PADDING = 'x'.repeat(12 * 1024);

/** The reader of this thread, which counts what it is asked for. */
class CountingReader extends Reader {
  lists = 0;
  override list(options: ListOptions): Promise<ListResult> {
    this.lists++;
    return super.list(options);
  }
}

interface Options {
  readonly auth?: Credentials;
  readonly tls?: EtcdTlsFiles;
  readonly endpoints?: string[];
  readonly threadKeys?: number;
  readonly clusterId?: bigint;
  readonly program?: URL;
}

const keyOf = (i: number): string => `things/thing-${String(i).padStart(4, '0')}`;
const stored = (name: string): Buffer =>
  Buffer.from(
    `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"${name}"},"data":{"is":"${PADDING}"}}`,
  );

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < OBJECTS; from += 100) {
    const operations = Array.from({ length: 100 }, (_, i) => {
      return { op: 'create' as const, key: keyOf(from + i), value: stored(keyOf(from + i)) };
    });
    await store.batch(operations);
  }
}

describe('the pages of a start on etcd, which a thread reads ahead', () => {
  let etcd: TestEtcd;
  let store: Store;
  let closers: (() => unknown)[] = [];

  before(async () => {
    etcd = await TestEtcd.start();
    store = await openEtcdStore({ endpoints: [etcd.url] });
    await fill(store);
  });
  afterEach(async () => {
    for (const close of closers) await close();
    closers = [];
  });
  after(async () => {
    await store.close();
    await etcd.dispose();
  });

  /** Pages as a store makes them, and the reader of this thread. */
  async function open(
    options: Options = {},
  ): Promise<{ pages: PagesAhead; reader: CountingReader }> {
    const { auth, endpoints = [etcd.url], threadKeys = OBJECTS / 2, program = PROGRAM } = options;
    const tls = await readTlsFiles(options.tls ?? {}, endpoints);
    const clients = endpoints.map((endpoint) => new H2Client(endpoint, tls));
    const cluster = new Cluster(clients, new Authenticator(auth), systemClock);
    const lineage = new Lineage();
    const reader = new CountingReader(cluster, new KeySpace('/registry'), lineage);
    const pages = rangePages(
      reader,
      () => {
        const clusterId = options.clusterId ?? lineage.clusterId ?? 0n;
        return { prefix: '/registry', tls, auth, endpoints: cluster.endpoints, clusterId };
      },
      { threadKeys, program },
    );
    closers.push(
      () => pages.close(),
      () => cluster.close(),
    );
    return { pages, reader };
  }

  const first = (pages: PagesAhead): Promise<ListResult> =>
    pages.list({ prefix: '', limit: 'page' });

  function next(
    pages: PagesAhead,
    { items, revision }: ListResult,
    signal?: AbortSignal,
  ): Promise<ListResult> {
    const after = items.at(-1)!.key;
    return pages.list({ prefix: '', limit: 'page', after, revision, signal });
  }

  /** All pages; `between` runs after each but the last. */
  async function readAll(
    pages: PagesAhead,
    between = async (_page: number): Promise<void> => Promise.resolve(),
  ): Promise<ListResult[]> {
    const read = [await first(pages)];
    while (read.at(-1)!.more) {
      await between(read.length);
      read.push(await next(pages, read.at(-1)!));
    }
    return read;
  }

  const itemsOf = (read: readonly ListResult[]): StoredItem[] => read.flatMap(({ items }) => items);

  it('are those of one revision, whatever is written meanwhile', async () => {
    const { items: then, revision } = await store.list({ prefix: '' });
    const { pages, reader } = await open();
    const read = await readAll(pages, async (page) => {
      const late = then[then.length - page]!;
      if (page % 2 === 0) await store.delete(late.key, late.revision);
      else await store.update(late.key, stored('changed'), late.revision);
    });
    assert.ok(read.length > 10, `${read.length} pages`);
    assert.deepEqual(itemsOf(read), then);
    assert.ok(read.every((page) => page.revision === revision));
    assert.ok(
      read.slice(1).every(({ checked }) => checked === true),
      'the thread has read each value',
    );
    assert.equal(reader.lists, 1, 'all but the first came from the thread');
  });

  it('tell where a value is not as a server stores it', async () => {
    const key = `${keyOf(OBJECTS / 2)}-odd`;
    for (const odd of [
      'k8s:enc:aesgcm:v1:key1:…',
      '',
      '{ "apiVersion":"v1","kind":"Thing","metadata":{}}',
      '{"apiVersion":"v1","metadata":{}}',
      stored('cut').subarray(0, -3).toString(),
      '{"apiVersion":"v1","kind":"Thing","metadata":{},"data":1e999}',
    ]) {
      const revision = done(await store.create(key, Buffer.from(odd)));
      const read = await readAll((await open()).pages);
      const unchecked = read.slice(1).filter(({ checked }) => checked !== true);
      assert.equal(unchecked.length, 1, odd);
      const found = unchecked[0]!.items.find((item) => item.key === key);
      assert.equal(found?.value.toString(), odd);
      await store.delete(key, revision);
    }
  });

  it('are read with the password and the certificates of the server', async () => {
    const certificates = await makeCertificates();
    const { caFile, certFile, keyFile } = certificates;
    const secured = await TestEtcd.start({ tls: { ...certificates, client: certificates } });
    const tls = { caFile, certFile, keyFile };
    const other = await openEtcdStore({ endpoints: [secured.url], tls });
    await fill(other);
    const { pages, reader } = await open({ endpoints: [secured.url], tls });
    assert.equal(itemsOf(await readAll(pages)).length, OBJECTS);
    assert.equal(reader.lists, 1);
    await other.close();
    await secured.dispose();
    await rm(certificates.directory, { recursive: true });
  });

  it('are read with a password, and from the member that answers', async () => {
    const guarded = await TestEtcd.start();
    const [port] = await freePorts(1);
    const endpoints = [`http://127.0.0.1:${port}`, guarded.url];
    const other = await openEtcdStore({ endpoints: [guarded.url] });
    await fill(other);
    await enableAuth(guarded);
    const { pages, reader } = await open({ endpoints, auth: WRITER });
    assert.equal(itemsOf(await readAll(pages)).length, OBJECTS);
    assert.equal(reader.lists, 1);
    await other.close();
    await guarded.dispose();
  });

  it('are read here where the thread fails', async () => {
    const { pages, reader } = await open({ program: new URL('./nothing.js', import.meta.url) });
    const read = await readAll(pages);
    assert.deepEqual(itemsOf(read), (await store.list({ prefix: '' })).items);
    assert.equal(reader.lists, read.length);
  });

  it('are read here when the store has few keys', async () => {
    const { pages, reader } = await open({ threadKeys: 2 * OBJECTS });
    const read = await readAll(pages);
    assert.equal(reader.lists, read.length);
  });

  it('fail as here when their revision has been compacted', async () => {
    const { pages } = await open();
    let compacted = false;
    const read = readAll(pages, async () => {
      if (compacted) return;
      compacted = true;
      await store.compact(done(await store.create('things/zzz', stored('late'))));
    });
    await rejectsWith(read, 'compacted');
  });

  it('are refused when the reader has gone', async () => {
    const { pages } = await open();
    const gone = new AbortController();
    const second = await next(pages, await first(pages));
    gone.abort(new Error('gone'));
    await rejectsWith(next(pages, second, gone.signal), 'cancelled');
  });

  it('end with the store, also when etcd does not answer', async () => {
    const { pages } = await open();
    const page = await next(pages, await first(pages));
    assert.ok(page.more);
    etcd.freeze();
    try {
      await pages.close();
    } finally {
      etcd.thaw();
    }
  });

  it('are read here when another cluster answers the thread', async () => {
    const { pages, reader } = await open({ clusterId: 1n });
    const read = await readAll(pages);
    assert.equal(
      itemsOf(read).length,
      (await store.list({ prefix: '', keysOnly: true })).items.length,
    );
    assert.equal(reader.lists, read.length);
  });
});
