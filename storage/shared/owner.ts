import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { systemClock, type Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { openEmbeddedStore, type EmbeddedOptions } from '../embedded/open.ts';
import type { EmbeddedStore } from '../embedded/store.ts';
import type { Frame } from './frames.ts';
import { Link } from './link.ts';
import { type Answer, decodeRequest, encodeAnswer, type Request } from './messages.ts';
import { SOCKET_FILE, SocketPath } from './socket.ts';

/** Of one process; it is not read while more of what it sent waits for an answer. */
const MAX_UNANSWERED_BYTES = 64 * 1024 * 1024;
/** Of answers that a process does not read; beyond it the connection ends. A process that works reads them at once. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** The kernel frees the locks of a process a moment after its sockets. */
const FORGET_AFTER_MS = 1_000;

/**
 * Opens the embedded store and does the writes of other processes, which read
 * the file themselves (./open.ts). No more than that runs in the process that
 * owns the store, so nothing that a request does can end it.
 *
 * @throws StoreError as openEmbeddedStore
 */
export async function openOwner(options: EmbeddedOptions): Promise<StoreOwner> {
  const links = new Set<ServedLink>();
  const onRevision = (revision: Revision): void => {
    for (const link of links) link.tellRevision(revision);
  };
  const store = await openEmbeddedStore({ ...options, onRevision });
  const owner = new StoreOwner(resolve(options.dir), store, links, options.clock ?? systemClock);
  try {
    await owner.listen();
    return owner;
  } catch (error) {
    await owner.close();
    throw error;
  }
}

class StoreOwner {
  readonly #directory: string;
  readonly #store: EmbeddedStore;
  readonly #links: Set<ServedLink>;
  readonly #clock: Clock;
  readonly #path: SocketPath;
  readonly #server: Server;

  constructor(directory: string, store: EmbeddedStore, links: Set<ServedLink>, clock: Clock) {
    this.#directory = directory;
    this.#store = store;
    this.#links = links;
    this.#clock = clock;
    this.#path = new SocketPath(directory);
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(): Promise<void> {
    // one that a killed process has left: this process holds the directory
    rmSync(join(this.#directory, SOCKET_FILE), { force: true });
    await new Promise<void>((listening, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ path: this.#path.path, exclusive: true }, listening);
    });
    chmodSync(this.#path.path, 0o600);
  }

  /** Answers what was asked, then closes the store. */
  async close(): Promise<void> {
    if (this.#server.listening) this.#server.close();
    await this.#store.close();
    for (const link of this.#links) link.end();
    this.#path.close();
  }

  #serve(socket: Socket): void {
    const link = new ServedLink(socket, this.#store, () => {
      this.#links.delete(link);
      // a process that was killed while it read keeps pages from being used again
      this.#clock.after(FORGET_AFTER_MS, () => this.#store.forgetDeadReaders());
    });
    this.#links.add(link);
    // what was committed while it was not connected
    this.#store.currentRevision().then(
      (revision) => link.tellRevision(revision),
      // the store is being closed
      () => link.end(),
    );
  }
}

export type { StoreOwner };

/** The owner's end of the link to one process. */
class ServedLink {
  readonly #link: Link;
  readonly #store: EmbeddedStore;
  #unansweredBytes = 0;

  constructor(socket: Socket, store: EmbeddedStore, onClosed: () => void) {
    this.#store = store;
    this.#link = new Link(socket, { onFrame: (frame) => this.#received(frame), onClosed });
  }

  tellRevision(revision: Revision): void {
    this.#link.tellRevision(revision);
  }

  end(): void {
    this.#link.end();
  }

  #received(frame: Frame): void {
    const { id, length } = frame;
    const request = decodeRequest(frame);
    this.#unansweredBytes += length;
    if (this.#unansweredBytes > MAX_UNANSWERED_BYTES) this.#link.pause();
    const answer = (answer: Answer): void => {
      this.#unansweredBytes -= length;
      if (this.#unansweredBytes <= MAX_UNANSWERED_BYTES) this.#link.resume();
      this.#link.send((writer) => encodeAnswer(writer, id, answer));
      if (this.#link.unreadBytes > MAX_UNREAD_BYTES) this.#link.destroy();
    };
    answerOf(this.#store, request).then(answer, (error: unknown) => {
      answer({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    });
  }
}

async function answerOf(store: EmbeddedStore, request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'write': {
      const { transaction, ttlSeconds, caller } = request;
      const options = { ttlSeconds, caller, bareConflict: true };
      return { kind: 'written', result: await store.write(transaction, options) };
    }
    case 'compact':
      await store.compact(request.revision);
      return { kind: 'compacted' };
    case 'health':
      return { kind: 'health', health: await store.checkHealth() };
  }
}
