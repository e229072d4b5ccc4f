import { notFound } from '../api/api-error.ts';
import { relativeKey } from '../storage/keys.ts';
import type { Caller } from '../watch/caller.ts';
import type { Entry } from '../watch/entry.ts';
import type { ReadPoint } from '../watch/reader.ts';
import type { RegistryParts } from './parts.ts';
import type { Selection } from './object-selection.ts';
import type { Target } from './served-resource.ts';

export interface GetOptions {
  readonly caller?: Caller | undefined;
  /** Whether only the metadata will be shown: then the bytes need not have defaults. */
  readonly metadataOnly?: () => boolean;
  /** An object that it leaves out counts as absent. */
  readonly selection?: Selection | undefined;
}

/**
 * The bytes of one stored object in the version that was asked for.
 *
 * @throws ApiError 404, 500 for an object whose defaults add too much, or what the store's failure means
 */
export async function getObject(
  { reader, views }: RegistryParts,
  { resource, namespace, name }: Target,
  point: ReadPoint,
  { caller, metadataOnly, selection }: GetOptions = {},
): Promise<Buffer> {
  const found = reader.get(resource.prefix, relativeKey(namespace, name), point, caller);
  const entry = found instanceof Promise ? await found : found;
  if (entry === undefined) throw notFound(resource.groupResource, name);
  const made =
    point.at === 'latest' ? views.newestBytes(resource, entry) : views.bytes(resource, entry);
  const bytes = made instanceof Promise ? await made : made;
  if (selection !== undefined) {
    await selection.prepare?.([entry]);
    if (!leaves(selection, entry)) throw notFound(resource.groupResource, name);
  }
  const refusal = views.refusal(resource, entry);
  if (refusal !== undefined && metadataOnly?.() !== true) throw refusal;
  return bytes;
}

function leaves(selection: Selection, entry: Entry): boolean {
  const { start, end } = selection.range;
  const { key } = entry;
  return key >= start && (end === undefined || key < end) && selection.matches(entry);
}
