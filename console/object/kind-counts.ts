import type { Kind } from '../api/kind.ts';

/** How many objects of a kind there are, with the names of some. */
export interface KindCount {
  readonly kind: Kind;
  readonly count: number;
  readonly names: readonly string[];
}

interface Named {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** Names that are given for each kind. */
export const MOST_NAMES = 5;

/**
 * Objects by kind, the most first.
 *
 * @param namespace of all of them; empty: names come with their namespaces
 */
export function countsOf(objects: readonly Named[], namespace: string): KindCount[] {
  const counts = new Map<Kind, { count: number; names: string[] }>();
  for (const { kind, namespace: own, name } of objects) {
    const here = counts.get(kind) ?? { count: 0, names: [] };
    here.count += 1;
    if (here.names.length < MOST_NAMES) {
      here.names.push(own === '' || own === namespace ? name : `${own}/${name}`);
    }
    counts.set(kind, here);
  }
  return mostFirst([...counts].map(([kind, here]) => ({ kind, ...here })));
}

/** Several counts as one. */
export function sumOf(all: readonly (readonly KindCount[])[]): KindCount[] {
  const sums = new Map<Kind, KindCount>();
  for (const { kind, count, names } of all.flat()) {
    const known = sums.get(kind);
    sums.set(kind, {
      ...{ kind, count: count + (known?.count ?? 0) },
      names: [...(known?.names ?? []), ...names].slice(0, MOST_NAMES),
    });
  }
  return mostFirst([...sums.values()]);
}

/** How many there are of all kinds together. */
export function totalOf(counts: readonly KindCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The counts, the highest first. */
export function mostFirst(counts: readonly KindCount[]): KindCount[] {
  return [...counts].sort((a, b) => b.count - a.count || a.kind.kind.localeCompare(b.kind.kind));
}
