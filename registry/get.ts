import { notFound } from '../api/api-error.ts';
import { relativeKey } from '../storage/keys.ts';
import type { Caller } from '../watch/caller.ts';
import type { Entry } from '../watch/entry.ts';
import type { ReadPoint } from '../watch/reader.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';
import { translateStoreError } from './store-errors.ts';

/**
 * The bytes of one stored object in the version that was asked for.
 *
 * @throws ApiError 404, or what the store's failure means
 */
export async function getObject(
  { reader, views }: RegistryParts,
  { resource, namespace, name }: Target,
  point: ReadPoint,
  caller?: Caller,
): Promise<Buffer> {
  let entry: Entry | undefined;
  try {
    entry = await reader.get(resource.prefix, relativeKey(namespace, name), point, caller);
  } catch (error) {
    throw translateStoreError(error);
  }
  if (entry === undefined) throw notFound(resource.groupResource, name);
  const bytes =
    point.at === 'latest' ? views.newestBytes(resource, entry) : views.bytes(resource, entry);
  return bytes instanceof Promise ? await bytes : bytes;
}
