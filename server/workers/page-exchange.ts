import type { Clock } from '../../api/clock.ts';
import type { WorkerPage } from '../../telemetry/metrics/peers.ts';
import type { ToWorker } from './messages.ts';

/** A worker that does not show its page in that time is left out. */
const MAX_SHOW_MS = 2_000;

/** A worker as the exchange sees it, or the process that owns the store. */
export interface PageHolder {
  /** A worker's number: one that takes another's place has the same. */
  readonly name: string;
  send(message: ToWorker): void;
}

interface Collection {
  readonly pages: WorkerPage[];
  /** Those that have not shown theirs yet. */
  readonly missing: Set<PageHolder>;
  readonly asking: PageHolder;
  readonly finish: () => void;
  /** The worker that asked has ended. */
  readonly drop: () => void;
}

/** The supervisor's part: brings what all workers show to the one that was asked. */
export class PageExchange {
  readonly #clock: Clock;
  readonly #holders = new Set<PageHolder>();
  readonly #collections = new Map<number, Collection>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  join(holder: PageHolder): void {
    this.#holders.add(holder);
  }

  /** The process has ended, so questions no longer wait for it. */
  leave(holder: PageHolder): void {
    this.#holders.delete(holder);
    for (const [id, { missing, asking, drop }] of this.#collections) {
      if (asking === holder) drop();
      else if (missing.has(holder)) this.#received(id, holder, undefined);
    }
  }

  /**
   * `asking` gets the page of every other worker that shows it in time. It may not have joined
   * yet: a worker takes connections a moment before it says that it serves.
   */
  ask(asking: PageHolder, askedAs: number, page: string): void {
    const id = ++this.#asked;
    const missing = new Set(this.#holders);
    missing.delete(asking);
    const pages: WorkerPage[] = [];
    const drop = (): void => {
      cancel();
      this.#collections.delete(id);
    };
    const finish = (): void => {
      drop();
      asking.send({ kind: 'pages', id: askedAs, pages });
    };
    const cancel = this.#clock.after(MAX_SHOW_MS, finish);
    if (missing.size === 0) {
      finish();
      return;
    }
    this.#collections.set(id, { pages, missing, asking, finish, drop });
    for (const holder of missing) holder.send({ kind: 'show', id, page });
  }

  shown(holder: PageHolder, id: number, text: string): void {
    this.#received(id, holder, text);
  }

  #received(id: number, holder: PageHolder, text: string | undefined): void {
    const collection = this.#collections.get(id);
    if (collection?.missing.delete(holder) !== true) return;
    if (text !== undefined) collection.pages.push({ worker: holder.name, text });
    if (collection.missing.size === 0) collection.finish();
  }
}
