import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file, or the entries of a directory, survive a power cut. */
export function syncFile(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
