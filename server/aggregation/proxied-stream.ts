import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { PushedBody } from '../../http/message.ts';
import { errorFrame } from '../../watch/frames.ts';
import type { FrameSink } from '../../watch/frame-sink.ts';

const LINE_FEED = 0x0a;

/** Streams between clients and other servers, to be ended when this server stops. */
export class OpenStreams {
  readonly #open = new Set<Readable>();

  add(stream: Readable): void {
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
  }

  end(): void {
    for (const stream of this.#open) stream.destroy();
  }
}

/** An answer that goes on for as long as the other server likes: a watch. */
export function pushedAnswer(message: IncomingMessage, streams: OpenStreams): PushedBody {
  streams.add(message);
  let isBetweenEvents = true;
  return {
    discard: () => void message.destroy(),
    start(sink) {
      const resume = handOn(message, (bytes) => {
        isBetweenEvents = bytes.at(-1) === LINE_FEED;
        return sink.write(bytes);
      });
      onceOver(message, () => sink.end());
      return {
        resume,
        close: () => message.destroy(),
        fail(error) {
          if (isBetweenEvents && isPlainJson(message)) sink.write(errorFrame(error.status));
          message.destroy();
        },
      };
    },
  };
}

/** May a line of JSON stand behind what the other server has sent? */
function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return /^application\/json\s*(?:;|$)/i.test(type) && headers['content-encoding'] === undefined;
}

/** Both directions of a connection that has become another protocol. */
export function upgradedAnswer(socket: Duplex, head: Buffer, streams: OpenStreams): PushedBody {
  streams.add(socket);
  // without a listener, an error would end the process
  socket.on('error', () => socket.destroy());
  if (head.length > 0) socket.unshift(head);
  return {
    discard: () => void socket.destroy(),
    start(sink) {
      const resume = handOn(socket, (bytes) => sink.write(bytes));
      onceOver(socket, () => sink.end());
      return {
        resume,
        close: () => socket.destroy(),
        receive: (bytes) => (socket.write(bytes) ? undefined : drained(socket)),
      };
    },
  };
}

/**
 * Writes what has come as one piece, however small the pieces were in which the other server sent
 * it: 64 KiB may be 13,000 chunks of one byte.
 *
 * @returns to be called when there is room again, after `write` has answered false
 */
function handOn(stream: Readable, write: FrameSink['write']): () => void {
  let hasRoom = true;
  const goOn = (): void => {
    while (hasRoom) {
      const bytes = stream.read() as Buffer | null;
      if (bytes === null) return;
      hasRoom = write(bytes);
    }
  };
  stream.on('readable', goOn);
  return () => {
    hasRoom = true;
    goOn();
  };
}

/** However a stream is over: at its end, broken, or destroyed. */
function onceOver(stream: Readable, callback: () => void): void {
  let isOver = false;
  const over = (): void => {
    if (!isOver) callback();
    isOver = true;
  };
  stream.on('end', over);
  stream.on('error', over);
  stream.on('close', over);
  if (stream.destroyed) over();
}

function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
