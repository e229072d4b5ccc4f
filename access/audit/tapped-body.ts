/**
 * Pieces of an answer as they were, kept until it is over. No generator: one
 * that was never started would not notice that it is given up.
 */
export class TappedBody implements AsyncIterableIterator<Buffer> {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  readonly #onEnd: (bytes: Buffer | undefined) => unknown;
  #kept: Buffer[] | undefined;
  #size = 0;
  #isOpen = true;

  /**
   * `onEnd` gets all of it once, or undefined when it was longer than `maxBytes`
   * or not whole. The end of the answer waits for what it returns.
   */
  constructor(
    body: AsyncIterable<Buffer>,
    maxBytes: number,
    onEnd: (bytes: Buffer | undefined) => unknown,
  ) {
    this.#pieces = body[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
    this.#kept = maxBytes > 0 ? [] : undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer>> {
    try {
      const result = await this.#pieces.next();
      if (result.done === true) await this.#end(this.#kept);
      else this.#keep(result.value);
      return result;
    } catch (error) {
      await this.#end(undefined);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Buffer>> {
    await this.#end(undefined);
    await this.#pieces.return?.();
    return { done: true, value: undefined };
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#maxBytes) this.#kept = undefined;
    // The producer may reuse the memory of the piece.
    this.#kept?.push(Buffer.from(piece));
  }

  #end(kept: Buffer[] | undefined): unknown {
    if (!this.#isOpen) return undefined;
    this.#isOpen = false;
    return this.#onEnd(kept === undefined ? undefined : Buffer.concat(kept));
  }
}
