import { notFound } from '../api/api-error.ts';
import { relativeKey } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import type { ReadPoint } from '../watch/reader.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';
import { translated } from './store-errors.ts';

/**
 * One stored object.
 *
 * @throws ApiError 404, or what the store's failure means
 */
export async function getEntry(
  parts: RegistryParts,
  target: Target,
  point: ReadPoint,
  signal?: AbortSignal,
): Promise<Entry> {
  const { resource, namespace, name } = target;
  const key = relativeKey(namespace, name);
  const entry = await translated(() => parts.reader.get(resource.prefix, key, point, signal));
  if (entry === undefined) throw notFound(resource.groupResource, name);
  return entry;
}

/** The object's bytes in the version that was asked for. */
export async function getObject(
  parts: RegistryParts,
  target: Target,
  point: ReadPoint,
  signal?: AbortSignal,
): Promise<Buffer> {
  const entry = await getEntry(parts, target, point, signal);
  const { views } = parts;
  const bytes =
    point.at === 'latest'
      ? views.newestBytes(target.resource, entry)
      : views.bytes(target.resource, entry);
  return bytes instanceof Promise ? await bytes : bytes;
}
