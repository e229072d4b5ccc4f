import { show, shown, type List, type Version, type View, type Violation } from './history.ts';
import type { Truth } from './truth.ts';

/** Every list is the state at exactly the revision that it tells, nothing more and nothing less. */
export function checkLists(truth: Truth, lists: readonly List[]): Violation[] {
  return lists.flatMap((list) => {
    const { pages = [] } = list;
    if (pages.some((revision) => revision !== list.revision)) {
      const what = `${list.client}: ${pages.join(', ')}`;
      return [{ guarantee: 'all pages of a list are of one revision', what }];
    }
    const expected = truth.snapshot(list.revision, list.color);
    const difference = differenceOf(expected, list.items, list);
    if (difference === undefined) return [];
    const what = `${list.client} listed at ${list.revision}: ${difference}`;
    return [{ guarantee: 'a list is the state at its revision', what }];
  });
}

function differenceOf(
  expected: ReadonlyMap<string, Version>,
  items: readonly Version[],
  view: View,
): string | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    if (seen.has(item.key)) return `${item.key} twice`;
    seen.add(item.key);
    const right = expected.get(item.key);
    if (right?.revision !== item.revision || shown(right, view).value !== item.value) {
      return `${show(item)} instead of ${show(right)}`;
    }
  }
  for (const [key, version] of expected) if (!seen.has(key)) return `${show(version)} is missing`;
  return undefined;
}
