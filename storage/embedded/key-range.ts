import { MAX_KEY_BYTES } from './environment.ts';
import { StoreError } from '../errors.ts';

/** Keys from `start` on, up to but without `end`. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** Behind every key: UTF-8 has no such byte. */
const BEHIND_ALL = Buffer.from([0xff]);
/** LMDB's binding starts at byte 5 when it is not told where; no key is smaller than this. */
const BEFORE_ALL = Buffer.from([0x01]);

/** @throws StoreError `tooLarge` */
export function encodeKey(key: string): Buffer {
  if (key === '' || key.includes('\u0000')) {
    throw new Error(`not a key of the store: ${JSON.stringify(key)}`);
  }
  const bytes = Buffer.from(key);
  if (bytes.length > MAX_KEY_BYTES) {
    throw new StoreError('tooLarge', `a key must have at most ${MAX_KEY_BYTES} bytes`);
  }
  return bytes;
}

/** All keys under a prefix; those behind `after` and up to `upTo` if given. */
export function keyRange(prefix: string, after?: string, upTo?: string): KeyRange {
  const first = Buffer.from(prefix);
  const start = prefix === '' ? BEFORE_ALL : first;
  const end = behindPrefix(first);
  const next = after === undefined ? start : behindKey(Buffer.from(after));
  const last = upTo === undefined ? end : behindKey(Buffer.from(upTo));
  return {
    start: Buffer.compare(next, start) > 0 ? next : start,
    end: Buffer.compare(last, end) < 0 ? last : end,
  };
}

/** The smallest key behind a key, which may be a key with its versions: those go on with NUL. */
export function behindKey(key: Buffer): Buffer {
  return Buffer.concat([key, BEFORE_ALL]);
}

function behindPrefix(prefix: Buffer): Buffer {
  if (prefix.length === 0) return BEHIND_ALL;
  const end = Buffer.from(prefix);
  const last = end.length - 1;
  end.writeUInt8(end.readUInt8(last) + 1, last);
  return end;
}
