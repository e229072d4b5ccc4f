import type { Plinth } from './plinth.ts';

/**
 * A client that watches a collection over failures: whenever its stream ends it
 * opens another from the last revision that it has seen. Checks what every
 * watcher may rely on while it goes.
 */
export class ResumingWatcher {
  readonly #plinth: Plinth;
  readonly #path: string;
  #revision: bigint;
  #close: () => void = () => undefined;
  readonly #stop = new AbortController();
  /** `type name@revision` of every event, in order. */
  readonly seen: string[] = [];
  /** What a watcher must never see. */
  readonly violations: string[] = [];
  reconnects = 0;

  constructor(plinth: Plinth, path: string, revision: bigint) {
    this.#plinth = plinth;
    this.#path = path;
    this.#revision = revision;
  }

  get revision(): bigint {
    return this.#revision;
  }

  async run(): Promise<void> {
    while (!this.#stopped()) {
      try {
        const separator = this.#path.includes('?') ? '&' : '?';
        const path = `${this.#path}${separator}watch=1&resourceVersion=${this.#revision}`;
        const { close, ended } = await this.#plinth.watch(path, (frame) => this.#onFrame(frame));
        this.#close = close;
        if (this.#stopped()) close();
        await ended;
      } catch {
        // the server is away; it comes back
      }
      this.reconnects++;
      if (!this.#stopped()) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#close();
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #onFrame(frame: any): void {
    const { type, object } = frame;
    if (type === 'ERROR') {
      this.violations.push(`ERROR ${object.code} ${object.message}`);
      return;
    }
    const revision = BigInt(object.metadata.resourceVersion);
    if (revision <= this.#revision) {
      this.violations.push(`${revision} after ${this.#revision}: ${object.metadata.name}`);
    }
    this.#revision = revision;
    this.seen.push(`${type} ${object.metadata.name}@${revision}`);
  }
}
