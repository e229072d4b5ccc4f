import { at, entriesAt, listAt, sameJson, shortText, textAt, type Json } from '../api/json.ts';

/** A column as the server describes it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; above: only where there is room. */
  readonly priority: number;
}

/** An object as the table shows it. A change makes another row. */
export interface Row {
  /** Namespace and name; unique within the table. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: string;
  readonly created: string;
  readonly isDeleting: boolean;
  readonly labels: readonly (readonly [string, string])[];
  readonly cells: readonly Json[];
  /** How often it has changed before the eyes of the user; 0: not yet. */
  readonly changes: number;
  /** Numbers of the cells that the last change has changed; empty: another part of the object. */
  readonly changedCells: readonly number[];
}

/** A change of the stream, as a row. */
export interface RowChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly row: Row;
}

/** The columns of a table; undefined when it does not name them. */
export function columnsOf(table: Json): Column[] | undefined {
  const definitions = at(table, 'columnDefinitions');
  if (!Array.isArray(definitions)) return undefined;
  return definitions.map((each) => ({
    name: textAt(each, 'name'),
    type: textAt(each, 'type'),
    format: textAt(each, 'format'),
    description: textAt(each, 'description'),
    priority: Number(at(each, 'priority') ?? 0),
  }));
}

/** The rows of a table. */
export function rowsOf(table: Json): Row[] {
  return listAt(table, 'rows').map(rowOf);
}

function rowOf(row: Json): Row {
  const metadata = at(row, 'object', 'metadata') ?? {};
  const [namespace, name] = [textAt(metadata, 'namespace'), textAt(metadata, 'name')];
  return {
    ...{ key: `${namespace}\u0000${name}`, namespace, name },
    uid: textAt(metadata, 'uid'),
    revision: textAt(metadata, 'resourceVersion'),
    created: textAt(metadata, 'creationTimestamp'),
    isDeleting: textAt(metadata, 'deletionTimestamp') !== '',
    labels: entriesAt(metadata, 'labels').map(([key, value]) => [key, shortText(value)]),
    cells: listAt(row, 'cells'),
    ...{ changes: 0, changedCells: [] },
  };
}

interface Holder {
  row: Row;
  isGone: boolean;
}

/**
 * The rows that have been loaded, in order. Pages of one revision come in by
 * `load`, changes of later revisions by `change`, in any mixture.
 */
export class Rows {
  readonly #isSorted: boolean;
  readonly #byKey = new Map<string, Holder>();
  /** Deleted before their page has come: revision by key. */
  readonly #gone = new Map<string, string>();
  #holders: Holder[] = [];

  /** `isSorted`: by namespace and name; otherwise in the order in which the server sends them. */
  constructor(isSorted: boolean) {
    this.#isSorted = isSorted;
  }

  get count(): number {
    return this.#holders.length;
  }

  /** The row at a position of the order. */
  at(index: number): Row | undefined {
    return this.#holders[index]?.row;
  }

  byKey(key: string): Row | undefined {
    return this.#byKey.get(key)?.row;
  }

  /**
   * The position of a row. Where it is not there: of the one that follows it in an
   * order by name, which may be the end; undefined in another order.
   */
  positionOf(key: string): number | undefined {
    if (!this.#isSorted) {
      const found = this.#holders.findIndex(({ row }) => row.key === key);
      return found < 0 ? undefined : found;
    }
    let [low, high] = [0, this.#holders.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.at(middle)?.key ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** All rows in order. */
  all(): Row[] {
    return this.#holders.map(({ row }) => row);
  }

  /** Takes in a page. What a change has said later stays. */
  load(rows: readonly Row[]): void {
    const added: Holder[] = [];
    for (const row of rows) {
      if (this.#byKey.has(row.key)) continue;
      const gone = this.#gone.get(row.key);
      if (gone !== undefined && !isLater(row.revision, gone)) continue;
      added.push(this.#hold(row));
    }
    this.#insert(added);
  }

  /** Takes in changes, in the order in which they came. */
  change(changes: readonly RowChange[]): void {
    const added: Holder[] = [];
    let hasGone = false;
    for (const { type, row } of changes) {
      const held = this.#byKey.get(row.key);
      if (held !== undefined && isLater(held.row.revision, row.revision)) continue;
      if (type === 'DELETED') {
        this.#gone.set(row.key, row.revision);
        if (held === undefined) continue;
        held.isGone = hasGone = true;
        this.#byKey.delete(row.key);
      } else if (held !== undefined) {
        if (held.row.revision !== row.revision) held.row = changed(held.row, row);
      } else {
        this.#gone.delete(row.key);
        added.push(this.#hold({ ...row, changes: 1 }));
      }
    }
    if (hasGone) this.#holders = this.#holders.filter(({ isGone }) => !isGone);
    this.#insert(added.filter(({ isGone }) => !isGone));
  }

  #hold(row: Row): Holder {
    const holder = { row, isGone: false };
    this.#byKey.set(row.key, holder);
    return holder;
  }

  #insert(added: Holder[]): void {
    if (added.length === 0) return;
    if (!this.#isSorted) {
      this.#holders.push(...added);
      return;
    }
    added.sort(inOrder);
    const last = this.#holders.at(-1);
    const first = added[0];
    if (last === undefined || (first !== undefined && inOrder(last, first) < 0)) {
      this.#holders.push(...added);
    } else {
      this.#holders = merged(this.#holders, added);
    }
  }
}

function inOrder({ row: a }: Holder, { row: b }: Holder): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Two ordered lists as one. */
function merged(a: readonly Holder[], b: readonly Holder[]): Holder[] {
  const all: Holder[] = [];
  let next = 0;
  for (const holder of a) {
    for (let other = b[next]; other !== undefined && inOrder(other, holder) < 0; other = b[next]) {
      all.push(other);
      next += 1;
    }
    all.push(holder);
  }
  all.push(...b.slice(next));
  return all;
}

function changed(before: Row, after: Row): Row {
  const changedCells = after.cells.flatMap((cell, i) =>
    sameJson(cell, before.cells[i]) ? [] : [i],
  );
  return { ...after, changes: before.changes + 1, changedCells };
}

/** Whether revision `a` comes after `b`; both are decimal numbers of any length. */
function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
