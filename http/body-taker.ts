import type { Readable } from 'node:stream';

/** Gets the body of a request as it arrives. */
export interface BodyTaker {
  take(chunk: Buffer): void;
  /** All of it has come. */
  end(): void;
  /** The rest of it will not come. */
  cut(error?: Error | null): void;
}

/** A request that hands its body to a taker: Node's stream of a small body takes longer than parsing it. */
export interface BodyGiver extends Readable {
  /** False when the body has begun to arrive, or no more bytes come: the stream then has the body. */
  giveBody(taker: BodyTaker): boolean;
  /** What comes from now on goes to the stream. */
  keepBody(): void;
}

/** Whether the request hands its body over without a stream (HTTP/1.1 on our own message class). */
export function isBodyGiver(req: Readable): req is BodyGiver {
  return 'giveBody' in req;
}
