import { apiError, badRequest } from '../api/api-error.ts';
import { inTurns } from '../api/steps.ts';
import { Turn } from '../api/turn.ts';
import { FirstOfOrder } from '../api/first-of-order.ts';
import { comparison, parseOrder } from '../query/order.ts';
import { resolvePath } from '../query/resolve-path.ts';
import type { Entry } from '../watch/entry.ts';
import { MemorySnapshot, type Snapshot } from '../watch/snapshot.ts';
import { indexId } from './index-terms.ts';
import type { RegistryParts } from './parts.ts';
import { Places, type ObjectOrder, type Place } from './places.ts';
import { LARGE_BYTES } from './large-objects.ts';
import { selected } from './selected.ts';
import type { Selection } from './object-selection.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * Reads the parameter `orderBy`; undefined when it is empty.
 *
 * @throws ApiError 400
 */
export function orderOf(text: string, resource: ServedResource): ObjectOrder | undefined {
  if (text === '') return undefined;
  const parsed = parseOrder(text);
  if ('error' in parsed) throw badRequest(`invalid orderBy: ${parsed.error}`);
  const schema = resource.version.schema();
  return parsed.items.map((key) => {
    const resolved = resolvePath(schema, key.path);
    if ('error' in resolved) throw badRequest(`invalid orderBy: ${resolved.error}`);
    if (resolved.kind === 'tree') {
      const path = JSON.stringify(key.path.text);
      throw badRequest(`invalid orderBy: path ${path} holds more than one value`);
    }
    return { ...key, kind: resolved.kind };
  });
}

/** An order is indexed when pages of it have been asked for so often. */
const ASKS_BEFORE_ORDER = 2;

interface OrderedPage {
  readonly items: readonly Entry[];
  /** Objects behind the page. */
  readonly remaining: number;
}

interface Asked {
  readonly resource: ServedResource;
  readonly order: ObjectOrder;
  readonly selection: Selection;
  /** 0: all of them. */
  readonly limit: number;
  /** The last object of the page before; undefined for the first page. */
  readonly after: string | undefined;
}

/**
 * The first objects of an order that come after a place in it. It looks at every
 * object of the selection and holds as many as the page has, as references.
 *
 * @throws ApiError 400 or 410 when the place does not exist
 */
export async function orderedPage(
  parts: RegistryParts,
  snapshot: Snapshot,
  { resource, order, selection, limit, after }: Asked,
): Promise<OrderedPage> {
  const { clock, views } = parts;
  const places = new Places(views, resource, order);
  const compare: (a: Place, b: Place) => number = comparison(order);
  const place =
    after === undefined ? undefined : places.of(await placeOf(snapshot, selection, after));
  const isWhole = selection.everything && selection.prepare === undefined && limit > 0;
  if (isWhole && snapshot instanceof MemorySnapshot && !snapshot.indexes.hasUnreadable) {
    const name = `order ${order.map(({ path, descending }) => path.text + (descending ? ':desc' : '')).join()}`;
    const asked = { id: indexId(views, resource, name), asksBefore: ASKS_BEFORE_ORDER };
    const part = await snapshot.indexes.inOrder(snapshot, selection.range, {
      order: { ...asked, place: (entry) => places.of(entry), compare },
      limit,
      after: place,
    });
    if (part !== undefined) return part;
  }
  const first = new FirstOfOrder<Place>(limit === 0 ? Infinity : limit, compare);
  const turn = new Turn(clock);
  let found = 0;
  for await (const entries of selected(parts, snapshot, selection.range, selection)) {
    await selection.prepare?.(entries);
    const chunk: Place[] = [];
    const { last } = first;
    for (const entry of entries) {
      // it may have been forgotten since
      const again = selection.prepare?.([entry]);
      if (again !== undefined) await again;
      // most objects are far behind the page, and nothing is made for them
      const item = last === undefined ? places.of(entry) : places.before(entry, last);
      if (item === undefined) found++;
      else if (place === undefined || compare(item, place) > 0) chunk.push(item);
      const isLarge = entry.bytes.length > LARGE_BYTES;
      if (isLarge ? turn.isLate() : turn.over()) await turn.next();
    }
    found += chunk.length;
    await inTurns(first.add(chunk), clock);
  }
  const items = (await inTurns(first.take(), clock)).map(({ entry }) => entry);
  return { items, remaining: found - items.length };
}

/** A token may be made up: it tells nothing of objects that the list does not show. */
async function placeOf(snapshot: Snapshot, selection: Selection, key: string): Promise<Entry> {
  const entry = await snapshot.get(key);
  if (entry === undefined || entry.corrupt) throw placeGone();
  await selection.prepare?.([entry]);
  const { start, end } = selection.range;
  const rangeErrors = key >= start && (end === undefined || key < end);
  if (!rangeErrors || !selection.matches(entry)) throw placeGone();
  return entry;
}

function placeGone(): Error {
  return apiError(
    410,
    'Expired',
    'The object with which the page before ended is not part of the list; start it again without the continue parameter.',
  );
}
