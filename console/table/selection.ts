import { signal, type Signal } from '@preact/signals';
import type { Row } from './rows.ts';

/** The rows that a user has selected. */
export class Selection {
  readonly keys: Signal<ReadonlySet<string>>;
  #last: string | undefined;

  /** `keys`: of the rows that are selected at first. */
  constructor(keys: readonly string[]) {
    this.keys = signal<ReadonlySet<string>>(new Set(keys));
  }

  /** Selects a row or gives it up; with `isRange` all from the last one to this one. */
  toggle(row: Row, isRange: boolean, rowsOf: (test: (row: Row) => boolean) => Row[]): void {
    const keys = new Set(this.keys.value);
    if (isRange && this.#last !== undefined && this.#last !== row.key) {
      let isInside = false;
      const ends = new Set([this.#last, row.key]);
      const range = rowsOf(({ key }) => {
        const isEnd = ends.has(key);
        const counts = isInside || isEnd;
        if (isEnd) isInside = !isInside;
        return counts;
      });
      for (const { key } of range) keys.add(key);
    } else if (!keys.delete(row.key)) {
      keys.add(row.key);
    }
    this.#last = row.key;
    this.keys.value = keys;
  }

  clear(): void {
    this.keys.value = new Set();
  }
}
