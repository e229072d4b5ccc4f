import { isObject, type JsonObject } from '../api/json.ts';
import { parseRevision, type Revision } from '../api/revision.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { GetResult, StoredItem } from '../storage/interface.ts';
import type { Loop, LoopReport } from './loop.ts';

/** Belongs to no resource: what was the newest revision when history was last cut. */
const KEY = 'compact_rev_key';

interface Mark {
  readonly revision: Revision;
  /** Wall clock of the server that wrote it, milliseconds. */
  readonly at: number;
}

/**
 * Forgets history that is older than an interval, every interval: notes the
 * newest revision, and cuts history there when the next one is noted. So every
 * revision stays readable for at least one interval. The note is kept in the
 * store, so that changes of the elected server put nothing off, and is changed
 * before anything is cut, so that a server that is not elected any more and has
 * not noticed cuts nothing. Source: behaviours 11.6 and 4.8.
 */
export class CompactionLoop implements Loop {
  readonly name = 'compaction';
  readonly periodMs: number;
  readonly wokenBy = [];
  readonly elected = true;
  readonly #parts: RegistryParts;
  readonly #intervalMs: number;
  /** The note that this server knows, and since when: clocks of servers may differ. */
  #known: { readonly revision: Revision; readonly dueAt: number } | undefined;

  constructor(parts: RegistryParts, intervalMs: number) {
    this.#parts = parts;
    this.#intervalMs = intervalMs;
    this.periodMs = intervalMs;
  }

  reset(): void {
    this.#known = undefined;
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { store, clock } = this.#parts;
    const found = await store.get(KEY, { signal });
    const mark = found.item && markOf(found.item);
    const waitMs = mark === undefined ? 0 : this.#dueIn(found.item?.revision, mark);
    if (waitMs > 0) return { summary: 'nothing is due', againAfterMs: waitMs };
    const next = { revision: found.revision, at: clock.now() };
    if (!(await this.#note(found, next, signal))) {
      return { summary: 'another server was faster', againAfterMs: this.#intervalMs };
    }
    if (mark !== undefined && mark.revision <= found.revision) {
      await store.compact(mark.revision, { signal });
    }
    const cut = mark === undefined ? 'nothing was cut' : `cut at revision ${mark.revision}`;
    return { summary: `${cut}; next at ${next.revision}`, againAfterMs: this.#intervalMs };
  }

  /** A note that this server has not seen before is as old as it says; from then on this server's clock counts. */
  #dueIn(revision: Revision | undefined, { at }: Mark): number {
    const { clock } = this.#parts;
    if (revision === undefined) return 0;
    if (this.#known?.revision !== revision) {
      const age = Math.max(0, clock.now() - at);
      this.#known = { revision, dueAt: clock.monotonic() + this.#intervalMs - age };
    }
    return this.#known.dueAt - clock.monotonic();
  }

  /** False: another server has written a note meanwhile. */
  async #note({ item }: GetResult, mark: Mark, signal: AbortSignal): Promise<boolean> {
    const { store } = this.#parts;
    const value = Buffer.from(JSON.stringify({ revision: String(mark.revision), at: mark.at }));
    const written =
      item === undefined
        ? await store.create(KEY, value, { signal })
        : await store.update(KEY, value, item.revision, { signal });
    return written.outcome === 'ok';
  }
}

/** Undefined: it is damaged, and counts as none. */
function markOf({ value }: StoredItem): Mark | undefined {
  let text: unknown;
  try {
    text = JSON.parse(value.toString());
  } catch {
    return undefined;
  }
  if (!isObject(text as JsonObject)) return undefined;
  const { revision, at } = text as JsonObject;
  const parsed = typeof revision === 'string' ? parseRevision(revision) : undefined;
  return parsed === undefined || typeof at !== 'number' ? undefined : { revision: parsed, at };
}
