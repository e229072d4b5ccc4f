import type { Revision } from '../api/revision.ts';
import type { Store } from '../storage/interface.ts';
import { Collection, splitKey } from './collection.ts';
import { Entry } from './entry.ts';

/** Keys read per request while a replica loads. */
const LOAD_PAGE = 2_000;

/** The whole registry at one revision, read in pages that are pinned to it. */
export async function loadRegistry(
  store: Store,
  signal: AbortSignal,
): Promise<{ revision: Revision; collections: Map<string, Collection> }> {
  const collections = new Map<string, Collection>();
  let after: string | undefined;
  let revision: Revision | undefined;
  for (;;) {
    const page = await store.list({
      prefix: '',
      limit: LOAD_PAGE,
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
        collection = new Collection(at.prefix, revision);
        collections.set(at.prefix, collection);
      }
      collection.items.set(at.rest, Entry.fromStored(at.rest, item.value, item.revision));
    }
    if (!page.more) return { revision, collections };
    after = page.items.at(-1)?.key;
  }
}
