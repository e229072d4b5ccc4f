/** Size of the pieces that a long answer is written in. */
export const SLAB_BYTES = 128 * 1024;
/** So many wait for their next use: 8 MiB. More than that is left to the garbage collector. */
const MAX_SPARE = 64;

/**
 * Memory for the pieces of long answers, which is reused: a new buffer for
 * each piece would make the garbage collector mark the whole heap every hundred
 * lists. Only the sender returns slabs, because it knows when the last byte has
 * left; a slab that is not returned is collected like any buffer.
 */
export class SlabPool {
  readonly #spare: Buffer[] = [];
  /** Those that are out, by their memory. */
  readonly #lent = new WeakMap<ArrayBufferLike, Buffer>();

  /** {@link SLAB_BYTES} of memory; what is in it is arbitrary. */
  lend(): Buffer {
    const slab = this.#spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
    this.#lent.set(slab.buffer, slab);
    return slab;
  }

  /** `piece`: a part of a slab that was lent, of which no byte is needed. Other pieces are left alone. */
  giveBack({ buffer }: Buffer): void {
    const slab = this.#lent.get(buffer);
    if (slab === undefined) return;
    this.#lent.delete(buffer);
    if (this.#spare.length < MAX_SPARE) this.#spare.push(slab);
  }
}

/** Of the process: every answer is written with it. */
export const slabPool = new SlabPool();
