import type { ApiClient } from '../client.ts';
import type { StatusError } from '../status.ts';
import type { OpenSocket } from './socket.ts';
import type { Timers } from './timers.ts';

/** How the stream is, for people. */
export type LiveState =
  /** Nothing is followed. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** The connection is lost; the next attempt is `retryAt`, in milliseconds of the timers. */
  | { readonly state: 'waiting'; readonly retryAt: number }
  /** The server refuses the user: sign in again, and make another stream. */
  | { readonly state: 'ended'; readonly error: StatusError };

export interface LiveOptions {
  readonly client: ApiClient;
  readonly onState?: (state: LiveState) => void;
  /** Opens a WebSocket; absent: that of the browser. Without any, the stream is the answer to a POST. */
  readonly openSocket?: OpenSocket;
  readonly timers?: Timers;
  /** From 0 to below 1. */
  readonly random?: () => number;
}
