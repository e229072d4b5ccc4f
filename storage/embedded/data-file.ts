import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

export const DATA_FILE = 'store.mdb';

/** The fields of LMDB's meta pages that tell a whole file (lmdb-js 3.5, data version 2). */
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 0x18;
const PAGE_SIZE_AT = 0x30;
const LAST_PAGE_AT = 0x90;
const TXN_AT = 0x98;
const META_BYTES = 0xa0;

/**
 * What is wrong with a data file, in a few words; undefined when it looks whole,
 * or is not there yet. LMDB maps the file and believes what it reads: one that is
 * cut short or something else entirely would take the process down.
 */
export function faultOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    // A process that ended before its first commit leaves an empty file.
    if (size === 0) return undefined;
    const first = readMeta(handle, 0);
    const second = first && readMeta(handle, first.pageSize);
    if (first === undefined || second === undefined) return 'it is not a data file of this store';
    const newest = first.txn > second.txn ? first : second;
    const expected = (newest.lastPage + 1n) * BigInt(newest.pageSize);
    if (BigInt(size) >= expected) return undefined;
    return `it is cut short (${size} of ${expected} bytes)`;
  } finally {
    closeSync(handle);
  }
}

interface MetaPage {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly txn: bigint;
}

function readMeta(handle: number, at: number): MetaPage | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(handle, bytes, 0, META_BYTES, at) < META_BYTES) return undefined;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  const whole = bytes.readUInt32LE(MAGIC_AT) === MAGIC && pageSize >= 512 && pageSize <= 65_536;
  if (!whole) return undefined;
  return {
    pageSize,
    lastPage: bytes.readBigUInt64LE(LAST_PAGE_AT),
    txn: bytes.readBigUInt64LE(TXN_AT),
  };
}
