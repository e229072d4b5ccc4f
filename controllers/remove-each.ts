import type { ServedResource } from '../registry/served-resource.ts';
import type { Entry } from '../watch/entry.ts';
import { attemptEach } from './attempt-each.ts';
import { seenOf, type LoopWriter } from './writer.ts';

/**
 * Deletes the objects that still are what was seen, and tells how many.
 *
 * @throws as {@link attemptEach}
 */
export async function removeEach(
  writer: LoopWriter,
  resource: ServedResource,
  entries: Iterable<Entry>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  await attemptEach(entries, { signal }, async (entry) => {
    const target = { resource, namespace: entry.namespace, name: entry.name };
    const { outcome } = await writer.remove(target, seenOf(entry), { signal });
    if (outcome === 'done') deleted++;
  });
  return deleted;
}
