/*
 * Frames of RFC 6455, as far as a stream of events needs them: whole text
 * messages to the client, control frames in both directions, and messages of
 * the client up to a bound where the stream takes any; others are passed over.
 */

export const OPCODE = { TEXT: 1, CLOSE: 8, PING: 9, PONG: 10 } as const;
export type Opcode = (typeof OPCODE)[keyof typeof OPCODE];

/** Why a connection is closed. */
export const CLOSE_CODE = { NORMAL: 1000, PROTOCOL_ERROR: 1002, TOO_BIG: 1009 } as const;

const FINAL = 0x80;
const RESERVED = 0x70;
const CONTROL = 0x08;
const MASKED = 0x80;
const MAX_CONTROL_BYTES = 125;
const MASK_BYTES = 4;
/** Lengths that do not fit the head take so many bytes behind it. */
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A whole message, or a control frame, from the server. */
export function frame(opcode: Opcode, payload: Buffer): Buffer {
  return Buffer.concat([frameHead(opcode, payload.length), payload]);
}

/** What comes before a payload of so many bytes. */
export function frameHead(opcode: Opcode, length: number): Buffer {
  const extended = length < LENGTH_16 ? 0 : length < 0x10000 ? 2 : 8;
  const bytes = Buffer.allocUnsafe(2 + extended);
  bytes[0] = FINAL | opcode;
  if (extended === 0) {
    bytes[1] = length;
  } else if (extended === 2) {
    bytes[1] = LENGTH_16;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = LENGTH_64;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  return bytes;
}

/** The frame that closes a WebSocket, with a status code of RFC 6455. */
export function closeFrame(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code, 0);
  return frame(OPCODE.CLOSE, payload);
}

interface Received {
  /** To be sent back as a pong. */
  ping(payload: Buffer): void;
  /** A whole message; absent: messages are passed over. */
  readonly message?: ((payload: Buffer) => void) | undefined;
  /** The client closes, or has broken the protocol; nothing is read any more. */
  closed(code: number): void;
}

interface Head {
  readonly opcode: number;
  /** The last frame of its message. */
  readonly isFinal: boolean;
  readonly length: number;
  readonly size: number;
}

/** Bytes of a message that a stream takes. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Reads what a client sends, in pieces of any size. */
export class FrameReader {
  readonly #received: Received;
  /** The beginning of a frame that has not arrived whole: a control frame, or one of a message that is taken. */
  #pending = Buffer.alloc(0);
  /** Bytes of a message that are still to be passed over. */
  #skip = 0;
  #isOpen = true;
  /** The frames of a message that has not arrived whole. */
  #message: Buffer[] = [];

  constructor(received: Received) {
    this.#received = received;
  }

  receive(piece: Buffer): void {
    let bytes = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    while (this.#isOpen && bytes.length > 0) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length);
        this.#skip -= passed;
        bytes = bytes.subarray(passed);
        continue;
      }
      const taken = this.#frame(bytes);
      if (taken === 0) break;
      bytes = bytes.subarray(taken);
    }
    this.#pending = this.#isOpen ? Buffer.from(bytes) : Buffer.alloc(0);
  }

  /** How many bytes a frame took; 0 when there is too little of it. */
  #frame(bytes: Buffer): number {
    const head = headOf(bytes);
    if (head === undefined) return 0;
    if (head === 'malformed') {
      this.#close(CLOSE_CODE.PROTOCOL_ERROR);
      return 0;
    }
    const { opcode, length, size } = head;
    if (opcode < CONTROL && this.#received.message === undefined) {
      this.#skip = length;
      return size;
    }
    if (opcode < CONTROL && this.#messageBytes() + length > MAX_MESSAGE_BYTES) {
      this.#close(CLOSE_CODE.TOO_BIG);
      return 0;
    }
    if (bytes.length < size + length) return 0;
    if (opcode < CONTROL) {
      this.#part(unmasked(bytes, size, length), head.isFinal);
      return size + length;
    }
    this.#control(opcode, unmasked(bytes, size, length));
    return size + length;
  }

  #messageBytes(): number {
    return this.#message.reduce((sum, { length }) => sum + length, 0);
  }

  #part(payload: Buffer, isFinal: boolean): void {
    // one without bytes adds nothing, however many of them come
    if (payload.length > 0) this.#message.push(payload);
    if (!isFinal) return;
    const message = Buffer.concat(this.#message);
    this.#message = [];
    this.#received.message?.(message);
  }

  #control(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.PING) this.#received.ping(payload);
    else if (opcode === OPCODE.CLOSE) {
      this.#close(payload.length >= 2 ? payload.readUInt16BE(0) : CLOSE_CODE.NORMAL);
    }
  }

  #close(code: number): void {
    this.#isOpen = false;
    this.#received.closed(code);
  }
}

function headOf(bytes: Buffer): Head | 'malformed' | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const opcode = first & 0x0f;
  const isControl = (opcode & CONTROL) !== 0;
  const isFinal = (first & FINAL) !== 0;
  const short = second & 0x7f;
  const isMalformed =
    (first & RESERVED) !== 0 ||
    (second & MASKED) === 0 ||
    (opcode > 2 && opcode < OPCODE.CLOSE) ||
    opcode > OPCODE.PONG ||
    (isControl && (!isFinal || short > MAX_CONTROL_BYTES));
  if (isMalformed) return 'malformed';
  const extended = short < LENGTH_16 ? 0 : short === LENGTH_16 ? 2 : 8;
  const size = 2 + extended + MASK_BYTES;
  if (bytes.length < size) return undefined;
  if (extended === 0) return { opcode, isFinal, length: short, size };
  if (extended === 2) return { opcode, isFinal, length: bytes.readUInt16BE(2), size };
  const length = bytes.readBigUInt64BE(2);
  return length > BigInt(Number.MAX_SAFE_INTEGER)
    ? 'malformed'
    : { opcode, isFinal, length: Number(length), size };
}

/** The payload behind a head of `size` bytes, of which the last four are the mask. */
function unmasked(bytes: Buffer, size: number, length: number): Buffer {
  const payload = Buffer.from(bytes.subarray(size, size + length));
  for (let i = 0; i < length; i++) {
    payload[i] = (payload[i] ?? 0) ^ (bytes[size - MASK_BYTES + (i % MASK_BYTES)] ?? 0);
  }
  return payload;
}
