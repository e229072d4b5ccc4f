import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { frameHead, FrameReader, type Frame } from './frames.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { H2Session } from './session.ts';
import type { Head, StreamListener } from './stream.ts';

const PREFACE_BYTES = 24;

/** A frame with its payload. */
export function frameOf(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer | string,
): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([frameHead(bytes.length, type, flags, stream), bytes]);
}

/** A peer that says what a test tells it to, byte by byte, and keeps what it is sent. */
export class ScriptedPeer {
  readonly #server: Server;
  #socket: Socket | undefined;
  readonly #reader = new FrameReader();
  readonly #decoder = new HpackDecoder();
  #preface = PREFACE_BYTES;
  #waiting: (() => void)[] = [];
  readonly frames: Frame[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedPeer> {
    const server = createServer();
    const peer = new ScriptedPeer(server);
    server.on('connection', (socket) => peer.#accept(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return peer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  send(type: number, flags: number, stream: number, payload: Buffer | string = ''): void {
    this.sendBytes(frameOf(type, flags, stream, payload));
  }

  sendBytes(bytes: Buffer): void {
    this.#socket?.write(bytes);
  }

  /** The frames of one type; waits for the first `count` of them. */
  async received(type: number, count = 1): Promise<Frame[]> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.type === type);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  fieldsOf(frame: Frame): Map<string, string> {
    const fields = new Map<string, string>();
    this.#decoder.decode(frame.payload, (name, value) => fields.set(name, value));
    return fields;
  }

  cut(): void {
    this.#socket?.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const bytes = chunk.subarray(this.#preface);
      this.#preface = Math.max(0, this.#preface - chunk.length);
      this.#reader.push(bytes, (frame) => {
        this.frames.push({ ...frame, payload: Buffer.from(frame.payload) });
      });
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resolve of waiting) resolve();
    });
  }
}

interface Settled<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function settled<T>(): Settled<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

/** A session with what it reports. */
export interface TestSession {
  readonly session: H2Session;
  readonly ready: Promise<undefined>;
  readonly retired: Promise<undefined>;
  readonly failed: Promise<Error>;
  readonly closed: Promise<unknown>;
}

export function connectSession(port: number, lastId?: number): TestSession {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  const ready = settled<undefined>();
  const retired = settled<undefined>();
  const failed = settled<Error>();
  const events = {
    onReady: () => ready.resolve(undefined),
    onRetired: () => retired.resolve(undefined),
    onError: failed.resolve,
  };
  const session = new H2Session(socket, events, lastId);
  socket.on('data', (chunk: Buffer) => session.receive(chunk));
  session.start();
  return {
    session,
    ready: ready.promise,
    retired: retired.promise,
    failed: failed.promise,
    closed: once(socket, 'close'),
  };
}

/** Keeps what a stream is told. */
export class Answer implements StreamListener {
  readonly heads: Head[] = [];
  bytes = Buffer.alloc(0);
  /** `end`, or why it was lost. */
  readonly ended: Promise<string>;
  readonly #settle: (how: string) => void;

  constructor() {
    const { promise, resolve } = settled<string>();
    this.ended = promise;
    this.#settle = resolve;
  }

  onHead(head: Head): void {
    this.heads.push(head);
  }

  onData(bytes: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }

  onEnd(): void {
    this.#settle('end');
  }

  onLost(details: string, refused: boolean): void {
    this.#settle(refused ? `refused: ${details}` : `lost: ${details}`);
  }
}
