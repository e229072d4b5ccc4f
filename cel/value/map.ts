import { CelDouble, CelMap, CelUint, type CelValue } from './value.ts';

/** Maps of more keys are kept in another form by the engine, which lists them far more slowly. */
const MAX_QUICK_KEYS = 2_000;
const KEY_WORK = 20;
const SLOW_KEY_WORK = 200;

/** Work of listing or counting so many keys. */
export function keyWork(count: number): number {
  return count * (count > MAX_QUICK_KEYS ? SLOW_KEY_WORK : KEY_WORK);
}

/** What a key is looked up by: equal keys of different number types are one key. */
export type MapKey = string | boolean | number | bigint;

/** The look-up key of a value; undefined when a value of this kind can never be a key. */
export function mapKey(value: CelValue): MapKey | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    default:
      if (value instanceof CelUint) return smallest(value.value);
      if (value instanceof CelDouble && Number.isInteger(value.value)) {
        return smallest(BigInt(value.value));
      }
      return undefined;
  }
}

function smallest(value: bigint): MapKey {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

interface Entry {
  key: CelValue;
  value: CelValue;
}

/** A map made by an expression. Keys are kept apart from JavaScript objects altogether. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<MapKey, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const look = mapKey(key);
    return look === undefined ? undefined : this.#entries.get(look)?.value;
  }

  keys(): readonly CelValue[] {
    return Array.from(this.#entries.values(), (entry) => entry.key);
  }

  /** Adds an entry while the map is being made. False when the key is there already. */
  insert(look: MapKey, key: CelValue, value: CelValue): boolean {
    if (this.#entries.has(look)) return false;
    this.#entries.set(look, { key, value });
    return true;
  }

  copy(): EntryMap {
    const copy = new EntryMap();
    for (const [look, entry] of this.#entries) copy.#entries.set(look, entry);
    return copy;
  }
}

/** A map from strings, as libraries hand it out. */
export function mapOfStrings(entries: Iterable<[string, CelValue]>): EntryMap {
  const map = new EntryMap();
  for (const [key, value] of entries) map.insert(key, key, value);
  return map;
}
