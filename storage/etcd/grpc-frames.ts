/** Before each message stand a byte (compressed or not) and its length in four. */
const PREFIX_BYTES = 5;
/**
 * An answer is put together in memory; pages that would be larger are asked for again with
 * fewer keys. A batch is told of all objects that stand in its way, 180 MiB at most.
 */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** A peer speaks no gRPC, or asks for what was not agreed on. */
export class FrameError extends Error {
  override readonly name: string = 'FrameError';
}

/** A message is longer than the side that asked for it takes. */
export class MessageTooLargeError extends FrameError {
  constructor(bytes: number) {
    super(`a message of ${bytes} bytes`);
  }
}

/** Cuts a stream of bytes into messages; a message is put together once, however many pieces it comes in. */
export class FrameParser {
  #chunks: Buffer[] = [];
  #length = 0;
  readonly #maxBytes: number;

  /** `maxBytes`: of a message. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes more bytes; `onMessage` gets each message that is complete with them.
   *
   * @throws FrameError, as soon as the length of a message is known that is too large
   */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < PREFIX_BYTES) return;
    const next = this.#nextLength();
    if (next > this.#maxBytes) throw new MessageTooLargeError(next);
    if (this.#length < PREFIX_BYTES + next) return;
    const bytes = this.#joined();
    let at = 0;
    while (bytes.length - at >= PREFIX_BYTES) {
      if (bytes.readUInt8(at) !== 0) throw new FrameError('compressed messages are not supported');
      const end = at + PREFIX_BYTES + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      onMessage(bytes.subarray(at + PREFIX_BYTES, end));
      at = end;
    }
    this.#chunks = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#length = bytes.length - at;
  }

  /** True when nothing is left that is not a whole message. */
  get empty(): boolean {
    return this.#length === 0;
  }

  /** The length in the first prefix; only called when that is complete. */
  #nextLength(): number {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= PREFIX_BYTES) return first.readUInt32BE(1);
    return this.#joined().readUInt32BE(1);
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [joined];
    return joined;
  }
}
