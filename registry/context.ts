import type { UserInfo } from '../api/user.ts';
import type { Warnings } from '../api/warnings.ts';

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
  /** Owner of the fields that a write without a fieldManager parameter sets. */
  readonly defaultManager: string;
}
