import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Revision } from '../../api/revision.ts';
import { DATA_FILE } from '../../storage/embedded/data-file.ts';
import { Environment } from '../../storage/embedded/environment.ts';
import { Meta } from '../../storage/embedded/meta.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { filePages } from '../../storage/embedded/file-pages.ts';
import { Reader } from '../../storage/embedded/reader.ts';
import { encodePosition } from '../../storage/embedded/record.ts';
import type { EmbeddedStore } from '../../storage/embedded/store.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { ListOptions, ListResult, StoredItem } from '../../storage/interface.ts';
import type { PagesAhead } from '../../storage/pages-ahead.ts';

const PROGRAM = new URL('../../dist/server/page-thread.js', import.meta.url);
const MAP_BYTES = 1024 ** 3;
/** Two or three in a page. */
const LARGE = 200 * 1024;
const OBJECTS = 40;

/** The reader of this thread, which counts what it is asked for. */
class CountingReader extends Reader {
  lists = 0;
  override list(options: ListOptions): Promise<ListResult> {
    this.lists++;
    return super.list(options);
  }
}

const keyOf = (i: number): string => `things/thing-${String(i).padStart(3, '0')}`;

describe('the pages of a start, which a thread reads ahead', () => {
  let dir: string;
  let store: EmbeddedStore;
  let environment: Environment;
  let reader: CountingReader;
  let pages: PagesAhead;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plinth-pages-'));
    store = await openEmbeddedStore({ dir });
    for (let i = 0; i < OBJECTS; i++) await store.create(keyOf(i), Buffer.alloc(LARGE, i + 32));
    environment = new Environment(join(dir, DATA_FILE), MAP_BYTES);
    reader = new CountingReader(environment, new Meta(environment.tables.meta));
    pages = pagesOf(PROGRAM);
  });
  afterEach(async () => {
    await pages.close();
    await environment.close();
    await store.close();
    await rm(dir, { recursive: true });
  });

  function pagesOf(program: URL, threadKeys = OBJECTS): PagesAhead {
    const file = join(dir, DATA_FILE);
    const keys = (): number => environment.tables.state.entries();
    return filePages(reader, { file, mapBytes: MAP_BYTES }, keys, { threadKeys, program });
  }

  const first = (): Promise<ListResult> => pages.list({ prefix: '', limit: 'page' });

  function next({ items, revision }: ListResult, signal?: AbortSignal): Promise<ListResult> {
    const after = items.at(-1)!.key;
    return pages.list({ prefix: '', limit: 'page', after, revision, signal });
  }

  /** All pages; `between` runs after each but the last. */
  async function readAll(
    between = async (_page: number): Promise<void> => Promise.resolve(),
  ): Promise<ListResult[]> {
    const read = [await first()];
    while (read.at(-1)!.more) {
      await between(read.length);
      read.push(await next(read.at(-1)!));
    }
    return read;
  }

  const itemsOf = (read: readonly ListResult[]): StoredItem[] => read.flatMap(({ items }) => items);

  async function rejectsWith(code: string, read: Promise<unknown>): Promise<void> {
    await assert.rejects(read, (error) => isStoreError(error, code as 'compacted'));
  }

  it('are those of one revision, whatever is written meanwhile', async () => {
    const { items: then, revision } = await store.list({ prefix: '' });
    const read = await readAll(async (page) => {
      const late = then[OBJECTS - page]!;
      if (page % 2 === 0) await store.delete(late.key, late.revision);
      else await store.update(late.key, Buffer.from('changed'), late.revision);
      await store.create(`things/thing-${OBJECTS - page}-new`, Buffer.from('new'));
    });
    assert.ok(read.length > 10, `${read.length} pages`);
    assert.deepEqual(itemsOf(read), then);
    assert.ok(read.every((page) => page.revision === revision && page.checked === true));
    assert.equal(reader.lists, 1, 'all but the first came from the thread');
  });

  it('show a damaged record as this thread does', async () => {
    const { revision } = (await store.get(keyOf(20))).item!;
    const { log } = environment.tables;
    const position = encodePosition({ revision, index: 0 });
    const record = Buffer.from(log.get(position)!);
    record.writeUInt8(record.readUInt8(1_000) ^ 1, 1_000);
    await environment.transaction(() => log.putSync(position, record));
    const read = await readAll();
    assert.equal(reader.lists, 1);
    const damaged = read.filter(({ checked }) => checked !== true);
    assert.equal(damaged.length, 1);
    const unreadable = damaged[0]!.items.filter(({ value }) => value.length === 0);
    assert.deepEqual(
      unreadable.map(({ key }) => key),
      [keyOf(20)],
    );
    assert.equal(itemsOf(read).length, OBJECTS);
  });

  it('are read here where the thread fails', async () => {
    pages = pagesOf(new URL('./nothing.js', import.meta.url));
    const read = await readAll();
    assert.deepEqual(itemsOf(read), (await store.list({ prefix: '' })).items);
    assert.equal(reader.lists, read.length);
  });

  it('are read here when the store has few keys', async () => {
    pages = pagesOf(PROGRAM, OBJECTS + 1);
    const read = await readAll();
    assert.equal(reader.lists, read.length);
  });

  it('fail as here when their revision has been compacted', async () => {
    const { items } = await store.list({ prefix: '' });
    let compacted = false;
    const read = readAll(async () => {
      if (compacted) return;
      compacted = true;
      const last = items.at(-1)!;
      const { revision } = (await store.update(last.key, Buffer.from('x'), last.revision)) as {
        revision: Revision;
      };
      await store.compact(revision);
    });
    await rejectsWith('compacted', read);
  });

  it('are refused when the reader has gone', async () => {
    const gone = new AbortController();
    const second = await next(await first());
    gone.abort(new Error('gone'));
    await rejectsWith('cancelled', next(second, gone.signal));
  });

  it('are read here when another revision is asked for', async () => {
    const page = await first();
    await store.create(`${page.items.at(-1)!.key}-new`, Buffer.from('new'));
    const { revision } = await store.list({ prefix: '', limit: 1 });
    const { items } = await next({ ...page, revision });
    assert.equal(items[0]?.value.toString(), 'new');
    assert.equal(reader.lists, 2);
  });

  it('begin again at a new first page, with a new thread', async () => {
    await next(await first());
    await store.create('things/zzz', Buffer.from('new'));
    const read = await readAll();
    assert.deepEqual(itemsOf(read), (await store.list({ prefix: '' })).items);
    assert.equal(reader.lists, 2);
  });

  it('are read here once the thread had to end', async () => {
    const page = await first();
    await pages.close();
    const rest = await next(page);
    assert.deepEqual(rest.items[0]?.key, keyOf(page.items.length));
    assert.equal(reader.lists, 2);
    await first();
    await next(page);
    assert.equal(reader.lists, 4, 'no other thread begins');
  });
});
