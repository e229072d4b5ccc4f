import { isLarge } from './frames.ts';
import type { Outlet } from './outlet.ts';

/** Small frames are put together up to about this size before they are written. */
const SLAB_BYTES = 64 * 1024;

/** Writes the frames of a state: small ones together, large ones as they are. */
export class StateWriter {
  readonly #outlet: Outlet;
  #slab: Buffer[] = [];
  #size = 0;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** True: it has written, and the outlet may be full. */
  add(frame: Buffer): boolean {
    if (isLarge(frame)) {
      this.flush();
      this.#outlet.write(frame);
      return true;
    }
    this.#slab.push(frame);
    this.#size += frame.length;
    if (this.#size < SLAB_BYTES) return false;
    this.flush();
    return true;
  }

  flush(): void {
    if (this.#size === 0) return;
    const lengths = this.#slab.map(({ length }) => length);
    this.#outlet.write(Buffer.concat(this.#slab, this.#size), lengths);
    this.#slab = [];
    this.#size = 0;
  }
}
