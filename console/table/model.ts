import { signal } from '@preact/signals';
import { errorOf, getWarned, Refused, refusedBy, RETRY_MS, Unreachable } from '../api/http.ts';
import { at, jsonOf, textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import type { TableQuery } from '../state/route.ts';
import { follow, refOf, type ChangeType } from '../state/live.ts';
import { columnsOf, Rows, rowsOf, type Column, type RowChange } from './rows.ts';
import { numberText } from '../parts/numbers.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.cluster.io,application/json';
/** Objects of the first page, which is seen at once, and of those that follow. */
const FIRST_PAGE = 200;
const NEXT_PAGE = 2_000;
/** Rows that a table holds at most; filters on the server find the others. */
const MAX_ROWS = 300_000;
/** Rows that are loaded beyond those that are seen. */
const AHEAD = 400;
/** Pause between two drawings of changes: quicker ones only blur. */
const DRAW_EVERY_MS = 100;

/** The objects of a kind, live. */
export class TableModel {
  readonly kind: Kind;
  readonly query: TableQuery;
  readonly columns = signal<readonly Column[]>([]);
  /** Grows by one with each change of the rows. */
  readonly version = signal(0);
  readonly error = signal<Refused | Error | undefined>(undefined);
  readonly isLoaded = signal(false);
  /** What the server warns of, as that the version is deprecated. */
  readonly warnings = signal<readonly string[]>([]);
  /** Changes since an ordered list was read: rows may no longer stand in order. */
  readonly isOutOfOrder = signal(false);

  /** The user may not follow changes: the rows are as they were read. */
  readonly isStill = signal(false);

  rows: Rows;
  /** Objects that follow those that are loaded. */
  remaining = 0;
  #continue = '';
  #isLoading = false;
  /** Ends the requests of a reading that another one follows: pages of two revisions do not mix. */
  #reading = new AbortController();
  #needed = 0;
  #pending: RowChange[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void) | undefined;
  /** Every change up to here has come. */
  #complete = '';
  /** Of the last change: others of the same revision may follow. */
  #newest = '';
  #isPaused = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(kind: Kind, query: TableQuery) {
    this.kind = kind;
    this.query = query;
    this.rows = new Rows(query.order === '');
    void this.#begin();
  }

  /** Loaded or not. */
  get total(): number {
    return this.rows.count + Math.min(this.remaining, MAX_ROWS);
  }

  /** Some objects are not loaded, and can be. */
  get hasMore(): boolean {
    return this.#continue !== '' && this.rows.count < MAX_ROWS;
  }

  /** Ends loading and listening. */
  close(): void {
    this.#isClosed = true;
    this.#reading.abort();
    this.#leave?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
  }

  /** Keeps what has been read, and stops loading and listening until {@link resume}. */
  pause(): void {
    this.#isPaused = true;
    this.#leave?.();
    this.#leave = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    this.#draw();
  }

  /** Goes on from where it was: what has changed meanwhile comes first. */
  resume(): void {
    this.#isPaused = false;
    this.#needed = 0;
    if (this.isLoaded.value && this.error.value === undefined) this.#listen(this.#complete);
    else this.reload();
  }

  /** Reads everything again. */
  reload(): void {
    this.#leave?.();
    this.#leave = undefined;
    clearTimeout(this.#retry);
    this.#pending = [];
    void this.#begin();
  }

  /** Reads everything again, and follows it if that is allowed by now. */
  liven(): void {
    this.isStill.value = false;
    this.reload();
  }

  /** Loads pages until the row at this position is there. */
  need(index: number): void {
    this.#needed = Math.max(this.#needed, Math.min(index + AHEAD, MAX_ROWS));
    if (!this.#isLoading) void this.#loadMore();
  }

  /** Loads all rows, up to the bound. */
  needAll(): void {
    this.need(MAX_ROWS);
  }

  async #begin(): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#isLoading = true;
    try {
      const table = await this.#page(FIRST_PAGE, '', signal);
      if (signal.aborted) return;
      this.rows = new Rows(this.query.order === '');
      this.#take(table);
      this.columns.value = columnsOf(table) ?? [];
      this.error.value = undefined;
      this.isOutOfOrder.value = false;
      this.isLoaded.value = true;
      this.#complete = textAt(table, 'metadata', 'resourceVersion');
      this.#newest = '';
      if (!this.#isPaused) this.#listen(this.#complete);
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#isAway) {
        this.error.value = errorOf(error);
        if (error instanceof Unreachable) this.#retry = setTimeout(() => this.reload(), RETRY_MS);
      }
    } finally {
      if (!signal.aborted) this.#isLoading = false;
    }
    if (this.error.value === undefined) void this.#loadMore();
  }

  get #isAway(): boolean {
    return this.#isClosed || this.#isPaused;
  }

  async #loadMore(): Promise<void> {
    const { signal } = this.#reading;
    this.#isLoading = true;
    try {
      while (this.#continue !== '' && this.rows.count < this.#needed && !this.#isAway) {
        const table = await this.#page(NEXT_PAGE, this.#continue, signal);
        if (signal.aborted) return;
        this.#take(table);
      }
    } catch (error) {
      if (signal.aborted) return;
      // The revision of the first page is no longer there: begin with the present one.
      if (error instanceof Refused && error.code === 410 && !this.#isAway) this.reload();
      else if (error instanceof Unreachable && !this.#isAway)
        this.#retry = setTimeout(() => void this.#loadMore(), RETRY_MS);
    } finally {
      if (!signal.aborted) this.#isLoading = false;
    }
  }

  async #page(limit: number, continueToken: string, signal: AbortSignal): Promise<Json> {
    const { labels, fields, filter, order, namespace } = this.query;
    const query = new URLSearchParams({ limit: String(limit), managedFields: 'omit' });
    for (const [name, value] of Object.entries({
      ...{ labelSelector: labels, fieldSelector: fields, filter, orderBy: order },
      continue: continueToken,
    })) {
      if (value !== '') query.set(name, value);
    }
    const path = `${pathOf(this.kind, namespace)}?${query.toString()}`;
    const { value, warnings } = await getWarned(path, { accept: TABLE, signal });
    if (continueToken === '') this.warnings.value = warnings;
    return value;
  }

  #take(table: Json): void {
    this.#continue = textAt(table, 'metadata', 'continue');
    this.remaining =
      this.#continue === '' ? 0 : Number(at(table, 'metadata', 'remainingItemCount') ?? 0);
    this.rows.load(rowsOf(table));
    this.version.value += 1;
  }

  #listen(resourceVersion: string): void {
    const { labels, fields, filter, namespace } = this.query;
    if (this.isStill.value || !this.kind.verbs.has('watch')) return;
    const wanted = {
      ref: refOf(this.kind, namespace),
      ...(labels === '' ? {} : { labelSelector: labels }),
      ...(fields === '' ? {} : { fieldSelector: fields }),
      ...(filter === '' ? {} : { filter }),
    };
    this.#leave?.();
    this.#leave = follow({ ...wanted, from: resourceVersion, as: 'Table' }, (event) => {
      if (event.type === 'EXPIRED') this.reload();
      else if (event.type === 'SYNCED') this.#complete = event.resourceVersion;
      else if (event.type === 'ERROR' && event.error.code === 403) {
        // a user who may not watch may still list: the next reading tells
        this.isStill.value = true;
        this.reload();
      } else if (event.type === 'ERROR') this.error.value = refusedBy(event.error);
      else if ('object' in event) this.#hear(event.type, jsonOf(event.object));
    });
  }

  #hear(type: ChangeType, table: Json): void {
    for (const row of rowsOf(table)) {
      if (row.revision !== this.#newest && this.#newest !== '') this.#complete = this.#newest;
      this.#newest = row.revision;
      this.#pending.push({ type, row });
    }
    this.#timer ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
  }

  #draw(): void {
    this.#timer = undefined;
    if (this.#isClosed || this.#pending.length === 0) return;
    this.rows.change(this.#pending.splice(0));
    if (this.query.order !== '') this.isOutOfOrder.value = true;
    this.version.value += 1;
  }
}

/** How many objects there are; with a plus where the server does not say how many follow. */
export function totalText(model: TableModel): string {
  const isOpen = model.hasMore && model.remaining === 0;
  return `${numberText(model.total)}${isOpen ? '+' : ''}`;
}
