import { revisionOf } from '../../api/revision.ts';
import type { StoredItem } from '../interface.ts';
import type { KeyValue } from './wire.ts';

/** A range of keys as etcd wants it: `end` is the first key behind it. */
interface KeyRange {
  key: Buffer;
  rangeEnd: Buffer;
}

const NUL = '\u0000';

/**
 * How the store's keys lie in etcd: below `<prefix>/`, so that one etcd serves
 * several registries and other tools.
 *
 * Two keys are the store's own. Their names begin with NUL, which no key of the
 * registry contains, so they collide with none, sort before all of them, and
 * need no permission beyond the prefix:
 * - `author`: who wrote a revision that does not tell it by itself (journal.ts);
 * - `epoch`: raised to keep late writes out (epoch.ts). It sorts behind
 *   `author`, so that a watch can include the one without the other.
 */
export class KeySpace {
  readonly author: Buffer;
  readonly epoch: Buffer;
  readonly #root: string;
  readonly #rootBytes: number;

  constructor(prefix: string) {
    this.#root = `${prefix.replace(/\/+$/, '')}/`;
    this.#rootBytes = Buffer.byteLength(this.#root);
    this.author = Buffer.from(`${this.#root}${NUL}author`);
    this.epoch = Buffer.from(`${this.#root}${NUL}epoch`);
  }

  key(relative: string): Buffer {
    if (relative === '' || relative.includes(NUL)) {
      throw new Error(`not a key of the store: ${JSON.stringify(relative)}`);
    }
    return Buffer.from(this.#root + relative);
  }

  /** All keys under a prefix, without the store's own; those behind `after` and up to `upTo` if given. */
  range(prefix: string, after?: string, upTo?: string): KeyRange {
    const first = Buffer.from(this.#root + (prefix === '' ? '\u0001' : prefix));
    const end = this.#endOf(prefix);
    const next = after === undefined ? first : this.#behind(after);
    const last = upTo === undefined ? end : this.#behind(upTo);
    // Compared as bytes: JavaScript orders strings by UTF-16 units, etcd by UTF-8.
    return {
      key: Buffer.compare(next, first) > 0 ? next : first,
      rangeEnd: Buffer.compare(last, end) < 0 ? last : end,
    };
  }

  /** The store's own keys and all others. */
  everything(): KeyRange {
    return { key: this.author, rangeEnd: this.#endOf('') };
  }

  /** As {@link range}; a watch over everything also sees the epoch, and advances with it. */
  watchRange(prefix: string): KeyRange {
    const key = prefix === '' ? this.epoch : Buffer.from(this.#root + prefix);
    return { key, rangeEnd: this.#endOf(prefix) };
  }

  relative(key: Buffer): string {
    return key.toString('utf8', this.#rootBytes);
  }

  isOwn(key: Buffer): boolean {
    return key[this.#rootBytes] === 0;
  }

  item(kv: KeyValue): StoredItem {
    return {
      key: this.relative(kv.key),
      value: kv.value,
      revision: revisionOf(kv.modRevision),
    };
  }

  /** The smallest key behind one. */
  #behind(relative: string): Buffer {
    return Buffer.from(this.#root + relative + NUL);
  }

  /** The last byte of a prefix is below 0xff: UTF-8 has no such byte. */
  #endOf(prefix: string): Buffer {
    const end = Buffer.from(this.#root + prefix);
    const last = end.length - 1;
    end.writeUInt8(end.readUInt8(last) + 1, last);
    return end;
  }
}
