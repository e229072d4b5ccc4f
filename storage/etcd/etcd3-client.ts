import { noop } from 'cockatiel';
import { ConnectionPool } from 'etcd3/lib/connection-pool.js';
import type { IOptions } from 'etcd3/lib/options.js';
import type { IWatchRequest, IWatchResponse, Services } from 'etcd3/lib/rpc.js';
import { classifyFailure, EtcdCallError } from './call-error.ts';
import type {
  EtcdClient,
  EtcdMethods,
  UnaryOptions,
  WatchConnection,
  WatchHandlers,
} from './client.ts';

/**
 * etcd lets clients ping every 5 s at most (`--grpc-keepalive-min-time`) and
 * hangs up on those that do so more often: stay clearly above it.
 */
const KEEPALIVE_MS = 5_500;
const KEEPALIVE_TIMEOUT_MS = 2_000;
/** The default doubles from one second to two minutes; etcd is back much sooner than that. */
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 1_000;
/** Flow control window of a connection: with the default of 64 KiB a backlog crawls. */
const WINDOW_BYTES = 4 * 1024 * 1024;

export interface TlsMaterial {
  ca?: Buffer | undefined;
  cert?: Buffer | undefined;
  key?: Buffer | undefined;
}

type PoolCallback = Parameters<ConnectionPool['withConnection']>[1];
type PoolConnection = Parameters<PoolCallback>[0];
type Metadata = PoolConnection['metadata'];

interface ServiceError extends Error {
  code?: number;
  details?: string;
}
interface UnaryCall {
  cancel(): void;
}
type UnaryMethod = (
  request: unknown,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: unknown) => void,
) => UnaryCall;
interface DuplexCall {
  on(event: 'data', listener: (response: IWatchResponse) => void): void;
  on(event: 'error', listener: (error: ServiceError) => void): void;
  on(event: 'end', listener: () => void): void;
  write(request: IWatchRequest): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}
type Service = 'KV' | 'Lease' | 'Maintenance' | 'Auth' | 'Watch';

const SERVICE: Record<keyof EtcdMethods, Service> = {
  range: 'KV',
  txn: 'KV',
  compact: 'KV',
  leaseGrant: 'Lease',
  alarm: 'Maintenance',
  status: 'Maintenance',
  authenticate: 'Auth',
};
/** A member that has lost its leader may still tell its version and check a password. */
const WITHOUT_LEADER: ReadonlySet<keyof EtcdMethods> = new Set(['status', 'alarm', 'authenticate']);

/**
 * A member of the cluster through the etcd3 package, of which only the
 * connection, the protocol and the types are used: its retries repeat writes,
 * its circuit breaker punishes the calls behind a failed one, its watcher loses
 * events, and it closes connections on errors that have nothing to do with them.
 */
class Etcd3Client implements EtcdClient {
  readonly endpoint: string;
  readonly #pool: ConnectionPool;
  readonly #methods = new Map<string, UnaryMethod>();
  readonly #watchService: { watch(metadata: Metadata): DuplexCall };
  readonly #blank: Metadata;
  readonly #metadata = new Map<string, Metadata>();

