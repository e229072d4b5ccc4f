import {
  hasKeys,
  isDataMap,
  own,
  sameData,
  withData,
  type Data,
  type Path,
  type Step,
} from './data.ts';

/** Tells which lists are maps by some of their keys; undefined: the list is one value. */
export type ListKeys = (path: Path) => readonly string[] | undefined;

/** A difference between two documents. */
interface Change {
  readonly path: Path;
  /** Undefined: it was not there. */
  readonly before: Data | undefined;
  /** Undefined: it is gone. */
  readonly after: Data | undefined;
}

/** How one document becomes the other: the smallest values that differ. */
export function changesOf(
  before: Data | undefined,
  after: Data | undefined,
  keysOf: ListKeys,
  path: Path = [],
): Change[] {
  if (sameData(before, after)) return [];
  if (isDataMap(before) && isDataMap(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      changesOf(own(before, name), own(after, name), keysOf, [...path, name]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const keys = keysOf(path);
    const items = keys && byKeys(before, after, keys);
    if (items !== undefined) {
      return items.flatMap(({ step, old, now }) => changesOf(old, now, keysOf, [...path, step]));
    }
  }
  return [{ path, before, after }];
}

interface Item {
  readonly step: Step;
  readonly old: Data | undefined;
  readonly now: Data | undefined;
}

/** Pairs of items with the same keys; undefined where an item lacks one, or two share them. */
function byKeys(before: Data[], after: Data[], names: readonly string[]): Item[] | undefined {
  const items: Item[] = [];
  const seen = new Set<string>();
  for (const item of [...before, ...after]) {
    if (!isDataMap(item)) return undefined;
    const keys: Record<string, Data> = {};
    for (const name of names) {
      const value = own(item, name);
      if (value === undefined || typeof value === 'object') return undefined;
      keys[name] = value;
    }
    const id = JSON.stringify(Object.values(keys).map(String));
    if (seen.has(id)) continue;
    seen.add(id);
    const same = (list: Data[]): Data[] => list.filter((each) => hasKeys(each, keys));
    const [old, now] = [same(before), same(after)];
    if (old.length > 1 || now.length > 1) return undefined;
    items.push({ step: { keys }, old: old[0], now: now[0] });
  }
  return items;
}

/** What was changed here and there since both began with the same document. */
interface Clash {
  readonly path: Path;
  readonly mine: Data | undefined;
  readonly theirs: Data | undefined;
}

/** Places that both sides have changed, to different values. */
export function clashesOf(base: Data, mine: Data, theirs: Data, keysOf: ListKeys): Clash[] {
  const other = changesOf(base, theirs, keysOf);
  return changesOf(base, mine, keysOf).flatMap(({ path, after }) => {
    const clash = other.find((change) => overlap(change.path, path));
    if (clash === undefined || (sameData(clash.after, after) && clash.path.length === path.length))
      return [];
    return [{ path, mine: after, theirs: clash.after }];
  });
}

/**
 * Their document with what was changed here. Of clashes, those of which `isMine`
 * holds are taken from here.
 */
export function merged(
  base: Data,
  mine: Data,
  theirs: Data,
  keysOf: ListKeys,
  isMine: (path: Path) => boolean,
): Data {
  const clashes = clashesOf(base, mine, theirs, keysOf);
  return changesOf(base, mine, keysOf)
    .filter(({ path }) => !clashes.some((clash) => samePath(clash.path, path)) || isMine(path))
    .reduce<Data>((document, { path, after }) => withData(document, path, after), theirs);
}

/** Compares by content, step by step. */
export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, i) => sameStep(step, b[i]));
}

/** Whether one path leads to the other, or through it. */
function overlap(a: Path, b: Path): boolean {
  const length = Math.min(a.length, b.length);
  return samePath(a.slice(0, length), b.slice(0, length));
}

function sameStep(a: Step, b: Step | undefined): boolean {
  if (typeof a === 'object' && typeof b === 'object') return sameData({ ...a.keys }, { ...b.keys });
  return a === b;
}
