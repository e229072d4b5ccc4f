import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { MAX_READERS } from './environment.ts';

/** LMDB keeps a line of so many bytes for each reader, behind a header. */
const READER_BYTES = 64;
const HEADER_BYTES = 4096;

/**
 * Gives a new store's lock file its room on the disk. LMDB makes it with holes,
 * maps it and writes into them: on a full disk that would kill the process with
 * SIGBUS.
 *
 * @throws Error with the code of the operating system
 */
export function reserveLockFile(dataFile: string): void {
  const file = `${dataFile}-lock`;
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(HEADER_BYTES + MAX_READERS * READER_BYTES), { mode: 0o600 });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}
