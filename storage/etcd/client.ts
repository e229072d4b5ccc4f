import type {
  IAlarmRequest,
  IAlarmResponse,
  IAuthenticateRequest,
  IAuthenticateResponse,
  ICompactionRequest,
  ICompactionResponse,
  ILeaseGrantRequest,
  ILeaseGrantResponse,
  IRangeRequest,
  IRangeResponse,
  IStatusRequest,
  IStatusResponse,
  ITxnRequest,
  ITxnResponse,
  IWatchRequest,
  IWatchResponse,
} from 'etcd3/lib/rpc.js';

/** The remote procedures that the store uses, each with its request and response. */
export interface EtcdMethods {
  range: { request: IRangeRequest; response: IRangeResponse };
  txn: { request: ITxnRequest; response: ITxnResponse };
  compact: { request: ICompactionRequest; response: ICompactionResponse };
  leaseGrant: { request: ILeaseGrantRequest; response: ILeaseGrantResponse };
  alarm: { request: IAlarmRequest; response: IAlarmResponse };
  status: { request: IStatusRequest; response: IStatusResponse };
  authenticate: { request: IAuthenticateRequest; response: IAuthenticateResponse };
}

export interface UnaryOptions {
  timeoutMs: number;
  /** Authentication token; absent: none. */
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface WatchHandlers {
  onResponse(response: IWatchResponse): void;
  /** Once, whatever ended the stream; not after `cancel()`. */
  onEnd(error: Error): void;
}

/** One watch stream to one member. */
export interface WatchConnection {
  send(request: IWatchRequest): void;
  /** Stops reading, so that etcd holds back; bounded by the window of the stream. */
  pause(): void;
  resume(): void;
  cancel(): void;
}

/**
 * One member of the cluster, without any retry, balancing or error handling:
 * the seam at which the gRPC library can be exchanged.
 */
export interface EtcdClient {
  readonly endpoint: string;
  /** @throws EtcdCallError */
  call<M extends keyof EtcdMethods>(
    method: M,
    request: EtcdMethods[M]['request'],
    options: UnaryOptions,
  ): Promise<EtcdMethods[M]['response']>;
  watch(handlers: WatchHandlers, token: string | undefined): WatchConnection;
  close(): void;
}
