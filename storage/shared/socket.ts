import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** In the directory of the data. Only the process that holds the directory's lock makes it. */
export const SOCKET_FILE = 'writes.sock';

/**
 * The path of the socket in a directory. That of a socket has 107 bytes at most;
 * Linux offers a short way to any directory that is open.
 */
export class SocketPath {
  readonly path: string;
  readonly #handle: number | undefined;

  constructor(directory: string) {
    this.#handle = process.platform === 'linux' ? openSync(directory, 'r') : undefined;
    const short = this.#handle === undefined ? directory : `/proc/self/fd/${this.#handle}`;
    this.path = join(short, SOCKET_FILE);
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
  }
}
