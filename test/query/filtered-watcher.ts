import type { Plinth } from '../support/plinth.ts';
import type { Question } from './naive.ts';

/** A change of an object; `revision` is unknown for a deletion. */
export interface Change {
  readonly name: string;
  readonly before: any;
  readonly after: any;
  readonly revision: string | undefined;
}

/** What a watch with a question has to tell of changes: type, name and, where it is known, the revision. */
export function eventsOf(question: Question, changes: readonly Change[]): string[] {
  const matches = (object: any): boolean =>
    object !== undefined && question.answer([object]).length > 0;
  return changes.flatMap(({ name, before, after, revision }) => {
    const [was, is] = [matches(before), matches(after)];
    if (!was && !is) return [];
    return [`${!was ? 'ADDED' : is ? 'MODIFIED' : 'DELETED'} ${name} ${revision ?? '*'}`];
  });
}

/**
 * A client that watches the answer to a question over faults, as an informer
 * does: it resumes behind the last event, and lists again after 410.
 */
export class FilteredWatcher {
  readonly question: Question;
  readonly #plinth: Plinth;
  readonly #path: string;
  readonly #query: string;
  #revision = 0n;
  #close: () => void = () => undefined;
  readonly #stop = new AbortController();
  /** Since the last list, in order. */
  seen: string[] = [];
  /** Names that the last list had. */
  listed: string[] = [];
  lists = 0;
  reconnects = 0;
  isOpen = false;
  readonly violations: string[] = [];

  constructor(plinth: Plinth, path: string, question: Question) {
    this.#plinth = plinth;
    this.#path = path;
    this.question = question;
    const { fieldSelector, filter } = question;
    this.#query = new URLSearchParams({ fieldSelector, filter }).toString();
  }

  async run(): Promise<void> {
    while (!this.#stopped()) {
      try {
        if (this.lists === 0 || this.#revision === 0n) await this.#list();
        const path = `${this.#path}?${this.#query}&watch=1&resourceVersion=${this.#revision}`;
        const { close, ended } = await this.#plinth.watch(path, (frame) => this.#onFrame(frame));
        this.#close = close;
        this.isOpen = true;
        if (this.#stopped()) close();
        await ended;
      } catch {
        // the server is away; it comes back
      }
      this.isOpen = false;
      this.reconnects++;
      if (!this.#stopped()) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** The stream breaks off, as a network does it. */
  cut(): void {
    this.#close();
  }

  stop(): void {
    this.#stop.abort();
    this.#close();
  }

  async #list(): Promise<void> {
    const { status, json, text } = await this.#plinth.get(`${this.#path}?${this.#query}`);
    if (status !== 200) throw new Error(text);
    this.listed = json.items.map(({ metadata }: any) => metadata.name);
    this.#revision = BigInt(json.metadata.resourceVersion);
    this.seen = [];
    this.lists++;
  }

  #onFrame(frame: any): void {
    const { type, object } = frame;
    if (type === undefined || type === 'ERROR') {
      this.#onStatus(type === undefined ? frame : object);
      return;
    }
    const { name, resourceVersion } = object.metadata;
    const revision = BigInt(resourceVersion);
    if (revision <= this.#revision) this.violations.push(`${revision} after ${this.#revision}`);
    this.#revision = revision;
    this.seen.push(`${type} ${name} ${revision}`);
  }

  /** Of a stream that ends, or of an answer in place of one. */
  #onStatus({ code, message }: any): void {
    if (code === 410) this.#revision = 0n;
    // it is starting, or busy: a client tries again
    else if (code !== 429 && code !== 503) this.violations.push(`${code} ${message}`);
  }
}
