import type { ServedResource } from '../registry/served-resource.ts';
import type { Entry } from '../watch/entry.ts';
import { seenOf, type LoopWriter } from './writer.ts';

/**
 * Deletes the objects that still are what was seen, and tells how many. One that
 * cannot be deleted keeps nothing from being done to the others.
 *
 * @throws the first failure, when all have been tried
 */
export async function removeEach(
  writer: LoopWriter,
  resource: ServedResource,
  entries: Iterable<Entry>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  const failures: unknown[] = [];
  for (const entry of entries) {
    signal.throwIfAborted();
    const target = { resource, namespace: entry.namespace, name: entry.name };
    try {
      const { outcome } = await writer.remove(target, seenOf(entry), { signal });
      if (outcome === 'done') deleted++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}
