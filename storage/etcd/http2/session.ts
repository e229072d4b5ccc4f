import type { Socket } from 'node:net';
import {
  CODE,
  contentOf,
  FLAG,
  FRAME,
  frameHead,
  FrameReader,
  helloFrames,
  ProtocolError,
  readSecondWord,
  readSettings,
  readWord,
  SETTING,
  wordFrame,
  type Frame,
} from './frames.ts';
import { HeadReader } from './heads.ts';
import { HpackEncoder, type HeadField } from './hpack-encoder.ts';
import { OpenStreams } from './open-streams.ts';
import { ReceiveWindow } from './receive-window.ts';
import { Sender } from './sender.ts';
import { Silence } from './silence.ts';
import { H2Stream, STREAM_WINDOW_BYTES, type StreamHost, type StreamListener } from './stream.ts';

/** Of all streams together. */
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
const MAX_STREAM_ID = 0x7fff_ffff;
const PING_BYTES = 8;
const PING = Buffer.concat([frameHead(PING_BYTES, FRAME.PING, 0, 0), Buffer.from('plinth..')]);

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
  readonly #sender: Sender;
  readonly #reader = new FrameReader();
  readonly #heads = new HeadReader();
  readonly #encoder = new HpackEncoder();
  readonly #streams = new OpenStreams();
  /** Calls that the peer does not take before others have ended. */
  readonly #waiting = new Set<H2Stream>();
  readonly #received = new ReceiveWindow(SESSION_WINDOW_BYTES);
  /** Of calls: a peer may answer pings all the same. */
  readonly silence = new Silence();
  readonly #lastId: number;
  #nextId = 1;
  #maxStreams = Infinity;
  #isReady = false;
  #isRetired = false;
  #isClosed = false;
  #onPong: (() => void) | undefined;
  #heardAt = 0;

  /** The socket is connected, or about to be; what it brings is to be given to {@link receive}. Streams after `lastId` need another connection. */
  constructor(socket: Socket, events: SessionEvents, lastId = MAX_STREAM_ID) {
    this.#socket = socket;
    this.#sender = new Sender(socket);
    this.#lastId = lastId;
    this.#events = events;
    socket.on('close', () => this.#lose('the connection was lost'));
  }

  /** Says hello. */
  start(): void {
    this.#sender.send(...helloFrames(STREAM_WINDOW_BYTES, SESSION_WINDOW_BYTES));
  }

  /** Takes what the socket has brought; the memory may be used again afterwards. */
  receive(chunk: Buffer): void {
    this.#heardAt = performance.now();
    try {
      this.#reader.push(chunk, this.#onFrame);
    } catch (error) {
      this.#events.onError(error as Error);
      this.destroy((error as Error).message);
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** When the peer was last heard of, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
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
    this.#sender.send(PING);
  }

  destroy(details = 'the connection was lost'): void {
    this.#lose(details);
    this.#socket.destroy();
  }

  pump(stream: H2Stream): void {
    if (stream.id === 0 && !this.#opened(stream)) return;
    this.#sender.sendData(stream);
  }

  closed(stream: H2Stream, open: boolean): void {
    if (this.#waiting.size > 0) this.#waiting.delete(stream);
    this.#sender.drop(stream);
    if (stream.id === 0) return;
    this.#streams.delete(stream);
    if (open) this.#sender.send(wordFrame(FRAME.RST_STREAM, stream.id, CODE.CANCEL));
    if (this.#waiting.size > 0) this.#openWaiting();
    if (this.#isRetired && this.#streams.size === 0) this.#socket.end();
  }

  credit(stream: H2Stream, bytes: number): void {
    this.#sender.send(wordFrame(FRAME.WINDOW_UPDATE, stream.id, bytes));
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
    stream.window = this.#sender.streamWindow;
    this.#nextId += 2;
    this.#streams.add(stream);
    const head = this.#encoder.encode(stream.fields);
    this.#sender.send(frameHead(head.length, FRAME.HEADERS, FLAG.END_HEADERS, stream.id), head);
    if (this.#nextId > this.#lastId) this.#retire();
    return true;
  }

  #openWaiting(): void {
    for (const stream of this.#waiting) {
      if (this.#streams.size >= this.#maxStreams) return;
      this.pump(stream);
    }
  }

  /** Undefined: it is over for this side. @throws ProtocolError for one that was never opened */
  #stream(id: number): H2Stream | undefined {
    if (id < this.#nextId && id % 2 === 1) return this.#streams.get(id);
    throw new ProtocolError(`stream ${id} was never opened`);
  }

  readonly #onFrame = (frame: Frame): void => {
    if (this.#isClosed) return;
    const { type, flags, stream: id } = frame;
    if (!this.#isReady && type !== FRAME.SETTINGS) throw new ProtocolError(NO_HTTP2);
    this.#heads.check(frame);
    switch (type) {
      case FRAME.DATA:
        this.silence.broken(this.#heardAt);
        this.#onData(frame);
        break;
      case FRAME.HEADERS:
      case FRAME.CONTINUATION:
        this.silence.broken(this.#heardAt);
        this.#onHead(frame);
        break;
      case FRAME.RST_STREAM:
        this.silence.broken(this.#heardAt);
        this.#stream(id)?.reset(readWord(frame));
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
    this.#received.take(payload.length);
    // Whatever becomes of the data: a stream that is not read must not hold up the others.
    const back = this.#received.giveBack();
    if (back > 0) this.#sender.send(wordFrame(FRAME.WINDOW_UPDATE, 0, back));
    const stream = this.#stream(id);
    stream?.received(contentOf(frame), payload.length);
    if ((flags & FLAG.END_STREAM) !== 0) stream?.ended();
  }

  #onHead(frame: Frame): void {
    const head = this.#heads.push(frame);
    if (head === undefined) return;
    const stream = this.#stream(head.stream);
    stream?.listener.onHead(head.fields);
    if (head.isLast) stream?.ended();
  }

  #onSettings(frame: Frame): void {
    for (const [id, value] of readSettings(frame)) {
      if (id === SETTING.HEADER_TABLE_SIZE) this.#encoder.limit(value);
      else if (id === SETTING.MAX_CONCURRENT_STREAMS) this.#maxStreams = value;
      else if (id === SETTING.MAX_FRAME_SIZE) this.#sender.setMaxFrame(value);
      else if (id === SETTING.INITIAL_WINDOW_SIZE) {
        this.#sender.setStreamWindow(value, this.#streams.all());
      }
    }
    this.#sender.send(frameHead(0, FRAME.SETTINGS, FLAG.ACK, 0));
    if (!this.#isReady) {
      this.#isReady = true;
      this.#events.onReady();
    }
    this.#openWaiting();
  }

  #onPing({ flags, payload }: Frame): void {
    if (payload.length !== PING_BYTES) throw new ProtocolError('a ping of another size');
    if ((flags & FLAG.ACK) === 0) {
      this.#sender.send(frameHead(PING_BYTES, FRAME.PING, FLAG.ACK, 0), Buffer.from(payload));
      return;
    }
    this.#onPong?.();
    this.#onPong = undefined;
  }

  /** Of an orderly end: streams that the peer has begun with come to theirs. */
  #onGoaway(frame: Frame): void {
    const last = readWord(frame);
    const code = readSecondWord(frame);
    this.#retire();
    for (const stream of this.#streams.all()) {
      if (stream.id > last) stream.reset(CODE.REFUSED_STREAM);
    }
    if (code !== CODE.NO_ERROR) this.destroy(`the peer hung up with error ${code}`);
    else if (this.#streams.size === 0) this.#socket.end();
  }

  #onWindow(id: number, bytes: number): void {
    if (id === 0) {
      this.#sender.widen(bytes);
      return;
    }
    const stream = this.#stream(id);
    if (stream !== undefined) this.#sender.widenStream(stream, bytes);
  }

  #retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#events.onRetired();
    for (const stream of [...this.#waiting]) stream.reset(CODE.REFUSED_STREAM);
  }

  #lose(details: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sender.close();
    for (const stream of [...this.#waiting, ...this.#streams.all()]) {
      stream.reset(CODE.NO_ERROR, details);
    }
  }
}

const NO_HTTP2 = 'the peer does not speak HTTP/2';
