import { WIRE } from './wire-type.ts';

/** The bytes are not the message that they should be. The message is public. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

const MAX_VARINT_BYTES = 10;
/** So many groups of seven bits fit a number exactly. */
const SAFE_VARINT_BYTES = 7;
const MAX_FIELD = 2 ** 29 - 1;

/**
 * Reads the fields of one message in their order, and never beyond its end:
 *
 * ```ts
 * for (let field = reader.next(); field !== 0; field = reader.next()) {
 *   if (field === 1) name = reader.text();
 *   else reader.skip();
 * }
 * ```
 *
 * Every method throws ProtobufError.
 */
export class ProtobufReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #wire = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** The number of the next field, whose value has to be read or skipped; 0 at the end. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.number();
    this.#wire = tag % 8;
    const field = Math.floor(tag / 8);
    if (field === 0 || field > MAX_FIELD) throw new ProtobufError('illegal field number');
    return field;
  }

  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** How the value of the field is written, one of {@link WIRE} unless it is illegal. */
  get wire(): number {
    return this.#wire;
  }

  /** @throws ProtobufError when the field `name` is not written as it should be */
  expect(wire: number, name: string): void {
    if (this.#wire !== wire) {
      throw new ProtobufError(`wrong wire type ${this.#wire} for field ${name}`);
    }
  }

  /** An unsigned integer that fits a number. */
  number(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new ProtobufError('an integer is longer than 64 bits');
  }

  /** An unsigned integer of up to 64 bits; one that is not exact as a number is a bigint. */
  integer(): number | bigint {
    const start = this.#at;
    let value = 0;
    let scale = 1;
    for (let i = 0; i < SAFE_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    this.#at = start;
    return this.#large();
  }

  bigint(): bigint {
    return BigInt(this.integer());
  }

  boolean(): boolean {
    return this.number() !== 0;
  }

  /** A finite float of 64 bits, the lowest byte first. */
  double(): number {
    const start = this.#at;
    this.#advance(8);
    const value = this.#bytes.readDoubleLE(start);
    if (!Number.isFinite(value)) throw new ProtobufError('a number is not finite');
    return value;
  }

  /** Shares the memory of the whole buffer. */
  bytes(): Buffer {
    const end = this.#endOfValue();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  /** UTF-8; bytes that are none become U+FFFD. */
  text(): string {
    const end = this.#endOfValue();
    const value = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }

  /** Reads a message within this one. */
  message<T>(read: (reader: ProtobufReader) => T): T {
    const end = this.#endOfValue();
    const outer = this.#end;
    this.#end = end;
    const value = read(this);
    this.#at = end;
    this.#end = outer;
    return value;
  }

  /** A message within this one, for a reader of its own. */
  nested(): ProtobufReader {
    const end = this.#endOfValue();
    const reader = new ProtobufReader(this.#bytes, this.#at, end);
    this.#at = end;
    return reader;
  }

  /** Passes over the value of the field. */
  skip(): void {
    switch (this.#wire) {
      case WIRE.VARINT:
        this.number();
        break;
      case WIRE.FIXED64:
        this.#advance(8);
        break;
      case WIRE.BYTES:
        this.#at = this.#endOfValue();
        break;
      case WIRE.FIXED32:
        this.#advance(4);
        break;
      default:
        throw new ProtobufError(`illegal wire type ${this.#wire}`);
    }
  }

  #large(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('an integer is longer than 64 bits');
  }

  #endOfValue(): number {
    const length = this.number();
    const end = this.#at + length;
    if (end > this.#end) throw new ProtobufError('unexpected end');
    return end;
  }

  #advance(length: number): void {
    if (length > this.#end - this.#at) throw new ProtobufError('unexpected end');
    this.#at += length;
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at++] : undefined;
    if (byte === undefined) throw new ProtobufError('unexpected end');
    return byte;
  }
}
