import { PagesAhead } from '../pages-ahead.ts';
import type { Reader } from './reader.ts';

/** What a thread needs to read the data file by itself. */
export interface DataFile {
  readonly file: string;
  readonly mapBytes: number;
}

const PROGRAM = new URL('./page-thread.js', import.meta.url);

/** Pages of everything, read ahead by a thread that opens the data file. */
export function filePages(
  reader: Reader,
  { file, mapBytes }: DataFile,
  keys: () => number,
  { threadKeys, program = PROGRAM }: { threadKeys?: number; program?: URL } = {},
): PagesAhead {
  const list = reader.list.bind(reader);
  return new PagesAhead({ list, keys, job: () => ({ file, mapBytes }), program }, threadKeys);
}
