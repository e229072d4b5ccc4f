import { ProtocolError } from './frames.ts';

/** Bytes that the peer may send before it is told that there is room again. */
export class ReceiveWindow {
  readonly #bytes: number;
  /** Received, and not given back. */
  #used = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** @throws ProtocolError when the peer sends more than it may */
  take(bytes: number): void {
    this.#used += bytes;
    if (this.#used <= this.#bytes) return;
    throw new ProtocolError('more data than the window allows');
  }

  /** What to give back to the peer now: nothing while three quarters of the window are left. */
  giveBack(): number {
    if (this.#used < this.#bytes / 4) return 0;
    const used = this.#used;
    this.#used = 0;
    return used;
  }
}
