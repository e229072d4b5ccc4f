import type { Revision } from '../api/revision.ts';
import { unsliced } from '../api/unsliced.ts';
import type { EntryMemory } from './entry-memory.ts';
import { Entry } from './entry.ts';
import { CollectionIndexes } from './index/collection-indexes.ts';
import { History, type HistoryEvent } from './history.ts';
import { Listeners } from './listeners.ts';
import { OrderedMap } from './ordered-map.ts';
import { OwnWrites, type OwnWrite } from './own-writes.ts';
import type { ApiObject } from '../api/object.ts';
import type { Labels } from '../api/selectors/requirement.ts';
import { SHAPE_FIELDS } from '../storage/finished-part.ts';
import type { FinishedPart } from '../storage/interface.ts';

/**
 * Everything of one resource in a replica: the current objects in key order and
 * the recent events that led to them. Only the replica changes it.
 */
export class Collection {
  /** `<group>/<resource>/`: the resource's part of every store key. */
  readonly prefix: string;
  readonly items = new OrderedMap<Entry>();
  readonly history: History;
  /** What reads by values of objects are answered by. */
  readonly indexes: CollectionIndexes;
  /** Keys of the current objects that cannot be read; nearly always none. */
  readonly unreadable = new Set<string>();
  readonly #memory: EntryMemory;
  readonly #ownWrites: OwnWrites;
  readonly #listeners = new Listeners<void>();

  /** `memory`: what its entries share with those of other resources. */
  constructor(prefix: string, floor: Revision, memory: EntryMemory) {
    this.prefix = prefix;
    this.history = new History(floor);
    this.#memory = memory;
    const { items, history, unreadable } = this;
    this.indexes = new CollectionIndexes(
      { items, history, unreadable, loadedAt: floor },
      memory.indexes,
    );
    this.#ownWrites = new OwnWrites(memory);
  }

  /** Called after events were appended, once per batch. The listener must return quickly: it runs inside the replica's apply. */
  listen(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** True when it holds no objects and no history, and has no listeners. */
  get isIdle(): boolean {
    const { history } = this;
    return this.items.size === 0 && history.start === history.end && this.#listeners.size === 0;
  }

  notify(): void {
    this.#listeners.tell();
  }

  /** An entry of this resource, for its items or its history to hold. */
  entryOf(key: string, value: Buffer, revision: Revision): Entry {
    return Entry.fromStored(key, value, revision, this.#memory);
  }

  /** An object that is there, without an event. `checked`: the store has compared it with its checksum. */
  load(key: string, value: Buffer, revision: Revision, checked: boolean): void {
    const entry = this.#entryOf(unsliced(key), value, revision, checked);
    entry.hold();
    this.#set(entry);
  }

  /** The same of objects that came finished. */
  loadFinished({ keys, revisions, memory, shapes, labels: texts }: FinishedPart): void {
    const labels = texts.map((text) => this.#memory.labelsOfText(text));
    const slab = this.#memory.slabs.adopt(Buffer.from(memory.buffer));
    let start = 0;
    for (const [i, key] of keys.entries()) {
      const at = i * SHAPE_FIELDS;
      const end = shapes[at] as number;
      const entry = Entry.finished({
        key,
        revision: revisions[i] as Revision,
        place: { slab, start, length: end - start },
        offset: shapes[at + 1] as number,
        metadataEnd: shapes[at + 2] as number,
        labels: labels[shapes[at + 3] as number] as Labels,
      });
      entry.hold();
      this.#set(entry);
      start = end;
    }
  }

  #entryOf(key: string, value: Buffer, revision: Revision, checked: boolean): Entry {
    return checked
      ? Entry.fromChecked(key, value, revision, this.#memory)
      : this.entryOf(key, value, revision);
  }

  /**
   * This server is about to store `stored`, the bytes of `object`. The result
   * gives the entry once the store has answered, the one that is held here.
   */
  ownWrite(key: string, stored: Buffer, object: ApiObject): OwnWrite {
    return this.#ownWrites.begin(this.items.get(key)?.key ?? unsliced(key), stored, object);
  }

  /** `checked` as in {@link load}: what another worker has written is then not parsed, 5 µs for 1.1 KB. */
  put(key: string, value: Buffer, revision: Revision, seenAt: number, checked = false): void {
    const previous = this.items.get(key);
    const entry =
      this.#ownWrites.take(key, value, revision) ??
      this.#entryOf(previous?.key ?? unsliced(key), value, revision, checked);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    this.history.append({ type, revision, entry, previous, seenAt, frames: undefined });
    entry.hold();
    this.#set(entry);
    previous?.release();
  }

  #set(entry: Entry): void {
    this.items.set(entry.key, entry);
    if (entry.corrupt) this.unreadable.add(entry.key);
    else if (this.unreadable.size > 0) this.unreadable.delete(entry.key);
  }

  /** A key that is not there was deleted before the snapshot that this replica began with. */
  remove(key: string, revision: Revision, seenAt: number): void {
    const previous = this.items.delete(key);
    if (previous === undefined) return;
    this.unreadable.delete(key);
    this.history.append({
      type: 'DELETED',
      revision,
      entry: previous.deletedAt(revision, this.#memory),
      previous,
      seenAt,
      frames: undefined,
    });
    previous.release();
  }

  /**
   * The objects as they were at a revision between the history's floor and the
   * present: the current map with later events undone, newest first.
   */
  itemsAt(revision: Revision): OrderedMap<Entry> {
    const items = this.items.snapshot();
    const { history } = this;
    for (let at = history.end - 1; at >= history.start; at--) {
      const event: HistoryEvent = history.at(at);
      if (event.revision <= revision) break;
      if (event.previous === undefined) items.delete(event.entry.key);
      else items.set(event.previous.key, event.previous);
    }
    return items;
  }
}
