import { isObject, type JsonValue } from '../api/json.ts';
import { endOfTree } from '../api/json-scan.ts';
import { type ApiObject, apiObjectOf, type ObjectMeta } from '../api/object.ts';
import { parseStoredJson, storedJsonSteps } from '../api/json-parse.ts';
import type { Revision } from '../api/revision.ts';
import type { Steps } from '../api/steps.ts';
import {
  fieldFor,
  metadataOffset,
  otherField,
  respliceField,
  spliceField,
} from '../storage/stored-bytes.ts';
import { metadataWithoutManagers } from '../storage/metadata-range.ts';
import { beginsAsStored, isAsStored } from '../storage/stored-check.ts';
import type { EntryMemory } from './entry-memory.ts';
import { metadataShape } from '../storage/stored-metadata.ts';
import { Tenant, type Place } from './slab.ts';
import type { Labels } from '../api/selectors/requirement.ts';

const NO_LABELS: Labels = Object.freeze({});

/**
 * One object at one revision, as a replica keeps it: its finished bytes (JSON
 * with resourceVersion in it; the stored value, unchanged, when the entry is
 * corrupt), and the fields that reads select by. Immutable, except that the bytes
 * may move. The parsed object is made on demand and not kept: bytes cost half
 * the memory and a sixth of the pauses.
 */
export class Entry extends Tenant {
  /** Behind the resource's prefix: `<namespace>/<name>`, or `<name>` for cluster scope. */
  readonly key: string;
  readonly revision: Revision;
  readonly labels: Labels;
  /** Cache of the entry's last other form, and what it was made for. */
  shownFor: object | undefined;
  shownAs: Buffer | undefined;
  /** Of the last state of a deleted object: that state under its own revision. */
  readonly lastState: Entry | undefined;
  /** Position in the bytes behind the metadata's closing brace; 0 when the entry is corrupt. */
  readonly metadataEnd: number;
  /** Where the revision stands in the bytes; -1 when the entry is corrupt. */
  readonly #offset: number;

  private constructor(state: State) {
    super(state.place);
    this.key = state.key;
    this.revision = state.revision;
    this.labels = state.labels;
    this.lastState = state.lastState;
    this.#offset = state.offset;
    this.metadataEnd = state.metadataEnd;
  }

  /**
   * Makes the entry of a stored value; a value that cannot be read makes a
   * corrupt entry. `memory` is for those who hold their entries: what can be
   * shared lies there.
   */
  static fromStored(key: string, value: Buffer, revision: Revision, memory?: EntryMemory): Entry {
    const offset = metadataOffset(value);
    const own = offset < 0 ? undefined : readLabels(value);
    if (own === undefined) {
      return new Entry({
        key,
        revision,
        place: { bytes: value },
        labels: NO_LABELS,
        offset: -1,
        metadataEnd: 0,
      });
    }
    const labels = memory?.labels(own) ?? own;
    return Entry.#finished(key, value, revision, labels, offset, memory);
  }

  /** The same of a value that the store has compared with its checksum: it is as a server wrote it, and need not be parsed. */
  static fromChecked(key: string, value: Buffer, revision: Revision, memory: EntryMemory): Entry {
    const offset = metadataOffset(value);
    const shape = offset < 0 ? undefined : metadataShape(value, offset);
    if (shape === undefined) return Entry.fromStored(key, value, revision, memory);
    const labels = memory.labelsOfText(shape.labels);
    return Entry.#finished(key, value, revision, labels, offset, memory, shape.end);
  }

  /** The entry of an object that this server has stored as `value`, which need not be read for it. */
  static written(
    key: string,
    value: Buffer,
    revision: Revision,
    labels: Labels,
    memory: EntryMemory,
  ): Entry {
    return Entry.#finished(key, value, revision, labels, metadataOffset(value), memory);
  }

  /** The entry of an object whose finished bytes lie at a place of a slab. */
  static finished({
    key,
    revision,
    labels,
    place,
    offset,
    metadataEnd,
  }: Omit<State, 'lastState'>): Entry {
    return new Entry({ key, revision, place, labels, offset, metadataEnd });
  }

