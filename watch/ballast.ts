import { MessageChannel } from 'node:worker_threads';

/** More than glibc ever takes from its heap: a block that is given up leaves no gap there. */
const BLOCK_BYTES = 33 * 1024 * 1024;
/** At first, when so much as one has been loaded; a small load needs none. */
const FIRST_BLOCKS = 8;
/** Added at a time. */
const MAX_BLOCKS = 24;

/**
 * Keeps V8 from a full collection for each 64 MiB that a load adds to buffers. What is loaded
 * stays, so such a collection finds nothing, and each takes longer than the one before: 21 for a
 * million objects, and 1.2 s of 12.1 s of CPU. V8 compares all buffers with those after its last
 * collection. So empty ones stand for what is still to come, and one goes when as much has been
 * loaded. They are never written to: they take addresses and no memory.
 */
export class Ballast {
  readonly #blocks: ArrayBuffer[] = [];
  readonly #exit = closedPort();
  #loaded = 0;
  /** Loaded since a block has gone. */
  #since = 0;

  /** So many bytes more are in memory, to stay. */
  loaded(bytes: number): void {
    this.#loaded += bytes;
    this.#since += bytes;
    if (this.#since < BLOCK_BYTES) return;
    this.#since = 0;
    this.#giveUp(this.#blocks.pop());
    if (this.#blocks.length === 0) this.#takeMore();
  }

  /** The load is over. */
  end(): void {
    for (const block of this.#blocks.splice(0)) this.#giveUp(block);
  }

  /** As many as have been loaded, within bounds: they cost a collection once, which counts them. */
  #takeMore(): void {
    const blocks = Math.max(FIRST_BLOCKS, Math.floor(this.#loaded / BLOCK_BYTES));
    try {
      for (let i = 0; i < Math.min(MAX_BLOCKS, blocks); i++) {
        this.#blocks.push(new ArrayBuffer(BLOCK_BYTES));
      }
    } catch {
      // there are no more addresses: the load goes on without
    }
  }

  /** Sent away its memory is free at once; otherwise only after a collection. */
  #giveUp(block: ArrayBuffer | undefined): void {
    if (block !== undefined) this.#exit.postMessage(undefined, [block]);
  }
}

/** What is sent to it is gone. */
function closedPort(): MessageChannel['port1'] {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
