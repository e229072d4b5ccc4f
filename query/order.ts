import { readCommaList, type ReadList } from './comma-list.ts';
import { compareValues, type SortValue } from './sort-value.ts';
import { readValuePath, type ValuePath } from './value-path.ts';

/** One key of an order. */
export interface OrderKey {
  readonly path: ValuePath;
  readonly descending: boolean;
}

const MAX_ORDER_KEYS = 3;

/** Reads `spec.priority:desc,metadata.creationTimestamp`; `:asc` is the default. */
export function parseOrder(text: string): ReadList<OrderKey> {
  return readCommaList(text, {
    readItem(scanner) {
      const read = readValuePath(scanner);
      if ('error' in read) return read;
      const descending = scanner.take(':desc');
      if (!descending) scanner.take(':asc');
      return { item: { path: read.path, descending } };
    },
    max: MAX_ORDER_KEYS,
    tooMany: `at most ${MAX_ORDER_KEYS} keys`,
  });
}

/** Something that has a place in an order. */
export interface Ranked {
  readonly values: readonly SortValue[];
  /** `<namespace>/<name>`, or `<name>` for cluster scope. */
  readonly key: string;
}

/**
 * Which of two comes first. What has no value comes last in either direction;
 * what is equal is ordered by namespace and name.
 */
export function comparison(keys: readonly OrderKey[]): (a: Ranked, b: Ranked) => number {
  return (a, b) => {
    for (let i = 0; i < keys.length; i++) {
      const compared = compareByKey(a.values[i], b.values[i], keys[i]?.descending === true);
      if (compared !== 0) return compared;
    }
    return compareByName(a.key, b.key);
  };
}

/** Which of two keys comes first by namespace and then by name: `a-b/x` behind `a/x`, although `-` is smaller than `/`. */
export function compareByName(a: string, b: string): number {
  const [slashA, slashB] = [a.indexOf('/'), b.indexOf('/')];
  if (slashA === slashB) return compareTexts(a, b);
  return compareTexts(a.slice(0, slashA), b.slice(0, slashB));
}

/** Which of two values comes first by one key. */
export function compareByKey(x: SortValue, y: SortValue, descending: boolean): number {
  if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
  const compared = compareValues(x, y);
  return descending ? -compared : compared;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
