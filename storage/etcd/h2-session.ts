import type { Socket } from 'node:net';
import {
  CODE,
  contentOf,
  FLAG,
  FRAME,
  DEFAULT_WINDOW_BYTES,
  frameHead,
  FrameReader,
  helloFrames,
  MAX_FRAME_BYTES,
  ProtocolError,
  readSettings,
  readWord,
  SETTING,
  wordFrame,
  type Frame,
} from './h2-frames.ts';
import { HeadReader } from './h2-heads.ts';
import { OpenStreams } from './open-streams.ts';
import { Outbox } from './outbox.ts';
import { H2Stream, type StreamHost, type StreamListener } from './h2-stream.ts';
import { HpackEncoder, type HeadField } from './hpack-encoder.ts';

/** Windows of flow control: with the default of 64 KiB a backlog crawls. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** So much is taken on all streams before the peer is told to go on. */
const CREDIT_BYTES = SESSION_WINDOW_BYTES / 4;
const MAX_STREAM_ID = 0x7fff_ffff;
const PING = Buffer.concat([frameHead(8, FRAME.PING, 0, 0), Buffer.from('plinth..')]);

interface SessionEvents {
  /** The peer has said what it agrees to: it speaks HTTP/2. */
  readonly onReady: () => void;
  /** It takes no more streams. */
  readonly onRetired: () => void;
  readonly onError: (error: Error) => void;
}

/**
 * The client's side of one HTTP/2 connection (RFC 9113), as far as calls to etcd need it: no
 * priorities, no pushes. A create takes two thirds of what it takes with Node's client
 * (docs/decisions/0025-own-http2-to-etcd.md).
 */
export class H2Session implements StreamHost {
  readonly #socket: Socket;
  readonly #events: SessionEvents;
  readonly #outbox: Outbox;
  readonly #reader = new FrameReader();
  readonly #heads = new HeadReader();
  readonly #encoder = new HpackEncoder();
  readonly #streams = new OpenStreams();
  /** Calls that the peer does not take before others have ended. */
  readonly #waiting = new Set<H2Stream>();
  /** Streams with bytes for which the peer has no room. */
  readonly #blocked = new Set<H2Stream>();
  #nextId = 1;
  #window = DEFAULT_WINDOW_BYTES;
  #streamWindow = DEFAULT_WINDOW_BYTES;
  #maxFrame = MAX_FRAME_BYTES;
  #maxStreams = Infinity;
  #taken = 0;
  #isReady = false;
  #isRetired = false;
  #isClosed = false;
  #onPong: (() => void) | undefined;

  /** The socket is connected, or about to be. */
  constructor(socket: Socket, events: SessionEvents) {
    this.#socket = socket;
    this.#outbox = new Outbox(socket);
    this.#events = events;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', () => this.#lose('the connection was lost'));
  }

