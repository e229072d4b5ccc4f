import type { ApiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { Turn } from '../../api/turn.ts';
import { errorFrame } from '../../watch/frames.ts';
import type { FrameSink } from '../../watch/subscription.ts';
import { isPushed, type ApiResponse, type PushControl } from '../../http/message.ts';
import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
import { refusalOf } from './refusal.ts';

/** Open streams are authorized again this often. */
const RECHECK_MS = 20_000;
const UPGRADED = 101;

interface OpenStream {
  readonly attributes: AuthorizationAttributes;
  /** Ends it with an ERROR event, where the protocol is that of events. */
  readonly end: (frame: Buffer) => void;
}

/**
 * Authorizes open streams again while they last: a stream does not outlive the
 * right to it by more than {@link RECHECK_MS} and the time of the round. A
 * decision that cannot be made ends nothing.
 */
export class OpenStreams {
  readonly #authorizer: Authorizer;
  readonly #clock: Clock;
  readonly #open = new Set<OpenStream>();
  #isArmed = false;

  constructor(authorizer: Authorizer, clock: Clock) {
    this.#authorizer = authorizer;
    this.#clock = clock;
  }

  /** The answer to an authorized request; a stream in it is followed until it ends. */
  followed(attributes: AuthorizationAttributes, response: ApiResponse): ApiResponse {
    const { body, status } = response;
    if (Buffer.isBuffer(body) || !isPushed(body)) return response;
    const start = (sink: FrameSink): PushControl => {
      const state = { ended: false };
      const stream: OpenStream = { attributes, end: (frame) => end(frame) };
      const forget = (): void => void this.#open.delete(stream);
      const finish = (): void => {
        forget();
        if (!state.ended) sink.end();
        state.ended = true;
      };
      const control = body.start({ write: (frame) => sink.write(frame), end: finish });
      const end = (frame: Buffer): void => {
        if (status !== UPGRADED) sink.write(frame);
        control.close();
        finish();
      };
      if (!state.ended) this.#open.add(stream);
      this.#arm();
      return {
        resume: () => control.resume(),
        close() {
          forget();
          control.close();
        },
        receive: (bytes) => control.receive?.(bytes),
      };
    };
    return { ...response, body: { start } };
  }

  #arm(): void {
    if (this.#isArmed || this.#open.size === 0) return;
    this.#isArmed = true;
    this.#clock.after(RECHECK_MS, () => {
      void this.#recheck().finally(() => {
        this.#isArmed = false;
        this.#arm();
      });
    });
  }

  async #recheck(): Promise<void> {
    const turn = new Turn(this.#clock);
    for (const stream of this.#open) {
      const refusal = await this.#refusalFor(stream.attributes);
      if (refusal !== undefined) stream.end(errorFrame(refusal.status));
      if (turn.over()) await turn.next();
    }
  }

  async #refusalFor(attributes: AuthorizationAttributes): Promise<ApiError | undefined> {
    try {
      const decision = await this.#authorizer.authorize(attributes);
      if (decision.decision === 'allow' || decision.error !== undefined) return undefined;
      return refusalOf(attributes, decision);
    } catch {
      return undefined;
    }
  }
}
