/** The peer sent bytes that are not a valid protocol buffer. */
export class ProtoError extends Error {
  override readonly name = 'ProtoError';
}

const MAX_VARINT_BYTES = 10;

/** Reads the fields of one message, which may be a part of a larger buffer. */
export class ProtoReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #type = 0;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** The number of the next field, whose value has to be read or skipped; 0 at the end. */
  next(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.number();
    this.#type = tag % 8;
    const field = Math.floor(tag / 8);
    if (field === 0) throw new ProtoError('field 0');
    return field;
  }

  /** A value that fits a number. */
  number(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new ProtoError('an integer of more than ten bytes');
  }

  /** Any value of 64 bits, read as unsigned. */
  bigint(): bigint {
    const start = this.#at;
    // Seven groups of seven bits are exact in a number; few integers are longer.
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return BigInt(value);
      scale *= 128;
    }
    this.#at = start;
    return this.#largeBigint();
  }

  boolean(): boolean {
    return this.number() !== 0;
  }

  /** Shares the memory of the whole buffer. */
  bytes(): Buffer {
    const end = this.#endOfValue();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  text(): string {
    const end = this.#endOfValue();
    const value = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return value;
  }

  /** Reads a message within this one. */
  message<T>(read: (reader: ProtoReader) => T): T {
    const end = this.#endOfValue();
    const outer = this.#end;
    this.#end = end;
    const value = read(this);
    this.#at = end;
    this.#end = outer;
    return value;
  }

  skip(): void {
    if (this.#type === 0) this.bigint();
    else if (this.#type === 2) this.#at = this.#endOfValue();
    else if (this.#type === 1) this.#at += 8;
    else if (this.#type === 5) this.#at += 4;
    else throw new ProtoError(`wire type ${this.#type}`);
    if (this.#at > this.#end) throw new ProtoError('a field ends behind its message');
  }

  #largeBigint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtoError('an integer of more than ten bytes');
  }

  #endOfValue(): number {
    const length = this.number();
    const end = this.#at + length;
    if (end > this.#end) throw new ProtoError('a field ends behind its message');
    return end;
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at++] : undefined;
    if (byte === undefined) throw new ProtoError('a message ends within a field');
    return byte;
  }
}
