import type { Store, StoredItem } from './interface.ts';

/** Objects of one page: what is looked at before other work gets its turn. */
const PAGE = 500;

/**
 * All objects of a store in the order of their keys, in pages. Pages are read one
 * after the other, each as of its own moment.
 *
 * @throws StoreError
 */
export async function* pagesOf(
  store: Pick<Store, 'list'>,
  signal?: AbortSignal,
): AsyncGenerator<readonly StoredItem[], void> {
  let after: string | undefined;
  do {
    const { items, more } = await store.list({
      prefix: '',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
      ...(signal === undefined ? {} : { signal }),
    });
    yield items;
    after = more ? items.at(-1)?.key : undefined;
  } while (after !== undefined);
}
