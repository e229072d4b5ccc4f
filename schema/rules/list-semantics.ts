import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
  type Comparison,
  type Failure,
  isFailure,
  type ListSemantics,
} from '../../cel/value/value.ts';

/** A list that knows by which fields its items are told apart; none for sets. */
export interface KeyedList extends CelList {
  readonly keys: readonly string[];
}

function keysOf(list: CelList): readonly string[] {
  return 'keys' in list ? (list as KeyedList).keys : [];
}

const NOT_SCALAR = new CelError('listSet operations are only supported on lists of scalar values');

/** A text that is the same for equal scalars; an error for anything else. */
function scalarKey(value: CelValue): string | Failure {
  if (value === null) return 'null';
  if (typeof value !== 'object')
    return `${typeof value === 'bigint' ? 'number' : typeof value} ${value}`;
  if (value instanceof CelDouble) return `double ${value.value}`;
  if (value instanceof CelTimestamp) return `time ${value.nanoseconds}`;
  if (value instanceof CelDuration) return `duration ${value.nanoseconds}`;
  if (value instanceof CelBytes) return `bytes ${Buffer.from(value.value).toString('base64')}`;
  return isFailure(value) ? value : NOT_SCALAR;
}

/** A text that is the same for items with the same keys; absent keys are alike. */
function itemKey(item: CelValue, keys: readonly string[]): string | Failure {
  if (!(item instanceof CelMap)) return isFailure(item) ? item : NOT_SCALAR;
  const parts: string[] = [];
  for (const name of keys) {
    const value = item.get(name);
    const key = value === undefined ? '' : scalarKey(value);
    if (typeof key !== 'string') return key;
    parts.push(JSON.stringify(key));
  }
  return parts.join();
}

type KeyOf = (item: CelValue) => string | Failure;

/** The items by their keys, the last of those with the same one. */
function indexed(list: CelList, keyOf: KeyOf): Map<string, CelValue> | Failure {
  const map = new Map<string, CelValue>();
  for (let i = 0; i < list.length; i++) {
    const item = list.at(i);
    const key = keyOf(item);
    if (typeof key !== 'string') return key;
    map.set(key, item);
  }
  return map;
}

/**
 * Lists of type set: equal whatever the order; `X + Y` has the items of X and
 * then those of Y that are not in X.
 * Source: specification 3, section 2.1, rule semantics 5.
 */
export const SET_LIST: ListSemantics = {
  equals: (a, b) => {
    const left = indexed(a, scalarKey);
    const right = indexed(b, scalarKey);
    if (!(left instanceof Map)) return left;
    if (!(right instanceof Map)) return right;
    return left.size === right.size && [...left.keys()].every((key) => right.has(key));
  },
  concat: (a, b) => joined(a, b, scalarKey, SET_LIST, []),
};

/**
 * Lists of type map: equal whatever the order; `X + Y` keeps the places of X,
 * takes over the items of Y with the same keys and appends the others.
 */
export const MAP_LIST: ListSemantics = {
  equals: (a, b, comparison) => equalByKeys(a, b, keysOf(a), comparison),
  concat: (a, b) => joined(a, b, (item) => itemKey(item, keysOf(a)), MAP_LIST, keysOf(a)),
};

function equalByKeys(
  a: CelList,
  b: CelList,
  keys: readonly string[],
  comparison: Comparison,
): boolean | Failure {
  const keyOf: KeyOf = (item) => itemKey(item, keys);
  const left = indexed(a, keyOf);
  const right = indexed(b, keyOf);
  if (!(left instanceof Map)) return left;
  if (!(right instanceof Map)) return right;
  if (left.size !== right.size) return false;
  for (const [key, item] of left) {
    const other = right.get(key);
    if (other === undefined) return false;
    const same = comparison.equal(item, other);
    if (same !== true) return same;
  }
  return true;
}

function joined(
  a: CelList,
  b: CelList,
  keyOf: KeyOf,
  semantics: ListSemantics,
  keys: readonly string[],
): CelValue {
  const merged = indexed(a, keyOf);
  if (!(merged instanceof Map)) return merged;
  const added = indexed(b, keyOf);
  if (!(added instanceof Map)) return added;
  // a Map keeps the place of a key whose value is replaced
  for (const [key, item] of added) {
    if (semantics === MAP_LIST || !merged.has(key)) merged.set(key, item);
  }
  return new JoinedList([...merged.values()], semantics, keys);
}

/** The result of `+`, which is a set or map list again. */
class JoinedList extends CelList implements KeyedList {
  readonly keys: readonly string[];
  readonly #items: readonly CelValue[];
  readonly #semantics: ListSemantics;

  constructor(items: readonly CelValue[], semantics: ListSemantics, keys: readonly string[]) {
    super();
    this.#items = items;
    this.#semantics = semantics;
    this.keys = keys;
  }

  get length(): number {
    return this.#items.length;
  }

  at(index: number): CelValue {
    return this.#items[index] ?? null;
  }

  override get semantics(): ListSemantics {
    return this.#semantics;
  }
}
