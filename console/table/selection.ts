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

  selectAll(rows: readonly Row[]): void {
    this.keys.value = new Set(rows.map(({ key }) => key));
  }

  /** Selects all of `count` rows; where they all are, gives them up. */
  toggleAll(count: number, rows: () => readonly Row[]): void {
    this.selectAll(this.hasAll(count, rows) ? [] : rows());
  }

  /** Whether all of `count` rows are selected. */
  hasAll(count: number, rows: () => readonly Row[]): boolean {
    const keys = this.keys.value;
    return count > 0 && keys.size >= count && rows().every(({ key }) => keys.has(key));
  }

  clear(): void {
    this.keys.value = new Set();
  }
}
