import type { Revision } from '../api/revision.ts';
import { StoreError } from './errors.ts';
import type { Store } from './interface.ts';

const CONCURRENCY = 64;
/** Behind all keys of the registry, whose names are groups and resources. */
const PADDING = '~migration/';

/**
 * Brings the revisions of a store to a target by writes of no meaning, of which
 * nothing stays but history.
 *
 * @throws StoreError
 */
export async function raise(to: Store, target: Revision): Promise<void> {
  // Each of some keys is written over and over until the revisions are high enough.
  const lanes = Array.from({ length: CONCURRENCY }, (_, i) => `${PADDING}${i}`);
  await Promise.all(
    lanes.map(async (key) => {
      const created = await to.create(key, Buffer.alloc(1));
      // One that was interrupted has left its keys: go on from there.
      const begin = created.outcome === 'exists' ? created.current : created;
      if (!('revision' in begin))
        throw new StoreError('unavailable', `another process writes ${key}`);
      let { revision } = begin;
      for (;;) {
        const last = revision >= target;
        const written = last
          ? await to.delete(key, revision)
          : await to.update(key, Buffer.alloc(1), revision);
        if (written.outcome !== 'ok') {
          throw new StoreError('unavailable', `another process writes ${key}`);
        }
        if (last) return;
        ({ revision } = written);
      }
    }),
  );
}
