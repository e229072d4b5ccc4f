/** An object that could not be dealt with is looked at again after so long, doubling up to the most. */
const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 300_000;

interface Retry {
  readonly at: number;
  readonly failures: number;
}

/** Ids of what is to be looked at: at once, or, after a failure, later and later. */
export class WorkList {
  readonly #ready = new Set<string>();
  readonly #retries = new Map<string, Retry>();

  get size(): number {
    return this.#ready.size + this.#retries.size;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** No sooner than its retry is due: a change does not shorten that. */
  add(id: string): void {
    if (!this.#retries.has(id)) this.#ready.add(id);
  }

  /** What has become due, until the caller has had enough; each is handed out once. */
  *take(now: number): Iterable<string> {
    for (const [id, { at }] of this.#retries) {
      if (at <= now) this.#ready.add(id);
    }
    for (const id of this.#ready) {
      this.#ready.delete(id);
      yield id;
    }
  }

  done(id: string): void {
    this.#retries.delete(id);
  }

  failed(id: string, now: number): void {
    const failures = (this.#retries.get(id)?.failures ?? 0) + 1;
    const delay = Math.min(RETRY_MIN_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    this.#retries.set(id, { at: now + delay, failures });
  }

  /** How long until the next retry is due. */
  nextIn(now: number): number {
    let next = Infinity;
    for (const { at } of this.#retries.values()) next = Math.min(next, at - now);
    return Math.max(0, next);
  }
}
