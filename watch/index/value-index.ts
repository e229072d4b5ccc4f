import type { Steps } from '../../api/steps.ts';
import type { Entry } from '../entry.ts';
import { SortedList } from './sorted-list.ts';
import { MAX_INDEXED_CHARACTERS, type IndexSource } from './term.ts';

/** One object, or several in key order. */
export type Posting = Entry | SortedList<Entry>;

/** Bytes that are counted for each object of an index: a reference in a leaf that is not quite full. */
const ENTRY_BYTES = 12;
/** For each value, besides its characters: its place in the table. */
const VALUE_BYTES = 100;
/** For a value that several objects have: their list. */
const LIST_BYTES = 250;

function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** The objects of a collection by one value, in key order. */
export class ValueIndex {
  readonly source: IndexSource;
  readonly #postings = new Map<string, Posting>();
  /** Those of which the value is not known here. */
  readonly #unsure = new SortedList<Entry>(byKey);
  #size = 0;
  #bytes = 0;

  constructor(source: IndexSource) {
    this.source = source;
  }

  get isCostly(): boolean {
    return this.source.isCostly;
  }

  /** Objects that have a value. */
  get size(): number {
    return this.#size;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.#bytes + ENTRY_BYTES * (this.#size + this.#unsure.size);
  }

  /** Objects of which the value is not known here. */
  get unsure(): SortedList<Entry> {
    return this.#unsure;
  }

  /** The objects that have one of the values, or any. */
  postings(values: readonly string[] | undefined): readonly Posting[] {
    if (values === undefined) return [...this.#postings.values()];
    return [...new Set(values)].flatMap((value) => this.#postings.get(value) ?? []);
  }

  /** How many objects have one of the values, or any. */
  count(values: readonly string[] | undefined): number {
    if (values === undefined) return this.#size;
    return this.postings(values).reduce((sum, posting) => sum + sizeOf(posting), 0);
  }

  *fill(entries: Iterable<Entry>): Steps<void> {
    for (const entry of entries) {
      this.#add(entry, this.#valueOf(entry));
      yield;
    }
  }

  /** An object has changed from one state to another; undefined: it was not there, or is not any more. */
  change(before: Entry | undefined, after: Entry | undefined): void {
    const from = before === undefined ? undefined : this.#valueOf(before);
    const to = after === undefined ? undefined : this.#valueOf(after);
    if (before !== undefined && from !== to) this.#remove(before, from);
    if (after !== undefined) this.#add(after, to);
  }

  /** Undefined: none; false: it cannot be read, or is too long. */
  #valueOf(entry: Entry): string | undefined | false {
    if (entry.corrupt) return undefined;
    try {
      const value = this.source.read(entry);
      return value !== undefined && value.length > MAX_INDEXED_CHARACTERS ? false : value;
    } catch {
      return false;
    }
  }

  #add(entry: Entry, value: string | undefined | false): void {
    if (value === undefined) return;
    if (value === false) {
      this.#unsure.add(entry);
      return;
    }
    const known = this.#postings.get(value);
    if (known === undefined) {
      this.#postings.set(value, entry);
      this.#bytes += VALUE_BYTES + value.length;
      this.#size++;
    } else if (known instanceof SortedList) {
      this.#size -= known.size;
      known.add(entry);
      this.#size += known.size;
    } else if (known.key === entry.key) {
      this.#postings.set(value, entry);
    } else {
      const list = new SortedList<Entry>(byKey);
      list.add(known);
      list.add(entry);
      this.#postings.set(value, list);
      this.#bytes += LIST_BYTES;
      this.#size++;
    }
  }

  #remove(entry: Entry, value: string | undefined | false): void {
    if (value === undefined) return;
    if (value === false) {
      this.#unsure.delete(entry);
      return;
    }
    const known = this.#postings.get(value);
    if (known instanceof SortedList) {
      if (!known.delete(entry)) return;
      this.#size--;
      if (known.size > 0) return;
      this.#bytes -= LIST_BYTES;
    } else if (known?.key === entry.key) {
      this.#size--;
    } else return;
    this.#postings.delete(value);
    this.#bytes -= VALUE_BYTES + value.length;
  }
}

function sizeOf(posting: Posting): number {
  return posting instanceof SortedList ? posting.size : 1;
}
