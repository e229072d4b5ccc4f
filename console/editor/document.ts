import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Document,
  type Node,
  type Tags,
} from 'yaml';
import type { Data } from './data.ts';

/** A text that has been read. */
interface ReadText {
  /** Undefined: it has mistakes. */
  readonly value: Data | undefined;
  readonly mistakes: readonly {
    readonly message: string;
    readonly from: number;
    readonly to: number;
  }[];
  /** Where a value stands; where its parent stands when it is not there itself. */
  readonly placeOf: (path: readonly (string | number)[]) => readonly [from: number, to: number];
  /** The path of what stands at a position. */
  readonly pathAt: (position: number) => (string | number)[];
}

/** Kinds of values that the server does not know: times of the day, dates, binaries, sets. */
const UNKNOWN = /timestamp|binary|omap|pairs|set$/;

/** Levels of aliases that are followed. */
const MOST_ALIASES = 100;

/** Words as the server reads them: `yes` is true, `1:30` is text. */
function tags(all: Tags): Tags {
  return all.filter((tag) => {
    if (typeof tag === 'string') return !UNKNOWN.test(tag);
    return !UNKNOWN.test(tag.tag) && !('format' in tag && tag.format === 'TIME');
  });
}

/** Reads YAML or JSON; integers keep every digit. */
export function readText(text: string): ReadText {
  const document = parseDocument(text, {
    ...{ version: '1.1', schema: 'yaml-1.1', customTags: tags, intAsBigInt: true },
    ...{ prettyErrors: false, strict: false, uniqueKeys: true },
  });
  const mistakes = document.errors.map(({ message, pos: [from, to] }) => ({ message, from, to }));
  let value: Data | undefined;
  if (mistakes.length === 0) {
    try {
      value = plain(document.toJS({ maxAliasCount: MOST_ALIASES }) as Data);
    } catch (error) {
      mistakes.push({
        message: error instanceof Error ? error.message : String(error),
        from: 0,
        to: 0,
      });
    }
  }
  return {
    value,
    mistakes,
    placeOf: (path) => placeOf(document, path),
    pathAt: (position) => pathAt(document.contents, position),
  };
}

/** Small integers as numbers, so that they compare with those of JSON. */
function plain(value: Data): Data {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}

/** A value as YAML text that reads as the same. */
export function writeText(value: Data): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function placeOf(
  document: Document,
  path: readonly (string | number)[],
): readonly [number, number] {
  let node: unknown = document.contents;
  let place = rangeOf(node);
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      if (pair === undefined) break;
      place = rangeOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      place = rangeOf(node);
    } else break;
  }
  // a place that marks a scalar shows the value, one that marks more shows its key
  return isScalar(node) && path.length > 0 ? rangeOf(node) : place;
}

function rangeOf(node: unknown): readonly [number, number] {
  const [from, to] = (node as Partial<Node> | null | undefined)?.range ?? [0, 0];
  return [from, to];
}

function pathAt(node: unknown, position: number): (string | number)[] {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const [from, to] = rangeOf(key);
      const name = String(key.value);
      if (position >= from && position <= to) return [name];
      const [start, end] = rangeOf(value);
      if (end > start && position >= to && position <= end)
        return [name, ...pathAt(value, position)];
    }
  } else if (isSeq(node)) {
    const at = node.items.findIndex((item) => {
      const [from, to] = rangeOf(item);
      return position >= from && position <= to;
    });
    if (at >= 0) return [at, ...pathAt(node.items[at], position)];
  }
  return [];
}
