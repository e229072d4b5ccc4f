import type { IncomingMessage } from 'node:http';
import { PerTurn } from '../api/per-turn.ts';

/** Chunks after which a message waits for its turn. */
const DENSE_CHUNKS = 512;
/** Such messages, of all of them, that are read on in one turn of the event loop: each takes up to 5 ms. */
const DENSE_READS_PER_TURN = 2;

const perTurn = new PerTurn(DENSE_READS_PER_TURN);

/**
 * Reads an answer of very many small chunks a little in each turn of the event loop. Node parses
 * all that a connection has brought, and 64 KiB may be 13,000 chunks of one byte: 20 such answers
 * took 140 to 240 ms of CPU in one turn.
 */
export function paceChunks(message: IncomingMessage): void {
  let chunks = 0;
  // Both are what a stream's implementation has to provide, and may take their time.
  const push = message.push.bind(message);
  const read = message._read.bind(message);
  message.push = (chunk: unknown, encoding?: BufferEncoding) => {
    const hasRoom = push(chunk, encoding);
    // Node reads nothing more from the connection when it is told that there is no room.
    return ++chunks < DENSE_CHUNKS && hasRoom;
  };
  message._read = (size) => {
    const isDense = chunks >= DENSE_CHUNKS;
    chunks = 0;
    if (isDense) perTurn.run(() => read(size));
    else read(size);
  };
}
