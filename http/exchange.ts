import type { UserInfo } from '../api/user.ts';
import type { ApiError } from '../api/api-error.ts';
import { Warnings } from '../api/warnings.ts';
import type { WhileWaiting } from '../api/while-waiting.ts';
import type { Rights } from '../watch/rights.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import type { RequestInfo } from './request-info.ts';
import type { SentNames } from './sent-names.ts';

/** Finds out again, while a stream lasts, who it is for. */
export interface StreamIdentity {
  /** Streams of the same key are for the same user at every moment. */
  readonly key: string;
  /**
   * The user as of now.
   *
   * @throws ApiError when the credentials or the right to impersonate are gone;
   * any other error when that cannot be told now
   */
  readonly ask: () => UserInfo | Promise<UserInfo>;
}

/** One request on its way through the pipeline, with what the stages have found out so far. */
export class Exchange {
  request: ApiRequest;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly warnings = new Warnings();
  /** Annotations of the audit event. */
  readonly annotations = new Map<string, string>();
  /** What the body of a create or update calls its object, once it has been read. */
  sentNames: SentNames | undefined;
  /** When the request is given up, in monotonic milliseconds; undefined: not by itself. */
  deadline: number | undefined;
  auditId = '';
  /** What has kept the server from an answer, or why a credential was refused: for the log alone. */
  failure: unknown;
  info: RequestInfo;
  /** Who asks, after impersonation; undefined before authentication. */
  user: UserInfo | undefined;
  /** Who was authenticated, when it impersonates another. */
  impersonator: UserInfo | undefined;
  /** Of a request that may become a stream; undefined for all others. */
  identity: StreamIdentity | undefined;
  /** What of the collection the user may see, where the request asks for that part; undefined: all of it. */
  rights: Rights | undefined;
  /** To be thrown by all that does not heed {@link rights}: the request for the whole is refused. */
  refusal: ApiError | undefined;
  /** Set while the request has a seat that it need not keep during calls to other servers. */
  whileWaiting: WhileWaiting | undefined;
  /** The verb that allowed it where that was a limited right. */
  impersonationConstraint = '';

  /** Aborts at the deadline and when the client has gone. Made when it is asked for: not for a read that need not wait. */
  get signal(): AbortSignal {
    return this.request.cancellation.signal;
  }

  constructor(request: ApiRequest, info: RequestInfo, startedAt: number) {
    this.request = request;
    this.info = info;
    this.startedAt = startedAt;
  }
}

/** An answer that is there already, where nothing had to be waited for, or one that comes. */
export type Answer = ApiResponse | Promise<ApiResponse>;

/** The rest of the pipeline. */
export type Next = (exchange: Exchange) => Answer;

/**
 * A stage of the pipeline: does its part, and calls `next` for the rest or
 * answers itself. Failures are thrown (ApiError), at once or as rejections, and
 * become answers in one place.
 */
export interface Stage {
  readonly name: string;
  handle(exchange: Exchange, next: Next): Answer;
}

/**
 * What only looks at the requests that come in and the answers that go out: it
 * never waits, refuses or answers.
 */
export interface Frame {
  readonly name: string;
  readonly enter?: (exchange: Exchange) => void;
  /** The answer as it goes on from here. */
  readonly leave?: (exchange: Exchange, response: ApiResponse) => ApiResponse;
  /** An error was thrown that no stage turned into an answer. */
  readonly fail?: (exchange: Exchange) => void;
}

/**
 * Frames around the rest of the pipeline, the first one outermost. A stage of
 * its own for each would be a promise for each, which a request holds for as
 * long as it waits.
 */
export function framed(frames: readonly Frame[]): Stage {
  const inwards = frames.flatMap(({ enter }) => enter ?? []);
  const outwards = frames.flatMap(({ leave }) => leave ?? []).reverse();
  const failing = frames.flatMap(({ fail }) => fail ?? []).reverse();
  return {
    name: frames.map(({ name }) => name).join(', '),
    handle(exchange, next) {
      for (const enter of inwards) enter(exchange);
      const left = (response: ApiResponse): ApiResponse => {
        for (const leave of outwards) response = leave(exchange, response);
        return response;
      };
      const failed = (error: unknown): never => {
        for (const fail of failing) fail(exchange);
        throw error;
      };
      return attempted(next, exchange, failed, left);
    },
  };
}

/**
 * The answer of the rest of the pipeline, after `answered`, or what `failed` makes of its
 * error; either may be there at once or come. `failed` is not told what `answered` throws.
 */
export function attempted(
  next: Next,
  exchange: Exchange,
  failed: (error: unknown) => Answer,
  answered?: (response: ApiResponse) => ApiResponse,
): Answer {
  let answer: Answer;
  try {
    answer = next(exchange);
  } catch (error) {
    return failed(error);
  }
  if (answer instanceof Promise) return answer.then(answered, failed);
  return answered?.(answer) ?? answer;
}

/** The stages in order, put together once for all requests; the last one must answer. */
export function joined(stages: readonly Stage[]): Next {
  const unanswered: Next = () => {
    throw new Error('no stage has answered');
  };
  return stages.reduceRight<Next>(
    (next, stage) => (exchange) => stage.handle(exchange, next),
    unanswered,
  );
}
