/**
 * Frames of the socket between the process that owns the embedded store and those that read it.
 * All numbers are big-endian:
 *
 * | length of the rest | kind | number of the request | body |
 * |--------------------|------|-----------------------|------|
 * | 4 bytes            | 1    | 4                     |      |
 */
const LENGTH_BYTES = 4;
/** Kind and number. */
const HEAD_BYTES = 5;
/** A write of the largest size, with its keys and the name of its caller. */
export const MAX_FRAME_BYTES = 2 * 1024 * 1024;
/** What a turn of the event loop usually sends. */
const FIRST_BYTES = 16 * 1024;

/** The bytes that came are not a frame: the other side is another program, or another version of this one. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Puts frames together, one behind the other, in memory that grows. */
export class FrameWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;
  #begin = 0;

  /** Bytes that were written and not taken. */
  get length(): number {
    return this.#length;
  }

  begin(kind: number, id: number): void {
    this.#begin = this.#length;
    this.#length = this.#room(LENGTH_BYTES) + LENGTH_BYTES;
    this.uint8(kind);
    this.uint32(id);
  }

  /** The frame is complete. */
  end(): void {
    this.#bytes.writeUInt32BE(this.#length - this.#begin - LENGTH_BYTES, this.#begin);
  }

  uint8(value: number): void {
    const at = this.#room(1);
    this.#length = this.#bytes.writeUInt8(value, at);
  }

  uint32(value: number): void {
    const at = this.#room(4);
    this.#length = this.#bytes.writeUInt32BE(value, at);
  }

  uint64(value: bigint): void {
    const at = this.#room(8);
    this.#length = this.#bytes.writeBigUInt64BE(value, at);
  }

  double(value: number): void {
    const at = this.#room(8);
    this.#length = this.#bytes.writeDoubleBE(value, at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.uint32(length);
    const at = this.#room(length);
    this.#length = at + this.#bytes.write(value, at);
  }

  bytes(value: Uint8Array): void {
    this.uint32(value.length);
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
    this.#length = at + value.length;
  }

  /** What was written since the last call; the memory is the caller's. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(FIRST_BYTES);
    this.#length = 0;
    return taken;
  }

  /** Makes room for so many bytes, and tells where they go. */
  #room(length: number): number {
    const needed = this.#length + length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    return this.#length;
  }
}

/** A frame that came, read from its beginning to its end. */
export class Frame {
  readonly kind: number;
  readonly id: number;
  readonly #bytes: Buffer;
  #at = HEAD_BYTES;

  constructor(bytes: Buffer) {
    this.kind = bytes.readUInt8();
    this.id = bytes.readUInt32BE(1);
    this.#bytes = bytes;
  }

  /** How much it brought. */
  get length(): number {
    return this.#bytes.length;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#next(1));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#next(4));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#next(8));
  }

  double(): number {
    return this.#bytes.readDoubleBE(this.#next(8));
  }

  text(): string {
    const length = this.uint32();
    const at = this.#next(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  /** Shares the memory of the frame. */
  bytes(): Buffer {
    const length = this.uint32();
    const at = this.#next(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** @throws FrameError when there is more than was read */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new FrameError('a frame is too long');
  }

  #next(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new FrameError('a frame is too short');
    return at;
  }
}

/** Cuts what a socket brings into frames. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** @throws FrameError */
  *read(chunk: Buffer): Generator<Frame, void> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (;;) {
      const needed = this.#needed();
      if (needed === undefined || this.#length < needed) return;
      const all = this.#whole();
      this.#chunks = needed === all.length ? [] : [all.subarray(needed)];
      this.#length = all.length - needed;
      yield new Frame(all.subarray(LENGTH_BYTES, needed));
    }
  }

  /** Bytes of the next frame with its length; undefined when that is not there yet. */
  #needed(): number | undefined {
    if (this.#length < LENGTH_BYTES) return undefined;
    const [first] = this.#chunks;
    const head = first !== undefined && first.length >= LENGTH_BYTES ? first : this.#whole();
    const length = head.readUInt32BE();
    if (length < HEAD_BYTES || length > MAX_FRAME_BYTES) {
      throw new FrameError(`a frame of ${length} bytes`);
    }
    return LENGTH_BYTES + length;
  }

  #whole(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const all = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [all];
    return all;
  }
}
