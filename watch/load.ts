import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Revision } from '../api/revision.ts';
import type { Store } from '../storage/interface.ts';
import { splitKey } from '../storage/keys.ts';
import { Collection } from './collection.ts';
import type { EntryMemory } from './entry-memory.ts';

/** The whole registry at one revision, read in pages that are pinned to it. */
export async function loadRegistry(
  store: Store,
  memory: EntryMemory,
  signal: AbortSignal,
): Promise<{ revision: Revision; collections: Map<string, Collection> }> {
  const collections = new Map<string, Collection>();
  let after: string | undefined;
  let revision: Revision | undefined;
  for (;;) {
    const page = await store.list({
      prefix: '',
      limit: 'page',
      signal,
      ...(after === undefined ? {} : { after }),
      ...(revision === undefined ? {} : { revision }),
    });
    revision ??= page.revision;
    for (const item of page.items) {
      const at = splitKey(item.key);
      if (at === undefined) continue;
      let collection = collections.get(at.prefix);
      if (collection === undefined) {
        collection = new Collection(at.prefix, revision, memory);
        collections.set(at.prefix, collection);
      }
      collection.load(at.rest, item.value, item.revision, page.checked === true);
    }
    if (!page.more) return { revision, collections };
    after = page.items.at(-1)?.key;
    // A reload must not block requests that are served meanwhile.
    await nextTurn();
  }
}
