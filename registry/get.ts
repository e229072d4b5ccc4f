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
 * The bytes of one stored object in the version that was asked for, at once where nothing has to be waited for.
 *
 * @throws ApiError (also as rejection) 404, 500 for an object whose defaults add too much, or what the store's failure means
 */
export function getObject(
  parts: RegistryParts,
  target: Target,
  point: ReadPoint,
  options: GetOptions = {},
): Buffer | Promise<Buffer> {
  const { resource, namespace, name } = target;
  const key = relativeKey(namespace, name);
  const found = parts.reader.get(resource.prefix, key, point, options.caller);
  if (found instanceof Promise) {
    return found.then((entry) => bytesOf(parts, target, point, entry, options));
  }
  return bytesOf(parts, target, point, found, options);
}

function bytesOf(
  parts: RegistryParts,
  target: Target,
  point: ReadPoint,
  entry: Entry | undefined,
  options: GetOptions,
): Buffer | Promise<Buffer> {
  const { resource, name } = target;
  if (entry === undefined) throw notFound(resource.groupResource, name);
  const { views } = parts;
  const made =
    point.at === 'latest' ? views.newestBytes(resource, entry) : views.bytes(resource, entry);
  const { selection } = options;
  return made instanceof Promise || selection !== undefined
    ? selected(parts, target, entry, made, options)
    : allowed(parts, target, entry, made, options);
}

async function selected(
  parts: RegistryParts,
  target: Target,
  entry: Entry,
  made: Buffer | Promise<Buffer>,
  options: GetOptions,
): Promise<Buffer> {
  const { selection } = options;
  const bytes = await made;
  if (selection !== undefined) {
    await selection.prepare?.([entry]);
    if (!leaves(selection, entry)) throw notFound(target.resource.groupResource, target.name);
  }
  return allowed(parts, target, entry, bytes, options);
}

/** @throws ApiError 500 for an object whose defaults add too much */
function allowed(
  { views }: RegistryParts,
  { resource }: Target,
  entry: Entry,
  bytes: Buffer,
  { metadataOnly }: GetOptions,
): Buffer {
  const refusal = views.refusal(resource, entry);
  if (refusal !== undefined && metadataOnly?.() !== true) throw refusal;
  return bytes;
}

function leaves(selection: Selection, entry: Entry): boolean {
  const { start, end } = selection.range;
  const { key } = entry;
  return key >= start && (end === undefined || key < end) && selection.matches(entry);
}