  static #finished(
    key: string,
    value: Buffer,
    revision: Revision,
    labels: Labels,
    offset: number,
    memory: EntryMemory | undefined,
    endInValue = endOfTree(value, offset - 1),
  ): Entry {
    const field = fieldFor(value, offset, revision);
    const place = placeFor(value.length + field.length, memory, (bytes, start) => {
      spliceField(value, offset, field, bytes, start);
    });
    // whatever stands behind the metadata is then found without looking at the metadata
    const metadataEnd = endInValue + field.length;
    return new Entry({ key, revision, place, labels, offset, metadataEnd });
  }

  /** The stored value is not an object; reading it is a StorageReadError. */
  get corrupt(): boolean {
    return this.#offset < 0;
  }

  /** Position in the bytes of what stands behind the metadata's opening brace; -1 when the entry is corrupt. */
  get metadataStart(): number {
    return this.#offset;
  }

  get namespace(): string {
    const slash = this.key.indexOf('/');
    return slash < 0 ? '' : this.key.slice(0, slash);
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /**
   * The object, parsed at every call; the caller may change it.
   *
   * @throws JsonSyntaxError, NotAnObject when the entry is corrupt
   */
  object(): ApiObject {
    return apiObjectOf(parseStoredJson(this.bytes));
  }

  /**
   * The object's metadata without managedFields, read at every call and without
   * the rest of the object; the caller may change it.
   *
   * @throws JsonSyntaxError, NotAnObject when the entry is corrupt
   */
  metadata(): ObjectMeta {
    if (!beginsAsStored(this.bytes)) return this.object().metadata;
    return metadataWithoutManagers(this.bytes);
  }

  /** {@link object} in steps. */
  *objectSteps(): Steps<ApiObject> {
    return apiObjectOf(yield* storedJsonSteps(this.bytes));
  }

  /** The last state of a deleted object, under the revision of its deletion; `memory` as above. */
  deletedAt(revision: Revision, memory?: EntryMemory): Entry {
    const { key, labels, bytes: before } = this;
    const offset = this.#offset;
    if (offset < 0) {
      return new Entry({ key, revision, place: { bytes: before }, labels, offset, metadataEnd: 0 });
    }
    const other = otherField(offset, this.revision, revision);
    const growth = other.field.length - (other.end - offset);
    const place = placeFor(before.length + growth, memory, (bytes, start) => {
      respliceField(before, other, bytes, start);
    });
    const metadataEnd = this.metadataEnd + growth;
    return new Entry({
      key,
      revision,
      place,
      labels,
      offset,
      metadataEnd,
      lastState: this,
    });
  }

  protected override moved(before: Buffer): void {
    if (this.shownAs === before) this.shownAs = this.bytes;
  }
}

/** What an entry is made of. */
interface State {
  readonly key: string;
  readonly revision: Revision;
  readonly place: Place;
  readonly labels: Labels;
  readonly offset: number;
  readonly metadataEnd: number;
  readonly lastState?: Entry;
}

/** Room for so many bytes, in a slab where they fit into one, and filled. */
function placeFor(
  length: number,
  memory: EntryMemory | undefined,
  fill: (bytes: Buffer, start: number) => void,
): Place {
  const slab = memory?.slabs.find(length);
  if (slab === undefined) {
    const bytes = Buffer.allocUnsafeSlow(length);
    fill(bytes, 0);
    return { bytes };
  }
  const start = slab.reserve(length);
  fill(slab.memory, start);
  return { slab, start, length };
}

/** Of larger values only the metadata is read: to read one of a megabyte takes tens of milliseconds. */
const MAX_READ_WHOLE = 64 * 1024;

/** Undefined when the value is not an object. */
function readLabels(value: Buffer): Labels | undefined {
  try {
    if (value.length > MAX_READ_WHOLE && isAsStored(value)) {
      return labelsOf({ metadata: metadataWithoutManagers(value) });
    }
    return labelsOf(apiObjectOf(parseStoredJson(value)));
  } catch {
    return undefined;
  }
}

/** The labels that selectors match; none when they are not a map of strings. */
export function labelsOf({ metadata }: Pick<ApiObject, 'metadata'>): Labels {
  const labels: JsonValue | undefined = metadata.labels;
  if (!isObject(labels)) return NO_LABELS;
  for (const value of Object.values(labels)) if (typeof value !== 'string') return NO_LABELS;
  return labels as Labels;
}
