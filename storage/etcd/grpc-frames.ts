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

/** Cuts a stream of bytes into messages, each in memory of its own, into which it is copied once. */
export class FrameParser {
  /** A prefix that has begun. */
  #prefix: Buffer | undefined;
  /** A message that has begun. */
  #message: Buffer | undefined;
  /** How much of it has come. */
  #filled = 0;
  readonly #maxBytes: number;

  /** `maxBytes`: of a message. */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Takes more bytes, whose memory may be used again afterwards; `onMessage` gets each message
   * that is complete with them.
   *
   * @throws FrameError, as soon as the length of a message is known that is too large
   */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    let bytes = chunk;
    if (this.#prefix !== undefined) bytes = Buffer.concat([this.#prefix, chunk]);
    this.#prefix = undefined;
    for (let at = 0; at < bytes.length;) {
      if (this.#message === undefined) {
        if (bytes.length - at < PREFIX_BYTES) {
          this.#prefix = Buffer.from(bytes.subarray(at));
          return;
        }
        this.#message = this.#messageAt(bytes, at);
        this.#filled = 0;
        at += PREFIX_BYTES;
      }
      const message = this.#message;
      const copied = bytes.copy(message, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled < message.length) return;
      this.#message = undefined;
      onMessage(message);
    }
  }

  /** True when nothing is left that is not a whole message. */
  get empty(): boolean {
    return this.#prefix === undefined && this.#message === undefined;
  }

  /** Room for the message whose prefix is there. */
  #messageAt(bytes: Buffer, at: number): Buffer {
    if (bytes[at] !== 0) throw new FrameError('compressed messages are not supported');
    const length = bytes.readUInt32BE(at + 1);
    if (length > this.#maxBytes) throw new MessageTooLargeError(length);
    return Buffer.allocUnsafe(length);
  }
}
