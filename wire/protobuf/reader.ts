/** The bytes are not the message that they should be. The message is public. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** How a field is written. */
export const WIRE = { VARINT: 0, FIXED64: 1, BYTES: 2, FIXED32: 5 } as const;

/** @throws ProtobufError when the field `name` is not written as it should be */
export function expect(wire: number, expected: number, name: string): void {
  if (wire !== expected) throw new ProtobufError(`wrong wire type ${wire} for field ${name}`);
}

const MAX_VARINT_BYTES = 10;
/** So many bytes of seven bits fit a number exactly. */
const SAFE_VARINT_BYTES = 7;

/** Reads the parts of a message in order; never beyond its end. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** An unsigned integer of up to 64 bits. */
  varint(): number | bigint {
    let value = 0;
    for (let i = 0; i < SAFE_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    let large = BigInt(value);
    for (let i = SAFE_VARINT_BYTES; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte();
      large += BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt.asUintN(64, large);
    }
    throw new ProtobufError('an integer is longer than 64 bits');
  }

  /** A float of 64 bits, the lowest byte first. */
  double(): number {
    const start = this.#at;
    this.#advance(8);
    const value = this.#bytes.readDoubleLE(start);
    if (!Number.isFinite(value)) throw new ProtobufError('a number is not finite');
    return value;
  }

  /** The number of a field and how it is written. */
  tag(): { readonly field: number; readonly wire: number } {
    const tag = this.varint();
    if (typeof tag === 'bigint' || tag > 0xffffffff || tag < 8) {
      throw new ProtobufError('illegal field number');
    }
    return { field: Math.floor(tag / 8), wire: tag % 8 };
  }

  /** What a length stands before. */
  nested(): ProtobufReader {
    const start = this.#skipLength();
    return new ProtobufReader(this.#bytes, start, this.#at);
  }

  /** UTF-8; bytes that are none become U+FFFD. */
  text(): string {
    const start = this.#skipLength();
    return this.#bytes.toString('utf8', start, this.#at);
  }

  bytes(): Buffer {
    const start = this.#skipLength();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips an unknown field. */
  skip(wire: number): void {
    switch (wire) {
      case WIRE.VARINT:
        this.varint();
        break;
      case WIRE.FIXED64:
        this.#advance(8);
        break;
      case WIRE.BYTES:
        this.#skipLength();
        break;
      case WIRE.FIXED32:
        this.#advance(4);
        break;
      default:
        throw new ProtobufError(`illegal wire type ${wire}`);
    }
  }

  /** Passes over a length and so many bytes; the position of the first of them. */
  #skipLength(): number {
    const length = this.varint();
    const start = this.#at;
    this.#advance(typeof length === 'number' ? length : Infinity);
    return start;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new ProtobufError('unexpected end');
    return this.#bytes[this.#at++] as number;
  }

  #advance(length: number): void {
    if (length > this.#end - this.#at) throw new ProtobufError('unexpected end');
    this.#at += length;
  }
}
