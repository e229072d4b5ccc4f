/** Types of frames (RFC 9113, 6). */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export const FLAG = { ACK: 1, END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

export const SETTING = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
} as const;

/** Why a stream or connection ended. */
export const CODE = { NO_ERROR: 0, REFUSED_STREAM: 7, CANCEL: 8 } as const;

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const HEAD_BYTES = 9;
/** What either side may send before the other one has said more, on a stream and on all of them. */
export const DEFAULT_WINDOW_BYTES = 65_535;
/** What a peer may send at a time unless it is told otherwise. */
export const MAX_FRAME_BYTES = 16_384;
const PRIORITY_BYTES = 5;

/** The peer breaks the rules of HTTP/2, or speaks something else. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** 0: the connection itself. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** The head of a frame whose payload has so many bytes. */
export function frameHead(bytes: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUIntBE(bytes, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** A frame of one integer of 32 bits. */
export function wordFrame(type: number, stream: number, word: number): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + 4);
  frameHead(4, type, 0, stream).copy(frame);
  frame.writeUInt32BE(word, HEAD_BYTES);
  return frame;
}

/** Each setting takes six bytes (RFC 9113, 6.5.1). */
export function settingsFrame(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * settings.length);
  for (const [index, [id, value]] of settings.entries()) {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  }
  return Buffer.concat([frameHead(payload.length, FRAME.SETTINGS, 0, 0), payload]);
}

/** How a client begins, with what it takes on each stream and on all of them. */
export function helloFrames(streamWindow: number, window: number): Buffer[] {
  const settings = settingsFrame([
    [SETTING.ENABLE_PUSH, 0],
    [SETTING.INITIAL_WINDOW_SIZE, streamWindow],
  ]);
  const more = wordFrame(FRAME.WINDOW_UPDATE, 0, window - DEFAULT_WINDOW_BYTES);
  return [PREFACE, settings, more];
}

/** @throws ProtocolError */
export function readSettings({ payload }: Frame): [id: number, value: number][] {
  if (payload.length % 6 !== 0) throw new ProtocolError('settings that cannot be read');
  return Array.from({ length: payload.length / 6 }, (_, index) => [
    payload.readUInt16BE(6 * index),
    payload.readUInt32BE(6 * index + 2),
  ]);
}

/** The payload of a frame that is one integer, without its reserved bit. @throws ProtocolError */
export function readWord({ payload }: Frame): number {
  if (payload.length < 4) throw new ProtocolError('a frame that is too short');
  return payload.readUInt32BE(0) & 0x7fff_ffff;
}

/** The integer behind the first one. @throws ProtocolError */
export function readSecondWord({ payload }: Frame): number {
  if (payload.length < 8) throw new ProtocolError('a frame that is too short');
  return payload.readUInt32BE(4);
}

/** The payload of DATA or HEADERS without its padding and priority. @throws ProtocolError */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  let start = 0;
  let end = payload.length;
  if ((flags & FLAG.PADDED) !== 0) {
    start = 1;
    end -= payload[0] ?? 0;
  }
  if (type === FRAME.HEADERS && (flags & FLAG.PRIORITY) !== 0) start += PRIORITY_BYTES;
  if (start > end) throw new ProtocolError('more padding than payload');
  return start === 0 && end === payload.length ? payload : payload.subarray(start, end);
}

/** Cuts what a connection brings into frames. Their payloads lie in memory that is used again. */
export class FrameReader {
  /** The beginning of a frame whose rest has not come. */
  readonly #begun = Buffer.allocUnsafeSlow(HEAD_BYTES + MAX_FRAME_BYTES);
  #length = 0;
  /** Bytes with which the frame that has begun is whole, or its head is. */
  #needed = HEAD_BYTES;

  /**
   * `onFrame` gets each frame that is complete with these bytes, and copies what it keeps of it.
   *
   * @throws ProtocolError, and what `onFrame` throws
   */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    let at = 0;
    // Only what belongs to the frame that has begun is copied: nearly every read ends within one.
    while (this.#length > 0) {
      const copied = chunk.copy(this.#begun, this.#length, at, at + this.#needed - this.#length);
      at += copied;
      this.#length += copied;
      if (this.#length < this.#needed) return;
      const end = frameEnd(this.#begun, 0);
      const isWhole = end === this.#length;
      if (isWhole) this.#length = 0;
      this.#needed = isWhole ? HEAD_BYTES : end;
      if (isWhole) onFrame(frameOf(this.#begun, 0, end));
    }
    while (chunk.length - at >= HEAD_BYTES) {
      const start = at;
      const end = frameEnd(chunk, start);
      if (end > chunk.length) {
        this.#needed = end - start;
        break;
      }
      at = end;
      onFrame(frameOf(chunk, start, end));
    }
    this.#length = chunk.copy(this.#begun, 0, at);
  }
}

/** Where the frame ends whose head is at `at`. @throws ProtocolError */
function frameEnd(bytes: Buffer, at: number): number {
  const length = bytes.readUIntBE(at, 3);
  if (length > MAX_FRAME_BYTES) throw new ProtocolError('the peer does not speak HTTP/2');
  return at + HEAD_BYTES + length;
}

function frameOf(bytes: Buffer, at: number, end: number): Frame {
  return {
    type: bytes.readUInt8(at + 3),
    flags: bytes.readUInt8(at + 4),
    stream: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
    payload: bytes.subarray(at + HEAD_BYTES, end),
  };
}