  constructor(endpoint: string, pool: ConnectionPool, services: Map<Service, PoolConnection>) {
    this.endpoint = endpoint;
    this.#pool = pool;
    this.#blank = connection(services, 'KV').metadata;
    for (const [method, service] of Object.entries(SERVICE)) {
      const { client } = connection(services, service);
      const unary = Reflect.get(client, method) as UnaryMethod;
      this.#methods.set(method, unary.bind(client));
    }
    this.#watchService = connection(services, 'Watch').client as unknown as {
      watch(metadata: Metadata): DuplexCall;
    };
  }

  call<M extends keyof EtcdMethods>(
    method: M,
    request: EtcdMethods[M]['request'],
    { timeoutMs, token, signal }: UnaryOptions,
  ): Promise<EtcdMethods[M]['response']> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(new EtcdCallError('cancelled', 'the caller gave up', signal.reason));
        return;
      }
      const unary = this.#methods.get(method);
      if (unary === undefined) throw new Error(`no method ${method}`);
      const metadata = this.#metadataFor(token, !WITHOUT_LEADER.has(method));
      const onAbort = (): void => call.cancel();
      const call = unary(
        request,
        metadata,
        { deadline: Date.now() + timeoutMs },
        (error, reply) => {
          signal?.removeEventListener('abort', onAbort);
          if (error === null) resolve(reply as EtcdMethods[M]['response']);
          else reject(this.#callError(error, signal));
        },
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  watch(handlers: WatchHandlers, token: string | undefined): WatchConnection {
    const call = this.#watchService.watch(this.#metadataFor(token, true));
    let ended = false;
    const end = (error: Error): void => {
      if (ended) return;
      ended = true;
      handlers.onEnd(error);
    };
    call.on('data', (response) => {
      if (!ended) handlers.onResponse(response);
    });
    call.on('error', (error) => end(this.#callError(error, undefined)));
    call.on('end', () => end(new EtcdCallError('lost', `${this.endpoint} ended the watch`)));
    return {
      send: (request) => {
        if (!ended) call.write(request);
      },
      pause: () => call.pause(),
      resume: () => call.resume(),
      cancel: () => {
        ended = true;
        call.cancel();
      },
    };
  }

  close(): void {
    this.#pool.close();
  }

  /** `hasleader` makes a member that is cut off from the others say so instead of waiting. */
  #metadataFor(token: string | undefined, requireLeader: boolean): Metadata {
    const key = `${requireLeader}/${token ?? ''}`;
    let metadata = this.#metadata.get(key);
    if (metadata === undefined) {
      // Tokens change rarely; only the newest ones are worth keeping.
      if (this.#metadata.size >= 8) this.#metadata.clear();
      metadata = this.#blank.clone();
      if (requireLeader) metadata.set('hasleader', 'true');
      if (token !== undefined) metadata.set('token', token);
      this.#metadata.set(key, metadata);
    }
    return metadata;
  }

  #callError(error: ServiceError, signal: AbortSignal | undefined): EtcdCallError {
    if (signal?.aborted === true) {
      return new EtcdCallError('cancelled', 'the caller gave up', signal.reason);
    }
    const details = error.details ?? error.message;
    const failure = classifyFailure(error.code ?? -1, details);
    return new EtcdCallError(failure, `${this.endpoint}: ${details}`, error);
  }
}

function connection(services: Map<Service, PoolConnection>, service: Service): PoolConnection {
  const found = services.get(service);
  if (found === undefined) throw new Error(`no connection for ${service}`);
  return found;
}

/** Prepares a client; connects with the first call. `endpoint` is an http(s) URL. */
export async function openEtcd3Client(endpoint: string, tls: TlsMaterial): Promise<EtcdClient> {
  const url = new URL(endpoint);
  const options: IOptions = {
    hosts: [`${url.protocol}//${url.host}`],
    faultHandling: { host: () => noop, global: noop },
    grpcOptions: {
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
      'grpc.initial_reconnect_backoff_ms': RECONNECT_MIN_MS,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MAX_MS,
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc-node.flow_control_window': WINDOW_BYTES,
      // Outcomes are decided in this room; statistics and TXT records are of no use here.
      'grpc.enable_retries': 0,
      'grpc.enable_channelz': 0,
      'grpc.service_config_disable_resolution': 1,
    },
    ...(tls.ca === undefined
      ? {}
      : {
          credentials: {
            rootCertificate: tls.ca,
            ...(tls.key === undefined ? {} : { privateKey: tls.key }),
            ...(tls.cert === undefined ? {} : { certChain: tls.cert }),
          },
        }),
  };
  const pool = new ConnectionPool(options);
  const services = new Map<Service, PoolConnection>();
  for (const service of ['KV', 'Lease', 'Maintenance', 'Auth', 'Watch'] satisfies Service[]) {
    const name: keyof typeof Services = service;
    services.set(service, await pool.withConnection(name, (found) => found));
  }
  return new Etcd3Client(endpoint, pool, services);
}
