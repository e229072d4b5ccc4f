import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PerTurn } from '../api/per-turn.ts';
import { ReadGate } from './read-gate.ts';

/** At so many unanswered requests a connection is not read any further. */
const MAX_UNANSWERED = 8;
/** Requests behind others on their connections, of all of them, that begin in one turn of the event loop. */
const PIPELINED_PER_TURN = 32;

/**
 * Begins the work on a request when fewer than {@link MAX_UNANSWERED} requests
 * before it on its connection are unanswered. A response is answered when the
 * operating system has taken it, so a client that does not read its answers is
 * not read from either.
 *
 * Node gives a response its socket when the responses before it have left.
 * Requests that come one at a time have it from the beginning and cost nothing
 * here.
 */
export function beginInTurn(socket: Socket, res: ServerResponse, begin: () => void): void {
  if (res.socket !== null) {
    begin();
    return;
  }
  let pipeline = pipelines.get(socket);
  if (pipeline === undefined) pipelines.set(socket, (pipeline = new Pipeline(socket)));
  pipeline.add(res, begin);
}

/**
 * Asks clients that wait for it for their bodies (`Expect: 100-continue`), each when its answer is
 * the next one. Node does so when the request comes: behind other answers those words then wait
 * with the answer, and are sent between its head and a body of bytes.
 */
export function continueInTurn(server: Server): void {
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    if (res.socket !== null) res.writeContinue();
    else {
      res.once('socket', () => {
        if (!res.headersSent) res.writeContinue();
      });
    }
    server.emit('request', req, res);
  });
}

const perTurn = new PerTurn(PIPELINED_PER_TURN);
const pipelines = new WeakMap<Socket, Pipeline>();

/** Of one connection: the requests behind the one whose answer is being sent. */
class Pipeline {
  readonly #gate: ReadGate;
  /** Responses that have no socket yet. */
  readonly #behind = new Set<ServerResponse>();
  /** The last ones of them, not begun: Node has read them together with the others. */
  readonly #parked: (() => void)[] = [];
  #isHeld = false;

  constructor(socket: Socket) {
    this.#gate = ReadGate.of(socket);
    socket.once('close', () => this.#abandon());
  }

  add(res: ServerResponse, begin: () => void): void {
    this.#behind.add(res);
    res.once('socket', () => this.#moveUp(res));
    const inTurn = (): void => {
      perTurn.run(() => {
        if (!res.destroyed) begin();
      });
    };
    if (this.#behind.size < MAX_UNANSWERED) inTurn();
    else this.#parked.push(inTurn);
    this.#adjust();
  }

  #moveUp(res: ServerResponse): void {
    this.#behind.delete(res);
    this.#parked.shift()?.();
    this.#adjust();
  }

  #adjust(): void {
    const isFull = this.#behind.size + 1 >= MAX_UNANSWERED;
    if (isFull === this.#isHeld) return;
    this.#isHeld = isFull;
    if (isFull) this.#gate.hold();
    else this.#gate.release();
  }

  /** Node tells the end of a connection only to the response that has its socket. */
  #abandon(): void {
    this.#parked.length = 0;
    for (const res of this.#behind) {
      res.destroy();
      res.emit('close');
    }
    this.#behind.clear();
  }
}
