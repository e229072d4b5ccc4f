import type { ApiObject } from '../objects.ts';
import type { Status, StatusError } from '../status.ts';

/** What a client asks of a stream, see docs/queries.md. */
export interface SubscriptionMessage {
  readonly id: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly filter?: string;
  /** Absent: the state first. */
  readonly resourceVersion?: string;
  /** False: from now on, without the state. */
  readonly sendInitialEvents?: false;
  readonly as?: 'Table';
}

export interface Commands {
  readonly add: readonly SubscriptionMessage[];
  readonly remove: readonly string[];
}

/** What comes on a stream. Without an id it is about the whole stream. */
export type StreamFrame =
  | {
      readonly id: string;
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: ApiObject;
    }
  | { readonly id?: string; readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly id: string; readonly type: 'REMOVED' }
  | { readonly id?: string; readonly type: 'ERROR'; readonly object: Status };

/** What a connection tells its owner. */
export interface ConnectionEvents {
  onOpen(): void;
  onFrame(frame: StreamFrame): void;
  /** Comes once, and nothing after it. The error where the server has answered with one. */
  onEnd(error: StatusError | undefined): void;
}

/** One connection that carries frames. */
export interface Connection {
  /** False: this connection cannot be told anything more; another one has to begin. */
  tell(commands: Commands): boolean;
  /** Ends it; `onEnd` is not called any more. */
  close(): void;
}

/** Opens a connection that begins with these subscriptions. Never throws. */
export type OpenConnection = (
  begin: readonly SubscriptionMessage[],
  events: ConnectionEvents,
) => Connection;

/** The path of one stream over several resources. */
export const STREAM_PATH = '/apis/query.cluster.io/v1/watch';

/** What `parse` reads, as a frame. @throws SyntaxError for what is not one */
export function frameOf(text: string, parse: (text: string) => unknown): StreamFrame {
  const value = parse(text) as StreamFrame | null;
  if (typeof value !== 'object' || value === null || typeof value.type !== 'string') {
    throw new SyntaxError('a frame must be an object with a type');
  }
  return value;
}
