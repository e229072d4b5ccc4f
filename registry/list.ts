import { apiError, badRequest } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { isStoreError } from '../storage/errors.ts';
import type { Caller } from '../watch/caller.ts';
import type { Entry } from '../watch/entry.ts';
import { LATEST } from '../watch/reader.ts';
import type { KeyRange, Snapshot } from '../watch/snapshot.ts';
import { listReadPoint, type ListOptions } from './list-options.ts';
import type { RegistryParts } from './parts.ts';
import { orderedPage, orderOf } from './ordered-page.ts';
import type { ObjectOrder } from './places.ts';
import { selected } from './selected.ts';
import type { Selection } from './object-selection.ts';
import { namespaceRange, selectionOf } from './selection.ts';
import type { Target } from './served-resource.ts';

/** Objects of a collection at one revision, as references; their bytes are put together when they are sent. */
export interface ListResult {
  readonly revision: Revision;
  /** Empty: the list is complete. */
  readonly continueToken: string;
  /** Objects after this page; undefined where a selector makes it unknown. */
  readonly remaining: number | undefined;
  /** Keys of the objects in the range that cannot be read: the list goes without them. */
  readonly unreadable: readonly string[];
  /** In key order; each chunk is about a millisecond of work. */
  readonly chunks: AsyncIterable<Entry[]>;
  /** All of them, where they are few and gathered already. */
  readonly items?: readonly Entry[] | undefined;
}

/**
 * GET of a collection.
 *
 * @throws ApiError 400, 410 (with a token to go on by), 504
 */
export async function list(
  parts: RegistryParts,
  target: Target,
  sent: ListOptions,
  caller?: Caller,
): Promise<ListResult> {
  const selection = selectionOf(parts.views, target, sent);
  const order = orderOf(sent.orderBy, target.resource);
  // what is selected by its name is read by its name: a token is not looked at then
  const options = selection.isOne ? { ...sent, continueToken: '' } : sent;
  const { snapshot, range } = await openSnapshot(parts, target, options, selection, caller);
  try {
    const from = { snapshot, range, selection };
    const result: Page =
      order !== undefined
        ? await ordered(parts, target, options, { ...from, order })
        : options.limit === 0 || isFromAnyState(options)
          ? complete(parts, snapshot, range, selection)
          : await page(parts, target, options, from);
    const ready =
      selection.prepare !== undefined
        ? await prepared(result, selection.prepare)
        : selection.mayRefuse === true
          ? { ...result, chunks: eachOf(await gathered(result)) }
          : result;
    return { ...ready, unreadable: unreadableIn(parts, target, { ...options, range }) };
  } catch (error) {
    throw options.continueToken === '' ? error : expired(error, target, range);
  }
}

type Page = Omit<ListResult, 'unreadable'>;

function unreadableIn(
  parts: RegistryParts,
  { resource }: Target,
  { range, rights }: Pick<ListOptions, 'rights'> & { range: KeyRange },
): string[] {
  const { unreadable, items } = parts.reader.replica.collection(resource.prefix);
  if (unreadable.size === 0) return [];
  const { start, end } = range;
  return [...unreadable].filter((key) => {
    if (key < start || (end !== undefined && key >= end)) return false;
    if (rights === undefined) return true;
    const entry = items.get(key);
    return entry !== undefined && rights.prepare([entry]) === undefined && rights.allows(entry);
  });
}

/**
 * A list of whatever state is at hand is answered whole: it costs no more than a
 * page, and clients that read so have never been given pages (behaviours 4).
 */
function isFromAnyState({ resourceVersion, continueToken }: ListOptions): boolean {
  return resourceVersion === '0' && continueToken === '';
}

async function openSnapshot(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  selection: Selection,
  caller: Caller | undefined,
): Promise<{ snapshot: Snapshot; range: KeyRange }> {
  const { prefix } = target.resource;
  const { range } = selection;
  if (options.continueToken === '') {
    const point = listReadPoint(options);
    const snapshot = await parts.reader.snapshot(prefix, point, caller);
    return { snapshot, range };
  }
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const base = namespaceRange(target.namespace).start;
  const token = decodeContinueToken(base, options.continueToken);
  if (!token.ok) throw badRequest(`invalid continue token: ${token.message}`);
  const start = `${token.after}\0`;
  if (start < range.start) throw badRequest('continue key is not valid: it lies before the list');
  const point =
    token.revision === undefined ? LATEST : ({ at: 'exact', revision: token.revision } as const);
  try {
    const snapshot = await parts.reader.snapshot(prefix, point, caller);
    return { snapshot, range: { start, end: range.end } };
  } catch (error) {
    throw expired(error, target, { start });
  }
}

