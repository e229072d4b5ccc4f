import type { Entry } from '../entry.ts';

/** A value that each object of a collection has, or has not, and that reads select by. */
export interface IndexSource {
  /** Sources of a collection with the same id read the same. */
  readonly id: unknown;
  /** The object's value; undefined: it has none. An object for which it throws is looked at by every read. */
  read(entry: Entry): string | undefined;
  /** Reading it takes the object itself, which is parsed for it. */
  readonly isCostly: boolean;
  /** It is indexed once so many reads have asked for it. */
  readonly asksBefore: number;
}

/** A condition that every object of a selection meets, and that an index can answer. */
export interface IndexTerm {
  readonly source: IndexSource;
  /** The object's value is one of these; undefined: it has one. */
  readonly values: readonly string[] | undefined;
  /** Whether an object is in the selection. */
  matches(entry: Entry): boolean;
  /** The same of an object that is known to meet this condition. */
  rest(entry: Entry): boolean;
}

/** Characters of a value that an index holds; objects with longer ones are looked at by every read. */
export const MAX_INDEXED_CHARACTERS = 256;

const ASKS_BEFORE_LABEL = 1;

/** The value of a label. */
export function labelSource(key: string): IndexSource {
  return {
    id: `label ${key}`,
    read({ labels }) {
      // Labels are strings, and no inherited property is one.
      const value: unknown = labels[key];
      return typeof value === 'string' ? value : undefined;
    },
    isCostly: false,
    asksBefore: ASKS_BEFORE_LABEL,
  };
}
