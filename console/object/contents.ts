import { getJson } from '../api/http.ts';
import { at } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { inTurns } from '../parts/turns.ts';

/** How many objects of each kind a namespace holds, the most first; empty kinds are left out. */
export async function contentsOf(
  kinds: readonly Kind[],
  namespace: string,
): Promise<(readonly [Kind, number])[]> {
  const counts: (readonly [Kind, number])[] = [];
  const listed = kinds.filter(({ namespaced, verbs }) => namespaced && verbs.has('list'));
  await inTurns(listed, async (kind) => {
    const answer = await getJson(`${pathOf(kind, namespace)}?count=true`);
    const count = Number(at(answer, 'count') ?? 0);
    if (count > 0) counts.push([kind, count]);
  });
  return counts.sort(([, a], [, b]) => b - a);
}
