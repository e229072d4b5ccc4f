import { readFileSync, openSync, closeSync, writeSync } from 'node:fs';

/** Where a meta page of LMDB says how large pages are. */
const PAGE_SIZE_AT = 0x30;
const META_PAGES = 2;

/**
 * Zeroes each page of a data file that contains the text, as a broken disk does;
 * a process that has the file open sees it at once. Returns how many there were.
 */
export function zeroPages(file: string, text: string): number {
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  const handle = openSync(file, 'r+');
  let zeroed = 0;
  for (let at = META_PAGES * pageSize; at < bytes.length; at += pageSize) {
    if (!bytes.subarray(at, at + pageSize).includes(text)) continue;
    writeSync(handle, Buffer.alloc(pageSize), 0, pageSize, at);
    zeroed++;
  }
  closeSync(handle);
  return zeroed;
}
