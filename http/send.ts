import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnsweredRequest, AnswerStream } from './answer-stream.ts';
import type { Wire } from './budgeted-sink.ts';
import { Cancellation } from './cancellation.ts';
import { ClientGone } from './client-gone.ts';
import { isPushed, type ApiRequest, type ApiResponse, type PushedBody } from './message.ts';
import { apiRequestFrom } from './request.ts';
import type { Answer } from './exchange.ts';
import { SLAB_BYTES, slabPool } from './slab-pool.ts';
import { startPush } from './start-push.ts';
import { unsentBudget, type UnsentClaim } from './unsent-budget.ts';

/** Answers one request; must not throw or reject: what goes wrong in it is an answer already. */
export type Handle = (request: ApiRequest) => Answer;

/**
 * One request from its head to the last byte of its answer. An answer that is there at once
 * leaves before this returns: without promises a get takes less (docs/performance.md).
 */
export function serve(
  handle: Handle,
  req: IncomingMessage,
  res: ServerResponse,
  maxPieceMs = MAX_PIECE_MS,
): Promise<void> | undefined {
  const cancellation = new Cancellation();
  res.on('close', () => {
    if (!res.writableFinished) cancellation.abort(new ClientGone());
  });
  const request = apiRequestFrom(req, cancellation, res);
  const finish = (response: ApiResponse): Promise<void> | undefined =>
    cancellation.reason instanceof ClientGone
      ? discard(response)
      : send(req, res, response, { user: userOf(request), maxPieceMs });
  const answer = handle(request);
  return answer instanceof Promise ? answer.then(finish) : finish(answer);
}

/** Whose budget of unsent bytes the answer counts in. */
export function userOf({ sender }: ApiRequest): string {
  return sender?.user ?? '';
}

/** A client that takes longer for 128 KiB of an answer is cut off. */
const MAX_PIECE_MS = 30_000;
/** Smaller answers fit into the buffers of the operating system. */
export const SMALL_ANSWER_BYTES = 64 * 1024;

interface SendOptions {
  /** Whose budget of unsent bytes the answer counts in. */
  readonly user: string;
  readonly maxPieceMs?: number;
}

/** Sends an answer, with back-pressure; a client that goes away, or does not read it, ends it. Undefined: all of it is on its way. */
export function send(
  req: AnsweredRequest,
  res: AnswerStream,
  response: ApiResponse,
  { user, maxPieceMs = MAX_PIECE_MS }: SendOptions,
): Promise<void> | undefined {
  const { status, headers, body } = response;
  const isWhole = Buffer.isBuffer(body) && body.length <= SMALL_ANSWER_BYTES;
  if (!isWhole && req.method !== 'HEAD') res.comesInPieces?.();
  res.writeHead(status, headers);
  let sending: Promise<void> | undefined;
  if (req.method === 'HEAD') {
    sending = discard(response).then(() => void res.end());
  } else if (Buffer.isBuffer(body)) {
    if (isWhole) res.end(body);
    else sending = pull(res, piecesOf(body), { user, maxPieceMs, length: body.length });
  } else if (isPushed(body)) {
    push(res, body, user);
  } else {
    const length = Number(headers['content-length'] ?? NaN);
    sending = pull(res, body[Symbol.asyncIterator](), { user, maxPieceMs, length });
  }
  if (sending !== undefined) return sending.then(() => dropRest(req));
  dropRest(req);
  return undefined;
}

/** The rest of an unread request body must not block the connection. */
function dropRest(req: AnsweredRequest): void {
  if (!req.complete) req.resume();
}

/** A body in one piece as pieces, so that no more than one of them is copied for a slow client. */
function* piecesOf(body: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < body.length; at += SLAB_BYTES) {
    yield body.subarray(at, at + SLAB_BYTES);
  }
}

interface PullOptions {
  readonly user: string;
  readonly maxPieceMs: number;
  /** Bytes of all pieces; NaN: not known. */
  readonly length: number;
}

/** Writes pieces as fast as the client takes them and the budget of unsent bytes has room for them. */
async function pull(
  res: AnswerStream,
  pieces: AsyncIterator<Buffer> | Iterator<Buffer, void>,
  { user, maxPieceMs, length }: PullOptions,
): Promise<void> {
  let left = length;
  const claim = unsentBudget.claim(user, () => res.destroy());
  res.once('close', () => claim.leave());
  try {
    for (;;) {
      // Before the piece is made: it is memory from then on.
      const waiting = room(claim, SLAB_BYTES);
      if (waiting !== undefined) await waiting;
      const next = res.destroyed ? undefined : await pieces.next();
      const length = next === undefined || next.done === true ? 0 : next.value.length;
      const size = Math.max(length, SLAB_BYTES);
      const waitingForAll = size > SLAB_BYTES ? roomForLong(claim, size) : undefined;
      if (waitingForAll !== undefined) await waitingForAll;
      // without its client it has no room, and never tells of any
      if (next === undefined || res.destroyed) break;
      if (next.done === true) {
        claim.sent(SLAB_BYTES);
        res.end();
        return;
      }
      const piece = next.value;
      const maxMs = maxPieceMs * Math.ceil(size / SLAB_BYTES);
      const onSent = (error?: Error | null): void => {
        claim.sent(size);
        if (!error) slabPool.giveBack(piece);
      };
      const hasRoom = res.write(piece, onSent);
      left -= piece.length;
      if (left === 0) {
        // with the last piece in one write
        res.end();
        // an answer that has ended tells of no room
        const isTaken = hasRoom ? undefined : taken(res, 'finish', maxMs);
        await pieces.next();
        await isTaken;
        return;
      }
      if (!hasRoom) await taken(res, 'drain', maxMs);
    }
    claim.leave();
    await pieces.return?.();
  } catch {
    // The status line is out: all that is left is to let the client see a broken body.
    res.destroy();
  }
}

/** Waits until the budget has room for a piece; at once where it has. */
function room(claim: UnsentClaim, bytes: number): Promise<void> | undefined {
  let goOn = (): void => undefined;
  if (claim.take(bytes, () => goOn())) return undefined;
  return new Promise((resolve) => (goOn = resolve));
}

/**
 * The same for a longer piece, which was there before this answer, once there is room for a
 * slab. It lets that go first: answers that hold a part of the room while they wait for
 * the rest would wait for each other.
 */
function roomForLong(claim: UnsentClaim, bytes: number): Promise<void> | undefined {
  claim.sent(SLAB_BYTES);
  return room(claim, bytes);
}

/** Waits until the client has taken a piece, which `event` tells; cuts it off after `maxMs`. */
function taken(res: AnswerStream, event: 'drain' | 'finish', maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), maxMs);
    const done = (): void => {
      clearTimeout(timer);
      res.off(event, done);
      res.off('close', done);
      resolve();
    };
    res.on(event, done);
    res.on('close', done);
  });
}

function push(res: AnswerStream, body: PushedBody, user: string): void {
  res.flushHeaders();
  const wire: Wire = {
    write: (frame, onSent) => res.write(frame, onSent),
    end: () => void res.end(),
    destroy: () => void res.destroy(),
  };
  startPush(res, wire, body, user);
}

/** Closes a response body that will not be sent, so that it releases its resources. */
export async function discard({ body }: ApiResponse): Promise<void> {
  if (Buffer.isBuffer(body)) return;
  if (isPushed(body)) body.discard?.();
  else await body[Symbol.asyncIterator]().return?.();
}
