import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../errors.ts';

const NAME = /^owner\.[0-9a-f]{16}$/;
/** What the holder says of itself, and how long it may take to do so. */
const ANSWER_TIMEOUT_MS = 1_000;
const MAX_ANSWER_BYTES = 64;
/** Two processes that start at once give way to one of them within this time. */
const GIVE_WAY_MS = 2_000;
const LOOK_AGAIN_MS = 50;

interface Peer {
  readonly name: string;
  readonly pid: string;
  readonly owns: boolean;
}

/**
 * Keeps a second process out of a data directory, also one in another container
 * on the same volume, and leaves nothing behind that would keep the next one out
 * after a crash.
 *
 * A process that wants the directory listens on its own Unix socket in it and then
 * looks for others: a socket that can be connected to belongs to a live process,
 * because the kernel closes it with the process. Each looks only after its own
 * socket can be found, so of two at least one sees the other. Names are never
 * used twice, so removing a dead one cannot hit another process.
 *
 * (Node has no file locks. Process ids would not do: they are used again, and
 * mean nothing in another container.)
 */
export class ProcessLock {
  readonly #directory: string;
  readonly #handle: number | undefined;
  readonly #name = `owner.${randomBytes(8).toString('hex')}`;
  readonly #server: Server;
  #owns = false;

  private constructor(directory: string) {
    this.#directory = directory;
    // The path of a socket has 107 bytes at most; Linux offers a short way to any directory.
    this.#handle = process.platform === 'linux' ? openSync(directory, 'r') : undefined;
    this.#server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${this.#owns ? 'owner' : 'candidate'} ${process.pid}\n`);
    });
    this.#server.unref();
  }

  /** @throws StoreError `unavailable` in one line when another process has the directory */
  static async acquire(directory: string): Promise<ProcessLock> {
    const lock = new ProcessLock(directory);
    try {
      await lock.#listen();
      await lock.#win();
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async release(): Promise<void> {
    if (this.#server.listening) {
      await new Promise((resolve) => void this.#server.close(resolve));
    }
    rmSync(join(this.#directory, this.#name), { force: true });
    if (this.#handle !== undefined) closeSync(this.#handle);
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ path: this.#pathOf(this.#name), exclusive: true }, resolve);
    });
  }

  async #win(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      const others = await this.#others();
      const inTheWay = others.find(({ owns, name }) => owns || name < this.#name);
      if (inTheWay !== undefined || (others.length > 0 && waitedMs >= GIVE_WAY_MS)) {
        const pid = (inTheWay ?? others[0])?.pid ?? 'unknown';
        throw new StoreError(
          'unavailable',
          `the data directory ${this.#directory} is in use by process ${pid}`,
        );
      }
      if (others.length === 0) break;
      // Of two candidates the one with the greater name gives up; it does so soon.
      await wait(LOOK_AGAIN_MS);
    }
    this.#owns = true;
  }

  async #others(): Promise<Peer[]> {
    const names = readdirSync(this.#directory).filter((name) => NAME.test(name));
    const peers = await Promise.all(
      names.filter((name) => name !== this.#name).map((name) => this.#ask(name)),
    );
    return peers.filter((peer) => peer !== undefined);
  }

  /** Undefined when no process listens on the socket any more; the socket is removed then. */
  #ask(name: string): Promise<Peer | undefined> {
    return new Promise((resolve) => {
      const socket = createConnection(this.#pathOf(name));
      let answer = '';
      let connected = false;
      const finish = (silent: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        // No process listens: the socket is left over from one that has ended.
        if (!connected) rmSync(join(this.#directory, name), { force: true });
        // It hung up without a word: it is giving up, or ending.
        const gone = !connected || (answer === '' && !silent);
        // A live process that says nothing, because it is stopped, owns the directory all the same.
        const [role, pid = 'unknown'] = answer.trim().split(' ');
        resolve(gone ? undefined : { name, pid, owns: role !== 'candidate' });
      };
      const timer = setTimeout(() => finish(true), ANSWER_TIMEOUT_MS);
      socket.on('connect', () => {
        connected = true;
      });
      socket.on('data', (chunk) => {
        if (answer.length < MAX_ANSWER_BYTES) answer += chunk.toString('latin1');
      });
      socket.on('end', () => finish(false));
      socket.on('error', () => finish(false));
    });
  }

  #pathOf(name: string): string {
    return this.#handle === undefined
      ? join(this.#directory, name)
      : `/proc/self/fd/${this.#handle}/${name}`;
  }
}
