import type { CancelSignal } from '../../api/cancel-signal.ts';
import type { Method, Methods, WatchRequest, WatchResponse } from './wire.ts';

export interface UnaryOptions {
  timeoutMs: number;
  /** Authentication token; absent: none. */
  token?: string | undefined;
  signal?: CancelSignal | undefined;
}

export interface WatchHandlers {
  onResponse(response: WatchResponse): void;
  /** Once, whatever ended the stream; not after `cancel()`. */
  onEnd(error: Error): void;
}

/** One watch stream to one member. */
export interface WatchConnection {
  send(request: WatchRequest): void;
  /** Nothing is handed over any more, until `resume()`; etcd holds back when its window is used up. */
  pause(): void;
  resume(): void;
  cancel(): void;
}

/**
 * One member of the cluster, without any retry, balancing or judgement: the seam
 * at which the transport can be exchanged.
 */
export interface EtcdClient {
  readonly endpoint: string;
  /** @throws EtcdCallError */
  call<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    options: UnaryOptions,
  ): Promise<Methods[M]['response']>;
  watch(handlers: WatchHandlers, token: string | undefined): WatchConnection;
  close(): void;
}