  /** Says hello. */
  start(): void {
    this.#outbox.send(...helloFrames(STREAM_WINDOW_BYTES, SESSION_WINDOW_BYTES));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Calls that are under way. */
  get calls(): number {
    return this.#streams.size + this.#waiting.size;
  }

  /** @throws Error when it takes no more streams */
  request(fields: readonly HeadField[], listener: StreamListener): H2Stream {
    if (this.#isClosed || this.#isRetired) throw new Error('the connection takes no more calls');
    const stream = new H2Stream(this, fields, listener);
    return stream;
  }

  ping(onPong: () => void): void {
    this.#onPong = onPong;
    this.#outbox.send(PING);
  }

  destroy(details = 'the connection was lost'): void {
    this.#lose(details);
    this.#socket.destroy();
  }

  pump(stream: H2Stream): void {
    if (stream.id === 0 && !this.#opened(stream)) return;
    for (let next = stream.unsent[0]; next !== undefined; next = stream.unsent[0]) {
      const room = Math.min(this.#window, stream.window, this.#maxFrame);
      if (room <= 0) {
        this.#blocked.add(stream);
        return;
      }
      const part = next.length <= room ? next : next.subarray(0, room);
      if (part === next) stream.unsent.shift();
      else stream.unsent[0] = next.subarray(room);
      this.#window -= part.length;
      stream.window -= part.length;
      const isLast = stream.isWhole && stream.unsent.length === 0;
      if (isLast) stream.isSent = true;
      const flags = isLast ? FLAG.END_STREAM : 0;
      this.#outbox.send(frameHead(part.length, FRAME.DATA, flags, stream.id), part);
    }
  }

  closed(stream: H2Stream, open: boolean): void {
    if (this.#waiting.size > 0) this.#waiting.delete(stream);
    if (this.#blocked.size > 0) this.#blocked.delete(stream);
    if (stream.id === 0) return;
    this.#streams.delete(stream);
    if (open) this.#outbox.send(wordFrame(FRAME.RST_STREAM, stream.id, CODE.CANCEL));
    if (this.#waiting.size > 0) this.#pumpAll(this.#waiting);
    if (this.#isRetired && this.#streams.size === 0) this.#socket.end();
  }

  credit(stream: H2Stream, bytes: number): void {
    this.#outbox.send(wordFrame(FRAME.WINDOW_UPDATE, stream.id, bytes));
  }

  /** Sends its head, if the peer takes one more stream. */
  #opened(stream: H2Stream): boolean {
    if (this.#isClosed || this.#isRetired) stream.reset(CODE.REFUSED_STREAM);
    else if (this.#streams.size >= this.#maxStreams) this.#waiting.add(stream);
    else return this.#open(stream);
    return false;
  }

  #open(stream: H2Stream): true {
    if (this.#waiting.size > 0) this.#waiting.delete(stream);
    stream.id = this.#nextId;
    stream.window = this.#streamWindow;
    this.#nextId += 2;
    if (this.#nextId > MAX_STREAM_ID) this.#retire();
    this.#streams.add(stream);
    const head = this.#encoder.encode(stream.fields);
    this.#outbox.send(frameHead(head.length, FRAME.HEADERS, FLAG.END_HEADERS, stream.id), head);
    return true;
  }

  #pumpAll(streams: Set<H2Stream>): void {
    const all = [...streams];
    if (streams === this.#blocked) streams.clear();
    for (const stream of all) this.pump(stream);
  }

  #receive(chunk: Buffer): void {
    try {
      this.#reader.push(chunk, this.#onFrame);
    } catch (error) {
      this.#events.onError(error as Error);
      this.destroy((error as Error).message);
    }
  }

  readonly #onFrame = (frame: Frame): void => {
    if (this.#isClosed) return;
    const { type, flags, stream: id } = frame;
    if (!this.#isReady && type !== FRAME.SETTINGS) throw new ProtocolError(NO_HTTP2);
    this.#heads.check(frame);
    switch (type) {
      case FRAME.DATA:
        this.#onData(frame);
        break;
      case FRAME.HEADERS:
      case FRAME.CONTINUATION:
        this.#onHead(frame);
        break;
      case FRAME.RST_STREAM:
        this.#streams.get(id)?.reset(readWord(frame));
        break;
      case FRAME.SETTINGS:
        if ((flags & FLAG.ACK) === 0) this.#onSettings(frame);
        break;
      case FRAME.PING:
        this.#onPing(frame);
        break;
      case FRAME.GOAWAY:
        this.#onGoaway(frame);
        break;
      case FRAME.WINDOW_UPDATE:
        this.#onWindow(id, readWord(frame));
        break;
      case FRAME.PUSH_PROMISE:
        throw new ProtocolError('a push that was not agreed on');
      default: // types that are not known mean nothing to this side
    }
  };

  #onData(frame: Frame): void {
    const { stream: id, payload, flags } = frame;
    this.#taken += payload.length;
    if (this.#taken >= CREDIT_BYTES) {
      this.#outbox.send(wordFrame(FRAME.WINDOW_UPDATE, 0, this.#taken));
      this.#taken = 0;
    }
    const stream = this.#streams.get(id);
    stream?.received(contentOf(frame), payload.length);
    if ((flags & FLAG.END_STREAM) !== 0) stream?.ended();
  }

  #onHead(frame: Frame): void {
    const head = this.#heads.push(frame);
    if (head === undefined) return;
    const stream = this.#streams.get(head.stream);
    stream?.listener.onHead(head.fields);
    if (head.isLast) stream?.ended();
  }

  #onSettings(frame: Frame): void {
    for (const [id, value] of readSettings(frame)) {
      if (id === SETTING.HEADER_TABLE_SIZE) this.#encoder.limit(value);
      else if (id === SETTING.MAX_CONCURRENT_STREAMS) this.#maxStreams = value;
      else if (id === SETTING.MAX_FRAME_SIZE) this.#maxFrame = value;
      else if (id === SETTING.INITIAL_WINDOW_SIZE) {
        for (const stream of this.#streams.all()) stream.window += value - this.#streamWindow;
        this.#streamWindow = value;
      }
    }
    this.#outbox.send(frameHead(0, FRAME.SETTINGS, FLAG.ACK, 0));
    if (!this.#isReady) {
      this.#isReady = true;
      this.#events.onReady();
    }
    this.#pumpAll(this.#blocked);
    this.#pumpAll(this.#waiting);
  }

  #onPing({ flags, payload }: Frame): void {
    if ((flags & FLAG.ACK) === 0) {
      this.#outbox.send(frameHead(payload.length, FRAME.PING, FLAG.ACK, 0), payload);
      return;
    }
    this.#onPong?.();
    this.#onPong = undefined;
  }

  /** Of an orderly end: streams that the peer has begun with come to theirs. */
  #onGoaway(frame: Frame): void {
    const last = readWord(frame);
    this.#retire();
    for (const stream of this.#waiting) stream.reset(CODE.REFUSED_STREAM);
    for (const stream of this.#streams.all()) {
      if (stream.id > last) stream.reset(CODE.REFUSED_STREAM);
    }
    const code = frame.payload.length < 8 ? CODE.NO_ERROR : frame.payload.readUInt32BE(4);
    if (code !== CODE.NO_ERROR) this.destroy(`the peer hung up with error ${code}`);
    else if (this.#streams.size === 0) this.#socket.end();
  }

  #onWindow(id: number, bytes: number): void {
    if (id === 0) {
      this.#window += bytes;
      this.#pumpAll(this.#blocked);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.window += bytes;
    if (this.#blocked.delete(stream)) this.pump(stream);
  }

  #retire(): void {
    if (!this.#isRetired) this.#events.onRetired();
    this.#isRetired = true;
  }

  #lose(details: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#outbox.close();
    for (const stream of [...this.#waiting, ...this.#streams.all()]) {
      stream.reset(CODE.NO_ERROR, details);
    }
  }
}

const NO_HTTP2 = 'the peer does not speak HTTP/2';