/** Everything, streamed: nothing is gathered first, so a list of any size takes bounded memory. */
function complete(
  parts: RegistryParts,
  snapshot: Snapshot,
  range: KeyRange,
  selection: Selection,
): Page {
  return {
    revision: snapshot.revision,
    continueToken: '',
    remaining: undefined,
    chunks: selected(parts, snapshot, range, selection),
  };
}

/** Objects of a page that are taken, or answered, together. */
const MAX_AT_ONCE = 1_000;

/** At most `limit` matching objects, however many have to be looked at (behaviours 4.5). */
async function page(
  parts: RegistryParts,
  target: Target,
  { limit }: ListOptions,
  from: { snapshot: Snapshot; range: KeyRange; selection: Selection },
): Promise<Page> {
  const { snapshot, range, selection } = from;
  const items: Entry[] = [];
  let more = false;
  // one more tells whether there are more
  const size = selection.everything ? Math.min(limit + 1, MAX_AT_ONCE) : undefined;
  for await (const entries of selected(parts, snapshot, range, selection, size)) {
    const room = limit - items.length;
    more = entries.length > room;
    items.push(...(more ? entries.slice(0, room) : entries));
    if (more) break;
  }
  const last = items.at(-1);
  if (!more || last === undefined) return whole(snapshot, items);
  parts.reader.pin(target.resource.prefix, snapshot);
  const after = `${last.key}\0`;
  const base = namespaceRange(target.namespace).start;
  return {
    ...whole(snapshot, items),
    continueToken: encodeContinueToken(base, { after: last.key, revision: snapshot.revision }),
    remaining: selection.everything
      ? await snapshot.count({ start: after, end: range.end })
      : undefined,
  };
}

/** A page in an order; it goes on behind its last object, at the same revision. */
async function ordered(
  parts: RegistryParts,
  target: Target,
  { limit, continueToken }: ListOptions,
  from: { snapshot: Snapshot; range: KeyRange; selection: Selection; order: ObjectOrder },
): Promise<Page> {
  const { snapshot, range, selection, order } = from;
  const { items, remaining } = await orderedPage(parts, snapshot, {
    resource: target.resource,
    order,
    selection,
    limit,
    after: continueToken === '' ? undefined : range.start.slice(0, -1),
  });
  const last = items.at(-1);
  if (remaining === 0 || last === undefined) return whole(snapshot, items);
  parts.reader.pin(target.resource.prefix, snapshot);
  const base = namespaceRange(target.namespace).start;
  return {
    ...whole(snapshot, items),
    continueToken: encodeContinueToken(base, { after: last.key, revision: snapshot.revision }),
    remaining,
  };
}

/** All of a page, before the answer begins: what is refused on the way is refused then. */
async function gathered({ chunks }: Page, prepare?: Selection['prepare']): Promise<Entry[][]> {
  const all: Entry[][] = [];
  for await (const entries of chunks) {
    await prepare?.(entries);
    all.push(entries);
  }
  return all;
}

/** An object that cannot be converted fails the whole list, so all are converted before the answer begins. */
async function prepared(result: Page, prepare: NonNullable<Selection['prepare']>): Promise<Page> {
  const chunks = await gathered(result, prepare);
  return {
    ...result,
    chunks: (async function* () {
      for (const chunk of chunks) {
        // what was forgotten meanwhile is made again, many at a time
        for (let at = 0; at < chunk.length; at += AT_ONCE) {
          const entries = chunk.slice(at, at + AT_ONCE);
          await prepare(entries);
          yield entries;
        }
      }
    })(),
  };
}

/** Converted objects that are sent together. */
const AT_ONCE = 100;

/** Objects of a page that are handed out together. */
const PAGE_CHUNK = 500;

function whole(snapshot: Snapshot, items: readonly Entry[]): Page {
  return {
    revision: snapshot.revision,
    continueToken: '',
    remaining: undefined,
    chunks: eachOf(slicesOf(items)),
    items: items.length > MAX_AT_ONCE ? undefined : items,
  };
}

function* slicesOf(items: readonly Entry[]): Iterable<Entry[]> {
  for (let i = 0; i < items.length; i += PAGE_CHUNK) yield items.slice(i, i + PAGE_CHUNK);
}

// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* eachOf(chunks: Iterable<Entry[]>): AsyncIterable<Entry[]> {
  yield* chunks;
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. ' +
  'You can start a new list without the continue parameter, or use the continue token in this ' +
  'response to retrieve the remainder of the results. Continuing with the provided token results ' +
  'in an inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

/** An expired page comes with a token that goes on at the present revision (behaviours 4.3). */
function expired(error: unknown, { namespace }: Target, range: KeyRange): unknown {
  if (!isStoreError(error, 'compacted')) return error;
  const base = namespaceRange(namespace).start;
  const status = apiError(410, 'Expired', CONTINUE_EXPIRED);
  const after = range.start.slice(0, -1);
  status.status.metadata.continue = encodeContinueToken(base, { after, revision: undefined });
  return status;
}
