/** A leaf is split when it grows beyond this many items: in halves, or behind the last one when that was added. */
const MAX_LEAF = 256;

/** Leaves of a list that is made at once have room for a few more. */
const FILLED_LEAF = 192;

interface Leaf<T> {
  items: T[];
  /** The generation that may change this leaf in place; any other copies it first. */
  owner: number;
}

let generations = 0;

/** Tells of each item whether it stands before a place in the order. */
type IsBefore<T> = (item: T) => boolean;

/**
 * Items in an order of which no two are equal, 8 bytes each: a list of small
 * sorted leaves. `snapshot()` costs nothing; the leaves it shares are copied
 * when, and only when, they are written later.
 */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  #leaves: Leaf<T>[] = [];
  #size = 0;
  #owner = ++generations;
  #ownsLeaves = true;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** The list of items that are in order already. */
  static of<T>(items: readonly T[], compare: (a: T, b: T) => number): SortedList<T> {
    const list = new SortedList<T>(compare);
    for (let i = 0; i < items.length; i += FILLED_LEAF) {
      list.#leaves.push({ items: items.slice(i, i + FILLED_LEAF), owner: list.#owner });
    }
    list.#size = items.length;
    return list;
  }

  get size(): number {
    return this.#size;
  }

  /** An independent list with the same content; either may change without the other seeing it. */
  snapshot(): SortedList<T> {
    const copy = new SortedList<T>(this.#compare);
    copy.#leaves = this.#leaves;
    copy.#size = this.#size;
    copy.#ownsLeaves = false;
    // Leaves that this list owned are shared from now on: both get new generations.
    this.#owner = ++generations;
    this.#ownsLeaves = false;
    return copy;
  }

  /** Adds an item, in place of one that is equal to it in the order. */
  add(item: T): void {
    if (this.#leaves.length === 0) {
      this.#index().push({ items: [item], owner: this.#owner });
      this.#size = 1;
      return;
    }
    const isBefore = this.#before(item);
    const index = this.#leafFor(isBefore);
    const leaf = this.#writable(index);
    const { items } = leaf;
    const at = lowerBound(items, isBefore);
    const found = items[at];
    if (found !== undefined && this.#compare(found, item) === 0) {
      items[at] = item;
      return;
    }
    if (at === items.length) items.push(item);
    else items.splice(at, 0, item);
    this.#size++;
    if (items.length > MAX_LEAF) this.#split(index, leaf, at);
  }

  /** Removes what is equal to the item in the order; false when there is none. */
  delete(item: T): boolean {
    const isBefore = this.#before(item);
    const index = this.#leafFor(isBefore);
    const found = this.#leaves[index];
    if (found === undefined) return false;
    const at = lowerBound(found.items, isBefore);
    const equal = found.items[at];
    if (equal === undefined || this.#compare(equal, item) !== 0) return false;
    const leaf = this.#writable(index);
    leaf.items.splice(at, 1);
    this.#size--;
    if (leaf.items.length === 0) this.#index().splice(index, 1);
    return true;
  }

  /** What comes from the first item on that does not stand before a place, in order, some hundred at a time. */
  *slices(isBefore: IsBefore<T> = () => false): IterableIterator<readonly T[]> {
    const leaves = this.#leaves;
    const first = this.#leafFor(isBefore);
    for (let index = first; index < leaves.length; index++) {
      const { items } = leaves[index] as Leaf<T>;
      const from = index === first ? lowerBound(items, isBefore) : 0;
      if (from < items.length) yield from === 0 ? items : items.slice(from);
    }
  }

  /** How many items stand before a place. */
  rank(isBefore: IsBefore<T>): number {
    const index = this.#leafFor(isBefore);
    let rank = 0;
    for (let i = 0; i < index; i++) rank += (this.#leaves[i] as Leaf<T>).items.length;
    const leaf = this.#leaves[index];
    return leaf === undefined ? rank : rank + lowerBound(leaf.items, isBefore);
  }

  #before(item: T): IsBefore<T> {
    return (other) => this.#compare(other, item) < 0;
  }

  /** Index of the leaf in which the first item stands that is not before a place, or would stand. */
  #leafFor(isBefore: IsBefore<T>): number {
    const leaves = this.#leaves;
    let low = 0;
    let high = leaves.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { items } = leaves[middle] as Leaf<T>;
      if (isBefore(items[items.length - 1] as T)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** `added`: where the item stands that has made the leaf too large. */
  #split(index: number, leaf: Leaf<T>, added: number): void {
    // Items that come in order, as they do when all are read, leave full leaves behind.
    const isLast = index === this.#leaves.length - 1 && added === leaf.items.length - 1;
    const from = isLast ? added : leaf.items.length >> 1;
    this.#index().splice(index + 1, 0, { items: leaf.items.splice(from), owner: this.#owner });
  }

  #writable(index: number): Leaf<T> {
    const leaf = this.#leaves[index] as Leaf<T>;
    if (leaf.owner === this.#owner) return leaf;
    const copy = { items: leaf.items.slice(), owner: this.#owner };
    this.#index()[index] = copy;
    return copy;
  }

  #index(): Leaf<T>[] {
    if (!this.#ownsLeaves) {
      this.#leaves = this.#leaves.slice();
      this.#ownsLeaves = true;
    }
    return this.#leaves;
  }
}

function lowerBound<T>(items: readonly T[], isBefore: IsBefore<T>): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
