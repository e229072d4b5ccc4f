import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';
import type { WhileWaiting } from '../api/while-waiting.ts';

/** What a verb knows of the request that it serves. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly warnings: Warnings;
  /** Annotations of the request's audit event. */
  readonly audit: Map<string, string>;
  /** Aborts when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal | undefined;
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
