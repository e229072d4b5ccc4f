import { signal } from '@preact/signals';
import { getJson, Refused, RETRY_MS } from '../api/http.ts';
import { at, jsonOf, listAt, textAt, type Json } from '../api/json.ts';
import { pathOf, type KindName } from '../api/kind.ts';
import { follow, refOf } from './live.ts';

const NAMESPACES: KindName = { group: '', version: 'v1', plural: 'namespaces' };
/** Names that are held; others are searched for on the server. */
const MOST_HELD = 1_000;

interface Names {
  /** In order, from the first on. */
  readonly held: readonly string[];
  /** Of all, held or not. */
  readonly total: number;
  /** False: the user may not list them, or they have not been read yet. */
  readonly isListed: boolean;
}
const NONE: Names = { held: [], total: 0, isListed: false };

/** The namespaces of the server, live. */
export const namespaces = signal(NONE);

let leave: (() => void) | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let reading: AbortController | undefined;

/**
 * Reads the names of namespaces and follows them, for the user who is signed in now;
 * stays without them where that is refused.
 */
export async function followNamespaces(): Promise<void> {
  namespaces.value = NONE;
  await read();
}

async function read(): Promise<void> {
  reading?.abort();
  const { signal: ended } = (reading = new AbortController());
  leave?.();
  leave = undefined;
  clearTimeout(retry);
  try {
    const list = await getJson(`${pathOf(NAMESPACES)}?fields=metadata.name&limit=${MOST_HELD}`, {
      signal: ended,
    });
    if (ended.aborted) return;
    const held = namesOf(list);
    const more = Number(at(list, 'metadata', 'remainingItemCount') ?? 0);
    namespaces.value = { held, total: held.length + more, isListed: true };
    listen(textAt(list, 'metadata', 'resourceVersion'));
  } catch (error) {
    if (ended.aborted) return;
    if (error instanceof Refused && error.code === 403) namespaces.value = NONE;
    else if (!(error instanceof Refused && error.code === 401)) {
      retry = setTimeout(() => void read(), RETRY_MS);
    }
  }
}

function listen(from: string): void {
  leave = follow({ ref: refOf(NAMESPACES), from, as: 'Table' }, (event) => {
    if (event.type === 'EXPIRED') void read();
    if (event.type !== 'ADDED' && event.type !== 'DELETED') return;
    const name = textAt(jsonOf(event.object), 'rows', 0, 'object', 'metadata', 'name');
    namespaces.value = changed(namespaces.value, name, event.type === 'ADDED');
  });
}

/** Names after one has come or gone. */
function changed({ held, total, isListed }: Names, name: string, isNew: boolean): Names {
  const others = held.filter((each) => each !== name);
  const isWhole = held.length >= total;
  // beyond the last name that is held come those that only the server knows
  const isHeld = isNew && (isWhole || name < (held.at(-1) ?? ''));
  return {
    held: isHeld ? [...others, name].sort() : others,
    total: total + (isNew ? 1 : -1),
    isListed,
  };
}

/** Whether it is known that there is no such namespace. */
export function isMissing(name: string): boolean {
  const { held, total, isListed } = namespaces.value;
  const isKnown = held.length >= total || name < (held.at(-1) ?? '');
  return isListed && isKnown && name !== '' && !held.includes(name);
}

interface Found {
  readonly names: readonly string[];
  /** How many more there are, at least. */
  readonly more: number;
}

/** Names that hold a text, a few of them: those that begin with it first. */
export function searchHeld(names: readonly string[], text: string, most: number): Found {
  const found = names.filter((name) => name.includes(text));
  const begin = found.filter((name) => name.startsWith(text));
  const ordered = [...begin, ...found.filter((name) => !name.startsWith(text))];
  return { names: ordered.slice(0, most), more: Math.max(0, ordered.length - most) };
}

/** The same, asked of the server, which knows those that are not held. @throws Refused, Unreachable */
export async function searchNamespaces(
  text: string,
  most: number,
  signal: AbortSignal,
): Promise<Found> {
  const query = new URLSearchParams({ fields: 'metadata.name', limit: String(most) });
  query.set('filter', `object.metadata.name.contains(${JSON.stringify(text)})`);
  const list = await getJson(`${pathOf(NAMESPACES)}?${query.toString()}`, { signal });
  return {
    names: namesOf(list),
    more: Number(at(list, 'metadata', 'remainingItemCount') ?? (hasMore(list) ? 1 : 0)),
  };
}

const hasMore = (list: Json): boolean => textAt(list, 'metadata', 'continue') !== '';

function namesOf(list: Json): string[] {
  return listAt(list, 'items').map((item) => textAt(item, 'metadata', 'name'));
}
