/** A value that outlives its list keeps no more bytes than these alive. */
const CHUNK_BYTES = 64 * 1024;
/** What is larger than this part of a chunk has memory of its own. */
const LARGEST_SHARE = 1 / 8;

/**
 * Memory for the values of a list, which come and go together: an allocation for
 * each of them cost a fifth of a list.
 */
export class PageMemory {
  #chunk: Buffer | undefined;
  #used = 0;

  take(length: number): Buffer {
    if (length > CHUNK_BYTES * LARGEST_SHARE) return Buffer.allocUnsafeSlow(length);
    if (this.#chunk === undefined || this.#used + length > CHUNK_BYTES) {
      this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#chunk.subarray(start, this.#used);
  }
}
