import { parseExact } from '../../client/exact.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { entriesAt, isMap, listAt, textAt } from '../api/json.ts';
import {
  hasKeys,
  isDataMap,
  own,
  put,
  sameData,
  type Data,
  type DataMap,
  type Path,
} from './data.ts';
import { changesOf, type ListKeys } from './merge.ts';

/** The name under which the console owns fields. */
export const MANAGER = 'plinth-console';

/** How a change is written. */
export type Plan =
  | { readonly kind: 'nothing' }
  /** Server-side apply of the changed fields, and of those that the console owns already. */
  | { readonly kind: 'apply'; readonly config: Data }
  /** The whole object under its revision: applying cannot remove fields of other owners. */
  | { readonly kind: 'replace'; readonly object: Data };

/** What identifies an object; every configuration carries it. */
const IDENTITY = ['name', 'namespace'];

/** How to make `now` of `before`. `owned`: fieldsV1 of the console in managedFields, or {}. */
export function planOf(before: Data, now: Data, owned: Json, keysOf: ListKeys): Plan {
  const changes = changesOf(before, now, keysOf);
  if (changes.length === 0) return { kind: 'nothing' };
  if (changes.some(({ after }) => after === undefined) || !isDataMap(now)) {
    return { kind: 'replace', object: now };
  }
  const config = partOf(before, now, owned, keysOf, []);
  const whole: DataMap = isDataMap(config) ? config : {};
  put(whole, 'apiVersion', own(now, 'apiVersion') ?? '');
  put(whole, 'kind', own(now, 'kind') ?? '');
  const metadata = own(whole, 'metadata');
  const named: DataMap = isDataMap(metadata) ? metadata : {};
  const full = own(now, 'metadata');
  for (const name of IDENTITY) {
    const value = isDataMap(full) ? own(full, name) : undefined;
    if (value !== undefined) put(named, name, value);
  }
  put(whole, 'metadata', named);
  return { kind: 'apply', config: whole };
}

/** The part of `now` that differs from `before` or is owned; undefined: nothing of it. */
function partOf(
  before: Data | undefined,
  now: Data,
  owned: Json | undefined,
  keysOf: ListKeys,
  path: Path,
): Data | undefined {
  const isOwned = isMap(owned);
  if (sameData(before, now) && !isOwned) return undefined;
  if (isDataMap(now) && (isDataMap(before) || before === undefined)) {
    if (before === undefined) return now;
    const part: DataMap = {};
    for (const [key, value] of Object.entries(now)) {
      const inner = partOf(own(before, key), value, child(owned, `f:${key}`), keysOf, [
        ...path,
        key,
      ]);
      if (inner !== undefined) put(part, key, inner);
    }
    // an empty map that is owned stays one
    return Object.keys(part).length > 0 || Object.keys(now).length === 0 || isLeaf(owned)
      ? part
      : undefined;
  }
  const keys = keysOf(path);
  if (Array.isArray(now) && Array.isArray(before) && keys !== undefined) {
    const items = now.flatMap((item) => itemPart(before, item, keys, owned, keysOf, path));
    return items.length === 0 ? undefined : items;
  }
  return now;
}

function itemPart(
  before: readonly Data[],
  item: Data,
  names: readonly string[],
  owned: Json | undefined,
  keysOf: ListKeys,
  path: Path,
): Data[] {
  if (!isDataMap(item)) return [item];
  const keys: Record<string, Data> = {};
  for (const name of names) keys[name] = own(item, name) ?? null;
  const old = before.find((each) => hasKeys(each, keys));
  const mine = entriesAt(owned ?? null).find(([key]) => isItem(key, keys))?.[1];
  const part = partOf(old, item, mine, keysOf, [...path, { keys }]);
  if (part === undefined) return [];
  return [isDataMap(part) ? { ...keys, ...part } : part];
}

function isItem(key: string, keys: Readonly<Record<string, Data>>): boolean {
  if (!key.startsWith('k:')) return false;
  try {
    return sameData(parseExact(key.slice(2)) as Data, { ...keys });
  } catch {
    return false;
  }
}

function child(owned: Json | undefined, key: string): Json | undefined {
  return isMap(owned) && Object.hasOwn(owned, key) ? owned[key] : undefined;
}

function isLeaf(owned: Json | undefined): boolean {
  return isMap(owned) && Object.keys(owned).every((key) => key === '.');
}

/** What the console owns of an object by applying. */
export function ownedFields(object: Json | undefined): JsonMap {
  const entry = listAt(object, 'metadata', 'managedFields').find(
    (each) =>
      textAt(each, 'manager') === MANAGER &&
      textAt(each, 'operation') === 'Apply' &&
      textAt(each, 'subresource') === '',
  );
  const fields = isMap(entry) ? entry.fieldsV1 : undefined;
  return isMap(fields) ? fields : {};
}
