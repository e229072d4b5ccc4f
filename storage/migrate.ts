import { inParallel } from '../api/in-parallel.ts';
import type { Revision } from '../api/revision.ts';
import { StoreError } from './errors.ts';
import type { Store } from './interface.ts';
import { pagesOf } from './pages-of.ts';
import { raise } from './raise.ts';

/** A store that can tell how long its keys still live. */
interface MigrationSource extends Pick<Store, 'list' | 'currentRevision'> {
  ttlSeconds(key: string): number | undefined;
}

const CONCURRENCY = 64;
/** The shortest life that stores give to a key. */
const LEAST_TTL_SECONDS = 1;

/**
 * Copies every object to an empty store. First the revisions of the new store
 * are brought above those of the old one by writes of no meaning, and in the end
 * its history is cut: a client that goes on from a revision of the old store is
 * told to read everything again, and never mistakes one object's state for another.
 *
 * @throws StoreError whose message is one line for the operator
 */
export async function migrate(
  from: MigrationSource,
  to: Store,
): Promise<{ items: number; revision: Revision }> {
  const { items: present } = await to.list({ prefix: '', limit: 1 });
  if (present[0] !== undefined) {
    throw new StoreError('unavailable', `the new store is not empty: it has ${present[0].key}`);
  }
  await raise(to, await from.currentRevision());
  let items = 0;
  for await (const page of pagesOf(from)) {
    await inParallel(page, CONCURRENCY, async ({ key, value }) => {
      const ttl = from.ttlSeconds(key);
      const options = ttl === undefined ? {} : { ttlSeconds: Math.max(LEAST_TTL_SECONDS, ttl) };
      const { outcome } = await to.create(key, value, options);
      if (outcome !== 'ok') throw new StoreError('unavailable', `another process writes ${key}`);
      items++;
    });
  }
  const revision = await to.currentRevision();
  await to.compact(revision);
  return { items, revision };
}
