import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import type {
  IEvent,
  IKeyValue,
  IRangeResponse,
  IRequestOp,
  IWatchResponse,
} from 'etcd3/lib/rpc.js';
import { KVClient, WatchClient } from 'etcd3/lib/rpc.js';
import { noop } from 'cockatiel';
import type {
  KeyValue,
  Operation,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
  WatchCreateRequest,
  WatchEvent,
  WatchResponse,
} from '../../storage/etcd/wire.ts';

/** The same calls through the etcd3 package: the reference that the store's own transport is compared with. */
export class ReferenceClient {
  readonly #pool: ConnectionPool;
  readonly #kv: KVClient;

  constructor(endpoint: string) {
    const faultHandling = { host: () => noop, global: noop };
    this.#pool = new ConnectionPool({ hosts: [endpoint], faultHandling });
    this.#kv = new KVClient(this.#pool);
  }

  async range(request: RangeRequest): Promise<RangeResponse> {
    return rangeOf(await this.#kv.range(rangeRequest(request)));
  }

  async txn({ conditions, success, failure }: TxnRequest): Promise<TxnResponse> {
    const response = await this.#kv.txn({
      compare: conditions.map(({ key, modRevision }) => {
        return { key, target: 'Mod', result: 'Equal', mod_revision: String(modRevision) };
      }),
      success: success.map(requestOp),
      failure: failure.map(requestOp),
    });
    const { clusterId, revision } = headerOf(response);
    return {
      header: { clusterId, revision },
      succeeded: response.succeeded,
      ranges: response.responses.map(({ response_range: range }) => {
        // May be absent, whatever the types say.
        return (range as IRangeResponse | undefined) === undefined ? undefined : rangeOf(range);
      }),
    };
  }

  /** Responses of a watch until `done` says that they are enough. */
  async watch(
    create: WatchCreateRequest,
    done: (responses: readonly WatchResponse[]) => boolean,
  ): Promise<WatchResponse[]> {
    const stream = await new WatchClient(this.#pool).watch();
    const responses: WatchResponse[] = [];
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (response) => {
        responses.push(watchOf(response));
        if (done(responses)) resolve();
      });
      stream.on('error', reject);
      const { key, rangeEnd, startRevision, previous, fragment } = create;
      stream.write({
        create_request: {
          key,
          ...(rangeEnd === undefined ? {} : { range_end: rangeEnd }),
          start_revision: String(startRevision),
          prev_kv: previous === true,
          fragment: fragment === true,
        },
      });
    });
    stream.on('error', () => undefined);
    stream.cancel();
    return responses;
  }

  close(): void {
    this.#pool.close();
  }
}

function rangeRequest({
  key,
  rangeEnd,
  limit,
  revision,
  keysOnly,
  countOnly,
}: RangeRequest): object {
  return {
    key,
    ...(rangeEnd === undefined ? {} : { range_end: rangeEnd }),
    ...(limit === undefined ? {} : { limit }),
    ...(revision === undefined ? {} : { revision: String(revision) }),
    keys_only: keysOnly === true,
    count_only: countOnly === true,
  };
}

function requestOp(operation: Operation): IRequestOp {
  if ('range' in operation) return { request_range: rangeRequest(operation.range) };
  if ('delete' in operation) return { request_delete_range: { key: operation.delete.key } };
  const { key, value, lease } = operation.put;
  return { request_put: { key, value, ...(lease === undefined ? {} : { lease: String(lease) }) } };
}

function headerOf({ header }: { header: { cluster_id: string; revision: string } }): {
  clusterId: bigint;
  revision: bigint;
} {
  return { clusterId: BigInt(header.cluster_id), revision: BigInt(header.revision) };
}

function rangeOf(response: IRangeResponse): RangeResponse {
  // Within a transaction the header of a part has no cluster.
  return {
    header: headerOf(response),
    kvs: response.kvs.map(keyValueOf),
    more: response.more,
    count: Number(response.count),
  };
}

function keyValueOf(kv: IKeyValue): KeyValue {
  return {
    key: kv.key,
    createRevision: BigInt(kv.create_revision),
    modRevision: BigInt(kv.mod_revision),
    value: kv.value,
  };
}

function watchOf(response: IWatchResponse): WatchResponse {
  return {
    header: headerOf(response),
    created: response.created,
    canceled: response.canceled,
    compactRevision: BigInt(response.compact_revision),
    cancelReason: response.cancel_reason,
    fragment: response.fragment,
    events: response.events.map(eventOf),
  };
}

function eventOf(event: IEvent): WatchEvent {
  const previous = event.prev_kv as IKeyValue | null;
  return {
    deleted: event.type === 'Delete',
    kv: keyValueOf(event.kv),
    previous: previous === null ? undefined : keyValueOf(previous),
  };
}
