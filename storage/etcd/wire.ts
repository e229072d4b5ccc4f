/**
 * The messages of etcd's protocol (api v3, etcdserverpb/rpc.proto and
 * mvccpb/kv.proto) as far as the store uses them. 64-bit integers are bigint;
 * counts and sizes, which stay small, are numbers.
 */
export interface ResponseHeader {
  readonly clusterId: bigint;
  readonly revision: bigint;
}

export interface KeyValue {
  readonly key: Buffer;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  readonly value: Buffer;
}

export interface RangeRequest {
  readonly key: Buffer;
  /** First key behind the range; absent: the one key. */
  readonly rangeEnd?: Buffer;
  /** 0 or absent: all. */
  readonly limit?: number;
  /** Absent: the newest. */
  readonly revision?: bigint;
  readonly keysOnly?: boolean;
  readonly countOnly?: boolean;
}

export interface RangeResponse {
  readonly header: ResponseHeader;
  readonly kvs: KeyValue[];
  readonly more: boolean;
  readonly count: number;
}

/** Holds when the key was last written at this revision; 0: when it does not exist. */
export interface Condition {
  readonly key: Buffer;
  readonly modRevision: bigint;
}

export type Operation =
  | { readonly put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: bigint } }
  | { readonly delete: { readonly key: Buffer } }
  | { readonly range: RangeRequest };

export interface TxnRequest {
  readonly conditions: readonly Condition[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export interface TxnResponse {
  readonly header: ResponseHeader;
  readonly succeeded: boolean;
  /** One for each executed operation; undefined unless the operation is a range. */
  readonly ranges: readonly (RangeResponse | undefined)[];
}

export interface WatchCreateRequest {
  readonly key: Buffer;
  readonly rangeEnd?: Buffer;
  readonly startRevision: bigint;
  readonly progressNotify?: boolean;
  readonly previous?: boolean;
  readonly fragment?: boolean;
}

export type WatchRequest = { readonly create: WatchCreateRequest } | { readonly progress: true };

export interface WatchEvent {
  readonly deleted: boolean;
  readonly kv: KeyValue;
  readonly previous: KeyValue | undefined;
}

export interface WatchResponse {
  readonly header: ResponseHeader;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Not 0: the watch asked for history before this revision, which is gone. */
  readonly compactRevision: bigint;
  readonly cancelReason: string;
  /** More of the same response follows. */
  readonly fragment: boolean;
  readonly events: WatchEvent[];
}

export type Alarm = 'noSpace' | 'corrupt' | 'other';

/** The remote procedures that the store uses, each with its request and response. */
export interface Methods {
  range: { request: RangeRequest; response: RangeResponse };
  txn: { request: TxnRequest; response: TxnResponse };
  compact: { request: { readonly revision: bigint }; response: undefined };
  leaseGrant: { request: { readonly ttlSeconds: number }; response: { readonly id: bigint } };
  alarms: { request: undefined; response: { readonly alarms: readonly Alarm[] } };
  status: {
    request: undefined;
    response: {
      readonly header: ResponseHeader;
      readonly version: string;
      readonly sizeBytes: number;
    };
  };
  authenticate: {
    request: { readonly name: string; readonly password: string };
    response: { readonly token: string };
  };
}
export type Method = keyof Methods;
