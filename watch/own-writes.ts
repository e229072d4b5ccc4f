import type { ApiObject } from '../api/object.ts';
import type { Labels } from '../api/selectors/requirement.ts';
import type { Revision } from '../api/revision.ts';
import type { EntryMemory } from './entry-memory.ts';
import { Entry, labelsOf } from './entry.ts';

/** Writes under way of one resource; the log's events of further ones are read like those of other servers. */
const MAX_PENDING = 1_000;

/**
 * The writes of this server that its replica has not seen yet. The entry of such
 * a write is made once, by the writer or by the replica, whichever comes first,
 * and the other one shares it: bytes and labels of what this server has just
 * made are neither copied again nor read again.
 */
export class OwnWrites {
  readonly #memory: EntryMemory;
  readonly #pending = new Map<string, OwnWrite>();

  constructor(memory: EntryMemory) {
    this.#memory = memory;
  }

  /** Before the store is asked to write `stored`, the bytes of `object`. */
  begin(key: string, stored: Buffer, object: ApiObject): OwnWrite {
    const write = new OwnWrite(key, stored, labelsOf(object), this.#memory, () => {
      if (this.#pending.get(key) === write) this.#pending.delete(key);
    });
    if (this.#pending.size < MAX_PENDING) this.#pending.set(key, write);
    return write;
  }

  /** The entry of a put in the log; undefined when the last write that has begun here is another one. */
  take(key: string, value: Buffer, revision: Revision): Entry | undefined {
    const write = this.#pending.get(key);
    if (write?.isOf(value) !== true) return undefined;
    this.#pending.delete(key);
    return write.entry(revision);
  }
}

/** One write, from before it until both its writer and the replica have its entry. */
export class OwnWrite {
  readonly #key: string;
  readonly #stored: Buffer;
  readonly #labels: Labels;
  readonly #memory: EntryMemory;
  readonly #end: () => void;
  #entry: Entry | undefined;

  constructor(key: string, stored: Buffer, labels: Labels, memory: EntryMemory, end: () => void) {
    this.#key = key;
    this.#stored = stored;
    this.#labels = memory.labels(labels);
    this.#memory = memory;
    this.#end = end;
  }

  isOf(value: Buffer): boolean {
    return value === this.#stored || value.equals(this.#stored);
  }

  /** The entry of the written object at its revision; the same one for every caller. */
  entry(revision: Revision): Entry {
    if (this.#entry?.revision !== revision) {
      this.#entry = Entry.written(this.#key, this.#stored, revision, this.#labels, this.#memory);
    }
    return this.#entry;
  }

  /** The store's answer. A write that the store refuses, or that fails, is no longer expected. */
  answered<T extends { readonly outcome: string }>(answer: Promise<T>): Promise<T> {
    return answer.then(
      (result) => {
        if (result.outcome !== 'ok') this.#end();
        return result;
      },
      (error: unknown) => {
        this.#end();
        throw error;
      },
    );
  }
}
