import { isPushed, type PushedBody, type ResponseBody } from '../../http/message.ts';

export interface BodyMeter {
  /** A stream of events begins. */
  started?(): void;
  /** A piece of so many bytes goes out. */
  sent(bytes: number): void;
  /** A frame of a stream goes out, with the lengths of its events in bytes where it holds several. */
  pushed?(frame: Buffer, lengths?: readonly number[]): void;
  /** The body is over: sent to its end, failed, or given up by the client. Told once. */
  ended(): void;
}

/** The body with its pieces counted; nothing else differs. A Buffer counts as sent at once. */
export function measuredBody(body: ResponseBody, meter: BodyMeter): ResponseBody {
  if (Buffer.isBuffer(body)) {
    meter.sent(body.length);
    meter.ended();
    return body;
  }
  return isPushed(body) ? measuredPush(body, meter) : new MeasuredPieces(body, meter);
}

function measuredPush(body: PushedBody, meter: BodyMeter): PushedBody {
  return {
    start(sink) {
      meter.started?.();
      let open = true;
      const end = (): void => {
        if (open) meter.ended();
        open = false;
      };
      const control = body.start({
        write(frame, lengths) {
          meter.sent(frame.length);
          meter.pushed?.(frame, lengths);
          return sink.write(frame, lengths);
        },
        end() {
          end();
          sink.end();
        },
      });
      return {
        resume: () => control.resume(),
        close() {
          end();
          control.close();
        },
        ...(control.fail === undefined ? {} : { fail: (error) => control.fail?.(error) }),
        receive: (bytes) => control.receive?.(bytes),
      };
    },
    discard() {
      meter.ended();
      body.discard?.();
    },
  };
}

/** No generator: one that was never started would not notice that it is given up. */
class MeasuredPieces implements AsyncIterableIterator<Buffer> {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #meter: BodyMeter;
  #open = true;

  constructor(pieces: AsyncIterable<Buffer>, meter: BodyMeter) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#meter = meter;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer>> {
    try {
      const result = await this.#pieces.next();
      if (result.done === true) this.#end();
      else this.#meter.sent(result.value.length);
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Buffer>> {
    this.#end();
    await this.#pieces.return?.();
    return { done: true, value: undefined };
  }

  #end(): void {
    if (this.#open) this.#meter.ended();
    this.#open = false;
  }
}
