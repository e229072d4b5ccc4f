import { getJson } from '../api/http.ts';
import { at, listAt, textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { inTurns } from '../parts/turns.ts';
import { listEach, type Unread } from '../api/lists.ts';
import { mostFirst, MOST_NAMES, type KindCount } from './kind-counts.ts';

/** What a namespace holds. */
export interface Contents {
  readonly counts: readonly KindCount[];
  readonly unread: Unread;
}

/**
 * How many objects of each kind a namespace holds, the most first; empty kinds are
 * left out.
 *
 * @throws Refused, Unreachable
 */
export async function contentsOf(
  kinds: readonly Kind[],
  namespace: string,
  signal?: AbortSignal,
): Promise<Contents> {
  const listed = kinds.filter(
    ({ namespaced, verbs }) => namespaced && verbs.has('list') && verbs.has('delete'),
  );
  const parameters = { fields: 'metadata.name', limit: String(MOST_NAMES) };
  const { lists, unread } = await listEach(listed, { namespace, parameters, signal });
  const all = [...lists];
  // what other servers keep is asked for kind by kind
  const others = listed.filter(({ kind }) => unread.elsewhere.includes(kind));
  const failed = await inTurns(others, async (kind) => {
    const query = `?limit=${MOST_NAMES}`;
    all.push([kind, await getJson(pathOf(kind, namespace) + query, signal && { signal })]);
  });
  const elsewhere = [...new Set(failed.map(({ item }) => item.kind))];
  return { counts: countsOfLists(all), unread: { forbidden: unread.forbidden, elsewhere } };
}

function countsOfLists(lists: readonly (readonly [Kind, Json])[]): KindCount[] {
  const seen = new Set<string>();
  const counts = lists.flatMap(([kind, list]): KindCount[] => {
    const items = listAt(list, 'items');
    const uid = textAt(items[0], 'metadata', 'uid');
    // some objects are served as two kinds
    if (items.length === 0 || seen.has(uid)) return [];
    seen.add(uid);
    const rest = Number(at(list, 'metadata', 'remainingItemCount') ?? 0);
    const names = items.map((item) => textAt(item, 'metadata', 'name'));
    return [{ kind, count: items.length + rest, names }];
  });
  return mostFirst(counts);
}
