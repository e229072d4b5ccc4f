import { badRequest } from '../api/api-error.ts';
import { decodeContinueToken } from './continue-token.ts';
import { expired } from './expired-page.ts';
import type { Caller } from '../watch/caller.ts';
import type { Entry } from '../watch/entry.ts';
import { narrowedNow, type Narrowed } from '../watch/narrowed.ts';
import { LATEST } from '../watch/reader.ts';
import { MemorySnapshot, type KeyRange, type Snapshot } from '../watch/snapshot.ts';
import { namespaceRange } from './key-ranges.ts';
import { listReadPoint, type ListOptions } from './list-options.ts';
import type { ListResult, Page } from './list-result.ts';
import type { RegistryParts } from './parts.ts';
import { orderedPage, orderOf } from './ordered-page.ts';
import {
  chunksIn,
  eachOf,
  MAX_AT_ONCE,
  pageAtOnce,
  pageOf,
  pageWithRest,
  selectedAtOnce,
} from './page-at-once.ts';
import type { ObjectOrder } from './places.ts';
import { selected } from './selected.ts';
import type { Selection } from './object-selection.ts';
import { selectionOf } from './selection.ts';
import type { Target } from './served-resource.ts';

/**
 * GET of a collection, at once where nothing has to be waited for.
 *
 * @throws ApiError (also as rejection) 400, 410 (with a token to go on by), 504
 */
export function list(
  parts: RegistryParts,
  target: Target,
  sent: ListOptions,
  caller?: Caller,
): ListResult | Promise<ListResult> {
  const selection = selectionOf(parts.views, target, sent);
  const order = orderOf(sent.orderBy, target.resource);
  // what is selected by its name is read by its name: a token is not looked at then
  const options = selection.isOne ? { ...sent, continueToken: '' } : sent;
  const opened = openedNow(parts, target, options, selection);
  let among: Reading['among'];
  if (order === undefined && opened !== undefined) {
    const { snapshot, range } = opened;
    const limit = limitOf(options);
    let page = pageAtOnce(parts, target, limit, { ...opened, selection });
    if (page === undefined && selection.isByLabels === true && selection.prepare === undefined) {
      among = narrowedNow(snapshot, range, selection);
      page = selectedAtOnce(parts, target, limit, { snapshot, among });
    }
    if (page !== undefined) return listed(parts, target, page, { range, rights: undefined });
  }
  return inTurns(parts, target, options, { selection, order, caller, opened, among });
}

/** How a list is read, beyond its options. */
interface Reading {
  readonly selection: Selection;
  readonly order: ObjectOrder | undefined;
  readonly caller: Caller | undefined;
  /** Undefined: it has to be waited for. */
  readonly opened: Opened | undefined;
  /** The objects to look at, where they are known already. */
  readonly among: Narrowed | Promise<Narrowed> | undefined;
}

/** The state that a list shows, and the part of it that it is of. */
interface Opened {
  readonly snapshot: Snapshot;
  readonly range: KeyRange;
}

async function inTurns(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  { selection, order, caller, opened, among }: Reading,
): Promise<ListResult> {
  const { snapshot, range } =
    opened ?? (await openSnapshot(parts, target, options, selection, caller));
  const from = { snapshot, range, selection, among };
  try {
    const result: Page =
      order !== undefined
        ? await ordered(parts, target, options, { ...from, order })
        : (pageAtOnce(parts, target, limitOf(options), from) ??
          (limitOf(options) === 0
            ? complete(parts, from)
            : await page(parts, target, options, from)));
    const ready =
      selection.prepare !== undefined
        ? await prepared(result, selection.prepare)
        : selection.mayRefuse === true
          ? { ...result, chunks: eachOf(await gathered(result)) }
          : result;
    return listed(parts, target, ready, { range, rights: options.rights });
  } catch (error) {
    throw options.continueToken === '' ? error : expired(error, target, range);
  }
}

/** Written out: a literal that spreads and goes on takes 1 µs (docs/performance.md). */
function listed(
  parts: RegistryParts,
  target: Target,
  { revision, continueToken, remaining, chunks, stretches, items }: Page,
  ofWhat: RangeInRights,
): ListResult {
  const unreadable = unreadableIn(parts, target, ofWhat);
  return { revision, continueToken, remaining, chunks, stretches, items, unreadable };
}

type RangeInRights = Pick<ListOptions, 'rights'> & { readonly range: KeyRange };

function unreadableIn(
  parts: RegistryParts,
  { resource }: Target,
  { range, rights }: RangeInRights,
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
function limitOf({ limit, resourceVersion, continueToken }: ListOptions): number {
  return resourceVersion === '0' && continueToken === '' ? 0 : limit;
}

function openedNow(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  { range }: Selection,
): Opened | undefined {
  if (options.continueToken !== '') return undefined;
  const snapshot = parts.reader.snapshotNow(target.resource.prefix, listReadPoint(options));
  return snapshot && { snapshot, range };
}

async function openSnapshot(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  selection: Selection,
  caller: Caller | undefined,
): Promise<Opened> {
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

/** The objects that a list is made of. */
interface From extends Opened {
  readonly selection: Selection;
  readonly among: Narrowed | Promise<Narrowed> | undefined;
}

/** Everything, streamed: nothing is gathered first, so a list of any size takes bounded memory. */
function complete(parts: RegistryParts, { snapshot, range, selection, among }: From): Page {
  const { revision } = snapshot;
  const all = { revision, continueToken: '', remaining: undefined };
  if (snapshot instanceof MemorySnapshot && selection.everything && !selection.prepare) {
    const stretches = [...snapshot.items.stretches(range.start, range.end)];
    return { ...all, chunks: eachOf(chunksIn(stretches)), stretches };
  }
  return { ...all, chunks: selected(parts, snapshot, range, selection, { among }) };
}

/** At most `limit` matching objects, however many have to be looked at (behaviours 4.5). */
async function page(
  parts: RegistryParts,
  target: Target,
  { limit }: ListOptions,
  { snapshot, range, selection, among }: From,
): Promise<Page> {
  const items: Entry[] = [];
  let more = false;
  // one more tells whether there are more
  const size = selection.everything ? Math.min(limit + 1, MAX_AT_ONCE) : undefined;
  for await (const entries of selected(parts, snapshot, range, selection, { size, among })) {
    const room = limit - items.length;
    more = entries.length > room;
    items.push(...(more ? entries.slice(0, room) : entries));
    if (more) break;
  }
  const last = items.at(-1);
  if (!more || last === undefined) return pageOf(snapshot, items);
  const behind = { start: `${last.key}\0`, end: range.end };
  const remaining = selection.everything ? await snapshot.count(behind) : undefined;
  return pageWithRest(parts, target, snapshot, items, remaining);
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
  if (remaining === 0) return pageOf(snapshot, items);
  return pageWithRest(parts, target, snapshot, items, remaining);
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
