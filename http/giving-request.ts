import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyGiver, BodyTaker } from './body-taker.ts';

const endOfStream = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded');

/**
 * A new class of requests whose body goes straight to who reads all of it: to pass
 * 1 KB through Node's stream takes listeners, microtasks and states.
 * Each call makes a class of its own, whose prototype belongs to the caller.
 */
export function givingRequestClass(): typeof IncomingMessage {
  class GivingRequest extends IncomingMessage implements BodyGiver {
    #taker: BodyTaker | undefined;
    /** The taker has had all of it. */
    isGiven = false;
    /** Node's own mark: the body is being read, and need not be thrown away behind the answer. */
    declare _consuming: boolean;

    giveBody(taker: BodyTaker): boolean {
      const isOpen = !this.complete && !this.destroyed;
      if (!isOpen || this.readableFlowing !== null || this.readableLength > 0) return false;
      this.#taker = taker;
      this._consuming = true;
      return true;
    }

    keepBody(): void {
      this.#taker = undefined;
    }

    /** As Node's parser calls it: with each piece, and with null at the end. */
    override push(chunk: Buffer | null): boolean {
      const taker = this.#taker;
      if (taker === undefined) return super.push(chunk);
      if (chunk === null) {
        this.isGiven = true;
        taker.end();
      } else {
        taker.take(chunk);
      }
      return true;
    }

    override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
      this.#taker?.cut(error);
      super._destroy(error, done);
    }
  }
  // Node forgets a request at the end of its body, and asks by this whether that has come.
  Object.defineProperty(GivingRequest.prototype, 'readableEnded', {
    get(this: GivingRequest): unknown {
      return this.isGiven || endOfStream?.get?.call(this);
    },
  });
  return GivingRequest;
}
