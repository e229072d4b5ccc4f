import { WIRE } from './wire-type.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Writes a protocol buffer from its end to its beginning: by the time the length
 * of a message has to be written, the message is there, so everything is written
 * once and into one buffer. Callers name the last field first, and the last item of a
 * list.
 */
export class ProtobufWriter {
  #bytes: Buffer;
  #at: number;

  /** With a good guess of the size nothing has to be copied. */
  constructor(sizeHint: number) {
    this.#bytes = Buffer.allocUnsafe(sizeHint);
    this.#at = sizeHint;
  }

  /** Where a message ends that is to be written now; see {@link message}. */
  mark(): number {
    return this.#bytes.length - this.#at;
  }

  /** Makes a message of all that was written since the mark. */
  message(field: number, mark: number): void {
    this.length(field, this.mark() - mark);
  }

  /** What stands before a value of so many bytes. */
  length(field: number, bytes: number): void {
    this.#varint(bytes);
    this.#tag(field, WIRE.BYTES);
  }

  /** Not written when there are none: that is what an absent field means. */
  bytes(field: number, value: Uint8Array): void {
    if (value.length === 0) return;
    this.#reserve(value.length);
    this.#at -= value.length;
    this.#bytes.set(value, this.#at);
    this.length(field, value.length);
  }

  /** Also written when it is empty, as an item of a list may be. */
  text(field: number, value: string): void {
    const mark = this.mark();
    const length = Buffer.byteLength(value);
    this.#reserve(length);
    this.#at -= length;
    this.#bytes.write(value, this.#at);
    this.message(field, mark);
  }

  /** Not negative. Zero is not written: it is what an absent field means. */
  integer(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.#varint(value);
    this.#tag(field, WIRE.VARINT);
  }

  /** As {@link integer}, but zero is written: for the chosen field of a union. */
  chosen(field: number, value: number | bigint): void {
    this.#varint(value);
    this.#tag(field, WIRE.VARINT);
  }

  double(field: number, value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
    this.#tag(field, WIRE.FIXED64);
  }

  flag(field: number, value: boolean | undefined): void {
    if (value === true) this.integer(field, 1);
  }

  /** What was written. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** What was written, behind the five bytes that gRPC puts before a message. */
  frame(): Buffer {
    const length = this.mark();
    this.#reserve(5);
    this.#at -= 5;
    this.#bytes.writeUInt8(0, this.#at);
    this.#bytes.writeUInt32BE(length, this.#at + 1);
    return this.#bytes.subarray(this.#at);
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  #varint(value: number | bigint): void {
    if (value < 0) throw new RangeError(`${value} cannot be written`);
    this.#reserve(10);
    if (typeof value === 'bigint') {
      if (value > MAX_SAFE) {
        this.#largeVarint(value);
        return;
      }
      value = Number(value);
    }
    let length = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
    this.#at -= length;
    let at = this.#at;
    for (; value >= 128; value = Math.floor(value / 128)) this.#bytes[at++] = (value % 128) + 128;
    this.#bytes[at] = value;
  }

  #largeVarint(value: bigint): void {
    const groups: number[] = [];
    for (; value >= 128n; value >>= 7n) groups.push(Number(value & 127n) + 128);
    groups.push(Number(value));
    this.#at -= groups.length;
    this.#bytes.set(groups, this.#at);
  }

  #reserve(length: number): void {
    if (this.#at >= length) return;
    const used = this.mark();
    const larger = Buffer.allocUnsafe((used + length) * 2);
    this.#bytes.copy(larger, larger.length - used, this.#at);
    this.#bytes = larger;
    this.#at = larger.length - used;
  }
}
