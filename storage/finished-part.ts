import type { Revision } from '../api/revision.ts';
import type { FinishedPart, ListResult, StoredItem } from './interface.ts';
import { splitKey } from './keys.ts';
import { fieldFor, metadataOffset, spliceField } from './stored-bytes.ts';
import { metadataShape } from './stored-metadata.ts';

/** How many numbers of `shapes` an object has. */
export const SHAPE_FIELDS = 4;
/** Larger objects do not share a memory: as for those that the slabs of a replica take. */
const LARGEST_SHARE = 1 / 8;

/** What a part needs to know of an object. */
interface Finishable extends StoredItem {
  readonly prefix: string;
  readonly rest: string;
  /** The revision as it is to stand in the bytes. */
  readonly field: string;
  readonly offset: number;
  readonly metadataEnd: number;
  readonly labels: string;
}

/** Puts objects into memory as they are served, one behind the other. */
export class PartFiller {
  readonly #slabBytes: number;
  #memory: Buffer<ArrayBuffer>;
  #used = 0;
  #prefix = '';
  #keys: string[] = [];
  #revisions: Revision[] = [];
  #shapes: number[] = [];
  #labels = new Map<string, number>();

  constructor(slabBytes: number) {
    this.#slabBytes = slabBytes;
    this.#memory = Buffer.allocUnsafeSlow(slabBytes);
  }

  /** Undefined where its reader has to parse the object, or to keep it by itself. It must be as a server has stored it. */
  finishable(item: StoredItem): Finishable | undefined {
    const { key, value, revision } = item;
    const at = splitKey(key);
    const offset = metadataOffset(value);
    if (at === undefined || offset < 0) return undefined;
    const field = fieldFor(value, offset, revision);
    if (value.length + field.length > this.#slabBytes * LARGEST_SHARE) return undefined;
    const shape = metadataShape(value, offset);
    if (shape === undefined) return undefined;
    const { labels, end } = shape;
    return { key, value, revision, ...at, field, offset, metadataEnd: end + field.length, labels };
  }

  get isEmpty(): boolean {
    return this.#used === 0;
  }

  hasRoom({ prefix, value, field }: Finishable): boolean {
    if (this.isEmpty) return true;
    return prefix === this.#prefix && value.length + field.length <= this.#slabBytes - this.#used;
  }

  add({ prefix, rest, value, revision, field, offset, metadataEnd, labels }: Finishable): void {
    spliceField(value, offset, field, this.#memory, this.#used);
    this.#used += value.length + field.length;
    let label = this.#labels.get(labels);
    if (label === undefined) this.#labels.set(labels, (label = this.#labels.size));
    this.#prefix = prefix;
    this.#keys.push(rest);
    this.#revisions.push(revision);
    this.#shapes.push(this.#used, offset, metadataEnd, label);
  }

  /** Those that have been added, and begins with the next ones. */
  take(): FinishedPart {
    const part = {
      prefix: this.#prefix,
      keys: this.#keys,
      revisions: BigUint64Array.from(this.#revisions),
      memory: this.#memory,
      shapes: Uint32Array.from(this.#shapes),
      labels: [...this.#labels.keys()],
    };
    this.#memory = Buffer.allocUnsafeSlow(this.#slabBytes);
    this.#used = 0;
    this.#keys = [];
    this.#revisions = [];
    this.#shapes = [];
    this.#labels = new Map();
    return part;
  }
}

/** The key of the last object of a page. */
export function lastKeyOf({ items, finished }: ListResult): string | undefined {
  return finished === undefined ? items.at(-1)?.key : finished.prefix + finished.keys.at(-1);
}
