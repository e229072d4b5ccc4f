import type { CancelSignal } from '../api/cancel-signal.ts';
import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';
import type { WhileWaiting } from '../api/while-waiting.ts';

/** What a verb knows of the request that it serves. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly warnings: Warnings;
  /** Annotations of the request's audit event. */
  readonly audit: Map<string, string>;
  /** Aborts when the client is gone or the deadline has passed. Made when it is asked for. */
  readonly signal: AbortSignal | undefined;
  /** The same for the store, which needs less of it; absent: `signal`. */
  readonly cancellation?: CancelSignal;
  /** When the request is given up, in monotonic milliseconds. */
  readonly deadline?: number | undefined;
  /** To be used for calls to other servers; absent: see there. */
  readonly whileWaiting?: WhileWaiting | undefined;
  /** Owner of the fields that a write without a fieldManager parameter sets. */
  readonly defaultManager: string;
  /**
   * Confirms that the user may create the object that the request is about: to be
   * asked where another verb creates it. Absent: no check is needed.
   *
   * @throws ApiError 403 (as rejection)
   */
  readonly confirmCreate?: (() => Promise<void>) | undefined;
}

/** What gives up a call to the store: without making a signal where nothing else needs one. */
export function cancelSignalOf(context: RequestContext): CancelSignal | undefined {
  return context.cancellation ?? context.signal;
}
