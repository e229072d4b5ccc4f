import { systemClock, type Clock } from '../api/clock.ts';
import type { FrameSink } from '../watch/frame-sink.ts';
import {
  UNSENT_PATIENCE_MS,
  unsentBudget,
  type UnsentBudget,
  type UnsentClaim,
} from './unsent-budget.ts';

/** Smaller frames go straight to the connection, whose back-pressure bounds them. */
export const LARGE_FRAME_BYTES = 16 * 1024;
/** Larger frames are given to the connection in slices of this size, one at a time. */
export const SLICE_BYTES = 64 * 1024;

/** A connection. */
export interface Wire {
  /** False: its buffer is full. `onSent` is called when the operating system has the bytes. */
  write(bytes: Buffer, onSent?: () => void): boolean;
  end(): void;
  destroy(): void;
}

/**
 * The connection of a stream, with large frames under the budget of unsent
 * bytes. TLS copies what it is given, so a large frame is given in slices: a
 * stream that waits for its client, or for the budget, keeps a reference to the
 * frame, which all streams share, and copies one slice.
 */
export class BudgetedSink implements FrameSink {
  readonly #wire: Wire;
  readonly #user: string;
  readonly #budget: UnsentBudget;
  readonly #clock: Clock;
  #claim: UnsentClaim | undefined;
  readonly #pending: Buffer[] = [];
  /** Bytes of the first pending frame that were given to the connection. */
  #offset = 0;
  #inFlight = 0;
  #isAsking = false;
  #isRoomy = true;
  /** `write` has answered false because of what is pending. */
  #isBlocked = false;
  #ended = false;
  #slices = 0;
  /** Called when there is room after `write` has answered false. */
  onRoom: () => void = () => undefined;

  constructor(wire: Wire, user: string, budget = unsentBudget, clock = systemClock) {
    this.#wire = wire;
    this.#user = user;
    this.#budget = budget;
    this.#clock = clock;
  }

  write(frame: Buffer): boolean {
    if (frame.length < LARGE_FRAME_BYTES && this.#pending.length === 0) {
      return this.#wire.write(frame);
    }
    this.#claim ??= this.#budget.claim(this.#user, () => this.#wire.destroy());
    if (frame.length > SLICE_BYTES) this.#claim.pin(frame);
    this.#pending.push(frame);
    this.#pump(this.#claim);
    this.#isBlocked = this.#pending.length > 0;
    return !this.#isBlocked && this.#isRoomy;
  }

  /** Everything written before still arrives, as long as the client takes it. */
  end(): void {
    this.#ended = true;
    if (this.#pending.length === 0) this.#wire.end();
    else this.#endInTime();
  }

  /** The connection has room again. */
  drained(): void {
    this.#isRoomy = true;
    if (this.#pending.length > 0) return;
    this.#isBlocked = false;
    this.onRoom();
  }

  /** The connection is closed. */
  closed(): void {
    this.#pending.length = 0;
    this.#claim?.leave();
  }

  #pump(claim: UnsentClaim): void {
    while (this.#inFlight === 0 && !this.#isAsking) {
      const [frame] = this.#pending;
      if (frame === undefined) return;
      const size = Math.min(SLICE_BYTES, frame.length - this.#offset);
      const hasRoom = claim.take(size, () => {
        this.#isAsking = false;
        if (this.#pending.length === 0) return;
        this.#writeSlice(claim, size);
        this.#unblock();
      });
      if (hasRoom) this.#writeSlice(claim, size);
      else this.#isAsking = true;
    }
  }

  #writeSlice(claim: UnsentClaim, size: number): void {
    const frame = this.#pending[0] as Buffer;
    const slice = frame.subarray(this.#offset, this.#offset + size);
    this.#offset += size;
    if (this.#offset === frame.length) {
      this.#pending.shift();
      this.#offset = 0;
      claim.unpin(frame);
    }
    this.#inFlight++;
    this.#slices++;
    this.#isRoomy = this.#wire.write(slice, () => this.#sent(claim, size));
    if (this.#ended && this.#pending.length === 0) this.#wire.end();
  }

  #sent(claim: UnsentClaim, size: number): void {
    this.#inFlight--;
    claim.sent(size);
    this.#pump(claim);
    this.#unblock();
  }

  #unblock(): void {
    if (!this.#isBlocked || this.#pending.length > 0 || !this.#isRoomy || this.#ended) return;
    this.#isBlocked = false;
    this.onRoom();
  }

  /** A stream that is over does not wait for ever for a client that does not read its last frame. */
  #endInTime(): void {
    const slices = this.#slices;
    this.#clock.after(UNSENT_PATIENCE_MS, () => {
      if (this.#pending.length === 0) return;
      if (slices === this.#slices) this.#wire.destroy();
      else this.#endInTime();
    });
  }
}
