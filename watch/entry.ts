import { isObject, type JsonObject } from '../api/json.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { Revision } from '../api/revision.ts';
import { metadataOffset, respliceRevision, spliceRevision } from '../storage/stored-bytes.ts';

export type Labels = Readonly<Record<string, string>>;
const NO_LABELS: Labels = Object.freeze({});

/**
 * One object at one revision, as a replica keeps it: its finished bytes, and
 * beside them what reads decide by. Immutable. The parsed object is made on
 * demand and not kept: bytes cost half the memory and a sixth of the pauses.
 */
export class Entry {
  /** Behind the resource's prefix: `<namespace>/<name>`, or `<name>` for cluster scope. */
  readonly key: string;
  readonly revision: Revision;
  /** JSON with resourceVersion in it; what the store held, unchanged, when the entry is corrupt. */
  readonly bytes: Buffer;
  readonly labels: Labels;
  /** The stored value is not an object; reading it is a StorageReadError. */
  readonly corrupt: boolean;
  /** For whoever shows the entry in another form: the last form made, and what it was made for. */
  shownFor: object | undefined;
  shownAs: Buffer | undefined;
  /** Of the last state of a deleted object: that state under its own revision. */
  readonly lastState: Entry | undefined;
  readonly #offset: number;

  private constructor(
    key: string,
    revision: Revision,
    bytes: Buffer,
    offset: number,
    labels: Labels,
    lastState?: Entry,
  ) {
    this.key = key;
    this.revision = revision;
    this.bytes = bytes;
    this.labels = labels;
    this.corrupt = offset < 0;
    this.#offset = offset;
    this.lastState = lastState;
  }

  /** Makes the entry of a stored value; a value that cannot be read makes a corrupt entry. */
  static fromStored(key: string, value: Buffer, revision: Revision): Entry {
    const offset = metadataOffset(value);
    if (offset < 0) return new Entry(key, revision, value, -1, NO_LABELS);
    try {
      const labels = labelsOf(parseStoredJson(value));
      return new Entry(key, revision, spliceRevision(value, offset, revision), offset, labels);
    } catch {
      return new Entry(key, revision, value, -1, NO_LABELS);
    }
  }

  get namespace(): string {
    const slash = this.key.indexOf('/');
    return slash < 0 ? '' : this.key.slice(0, slash);
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /**
   * The object, parsed anew at every call; the caller may change it.
   *
   * @throws JsonSyntaxError when the entry is corrupt
   */
  object(): JsonObject {
    return parseStoredJson(this.bytes);
  }

  /** The last state of a deleted object, under the revision of its deletion. */
  deletedAt(revision: Revision): Entry {
    if (this.corrupt) return new Entry(this.key, revision, this.bytes, -1, NO_LABELS);
    const bytes = respliceRevision(this.bytes, this.#offset, this.revision, revision);
    return new Entry(this.key, revision, bytes, this.#offset, this.labels, this);
  }
}

function labelsOf(object: JsonObject): Labels {
  const metadata = object.metadata;
  const labels = isObject(metadata) ? metadata.labels : undefined;
  if (!isObject(labels)) return NO_LABELS;
  for (const value of Object.values(labels)) if (typeof value !== 'string') return NO_LABELS;
  return labels as Labels;
}
