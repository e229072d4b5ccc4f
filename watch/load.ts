import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import { lastKeyOf } from '../storage/finished-part.ts';
import type { Store } from '../storage/interface.ts';
import { splitKey } from '../storage/keys.ts';
import { Ballast } from './ballast.ts';
import { Collection } from './collection.ts';
import type { EntryMemory } from './entry-memory.ts';

/** Objects that are taken in before others get the event loop: 2 to 4 ms. */
const OBJECTS_PER_TURN = 500;
/** Between two reports of a long load. */
const PROGRESS_MS = 2_000;

interface LoadOptions {
  readonly memory: EntryMemory;
  readonly signal: AbortSignal;
  /** Called after every page but the last, with the number of objects read so far. */
  readonly onPage: (objects: number) => void;
}

interface Loaded {
  readonly revision: Revision;
  readonly collections: Map<string, Collection>;
}

/** The whole registry at one revision, read in pages that are pinned to it. */
export async function loadRegistry(store: Store, options: LoadOptions): Promise<Loaded> {
  const ballast = new Ballast();
  try {
    return await loadPages(store, options, ballast);
  } finally {
    ballast.end();
  }
}

async function loadPages(
  store: Store,
  { memory, signal, onPage }: LoadOptions,
  ballast: Ballast,
): Promise<Loaded> {
  const collections = new Map<string, Collection>();
  const slabBytes = memory.slabs.size;
  let after: string | undefined;
  let revision: Revision | undefined;
  let objects = 0;
  for (;;) {
    const page = await store.list({
      prefix: '',
      limit: 'page',
      signal,
      slabBytes,
      ...(after === undefined ? {} : { after }),
      ...(revision === undefined ? {} : { revision }),
    });
    const at = (revision ??= page.revision);
    const collectionAt = (prefix: string): Collection => {
      let collection = collections.get(prefix);
      if (collection === undefined) {
        collection = new Collection(prefix, at, memory);
        collections.set(prefix, collection);
      }
      return collection;
    };
    const { finished } = page;
    if (finished !== undefined) collectionAt(finished.prefix).loadFinished(finished);
    let bytes = finished?.memory.length ?? 0;
    for (const [i, item] of page.items.entries()) {
      // A reload must not block requests that are served meanwhile.
      if (i > 0 && i % OBJECTS_PER_TURN === 0) await nextTurn();
      bytes += item.value.length;
      const place = splitKey(item.key);
      if (place === undefined) continue;
      collectionAt(place.prefix).load(place.rest, item.value, item.revision, page.checked === true);
    }
    ballast.loaded(bytes);
    if (!page.more) return { revision, collections };
    after = lastKeyOf(page);
    objects += finished?.keys.length ?? page.items.length;
    onPage(objects);
    await nextTurn();
  }
}

/** For one load: tells at most every two seconds how many objects have been read. */
export function progressOf(
  clock: Clock,
  tell: (objects: number) => void,
): (objects: number) => void {
  let told = clock.monotonic();
  return (objects) => {
    const now = clock.monotonic();
    if (now - told < PROGRESS_MS) return;
    told = now;
    tell(objects);
  };
}
