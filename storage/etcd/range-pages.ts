import { PagesAhead } from '../pages-ahead.ts';
import type { Credentials } from './authenticator.ts';
import type { Reader } from './reader.ts';
import type { TlsMaterial } from './tls-files.ts';

/** What a thread needs to read a cluster by itself. */
export interface Access {
  /** Members, those first that are asked first. */
  readonly endpoints: readonly string[];
  readonly prefix: string;
  readonly tls: TlsMaterial;
  readonly auth: Credentials | undefined;
}

/** And how it knows that the answers are those of the same cluster. */
export interface RangeJob extends Access {
  readonly clusterId: bigint;
}

const PROGRAM = new URL('./range-thread.js', import.meta.url);

/** Pages of everything, read ahead by a thread with connections of its own. */
export function rangePages(
  reader: Reader,
  job: () => RangeJob,
  { threadKeys, program = PROGRAM }: { threadKeys?: number; program?: URL } = {},
): PagesAhead {
  const list = reader.list.bind(reader);
  return new PagesAhead({ list, keys: () => reader.keysAtBeginning, job, program }, threadKeys);
}
