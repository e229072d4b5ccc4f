import type { JsonValue } from '../api/json.ts';

/** Objects with the same value. */
export interface Group {
  /** Null for the objects that have none. */
  readonly value: JsonValue;
  readonly count: number;
}

/** Values that are counted by themselves: those that are met first. */
const MAX_GROUPS = 1_000;
/** Longer texts have no group of their own. */
const MAX_GROUP_CHARACTERS = 1_024;

/** Counts objects by a value, in bounded memory. */
export class GroupCounts {
  readonly #counts = new Map<JsonValue, number>();
  #others = 0;

  /** Objects without a group of their own. */
  get others(): number {
    return this.#others;
  }

  /** Lists and objects count as absent. */
  add(value: JsonValue | undefined): void {
    const key = typeof value === 'object' || value === undefined ? null : value;
    const known = this.#counts.get(key);
    if (known !== undefined) this.#counts.set(key, known + 1);
    else if (this.#counts.size === MAX_GROUPS || isLong(key)) this.#others++;
    else this.#counts.set(key, 1);
  }

  /** The largest first; of two alike, in the order in which they were met. */
  groups(): Group[] {
    return [...this.#counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count);
  }
}

function isLong(value: JsonValue): boolean {
  return typeof value === 'string' && value.length > MAX_GROUP_CHARACTERS;
}
