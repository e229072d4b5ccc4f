import { revisionOf } from '../../api/revision.ts';
import { Authenticator, type Credentials } from '../../storage/etcd/authenticator.ts';
import { EtcdCallError, type CallFailure } from '../../storage/etcd/call-error.ts';
import type { EtcdClient, WatchConnection, WatchHandlers } from '../../storage/etcd/client.ts';
import { Cluster } from '../../storage/etcd/cluster.ts';
import { KeySpace } from '../../storage/etcd/key-space.ts';
import { Lineage } from '../../storage/etcd/lineage.ts';
import { featuresOf } from '../../storage/etcd/version.ts';
import { WatchLoop } from '../../storage/etcd/watch-loop.ts';
import type {
  KeyValue,
  Method,
  Methods,
  RangeResponse,
  WatchCreateRequest,
  WatchEvent,
  WatchRequest,
  WatchResponse,
} from '../../storage/etcd/wire.ts';
import type { FakeClock } from './fake-clock.ts';

const CLUSTER = 7n;
const keys = new KeySpace('/r');

/** A watch stream as a test drives it from etcd's side. */
export class FakeStream {
  readonly member: FakeMember;
  readonly sent: WatchRequest[] = [];
  readonly #handlers: WatchHandlers;
  readonly #held: WatchResponse[] = [];
  #paused = false;
  canceled = false;

  constructor(member: FakeMember, handlers: WatchHandlers) {
    this.member = member;
    this.#handlers = handlers;
  }

  get create(): WatchCreateRequest {
    const [first] = this.sent;
    if (first === undefined || !('create' in first)) throw new Error('no watch was asked for');
    return first.create;
  }

  get progressRequests(): number {
    return this.sent.filter((request) => 'progress' in request).length;
  }

  respond(response: Partial<WatchResponse> & { revision?: bigint }): void {
    this.#held.push({
      header: { clusterId: CLUSTER, revision: response.revision ?? 100n },
      created: false,
      canceled: false,
      compactRevision: 0n,
      cancelReason: '',
      fragment: false,
      events: [],
      ...response,
    });
    this.#deliver();
  }

  end(failure: CallFailure = 'lost'): void {
    if (!this.canceled) this.#handlers.onEnd(new EtcdCallError(failure, 'the test ended it'));
  }

  connection(): WatchConnection {
    return {
      send: (request) => void this.sent.push(request),
      pause: () => {
        this.#paused = true;
      },
      resume: () => {
        this.#paused = false;
        queueMicrotask(() => this.#deliver());
      },
      cancel: () => {
        this.canceled = true;
      },
    };
  }

  #deliver(): void {
    while (!this.#paused && !this.canceled) {
      const response = this.#held.shift();
      if (response === undefined) return;
      this.#handlers.onResponse(response);
    }
  }
}

/** A member that answers as a test tells it. */
export class FakeMember implements EtcdClient {
  readonly endpoint: string;
  readonly streams: FakeStream[] = [];
  readonly calls: { method: Method; request: unknown; token: string | undefined }[] = [];
  version = '3.5.21';
  /** Answers a range; throws what the call shall fail with. */
  onRange: (revision: bigint | undefined) => KeyValue[] = () => [];
  onAuthenticate: () => string = () => 'token';
  /** Ranges are answered when this is over. */
  rangeGate: Promise<void> | undefined;
  /** Fails every call with this. */
  failure: CallFailure | undefined;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  async call<M extends Method>(
    method: M,
    request: Methods[M]['request'],
    { token }: { token?: string | undefined },
  ): Promise<Methods[M]['response']> {
    this.calls.push({ method, request, token });
    if (method === 'range') await this.rangeGate;
    if (this.failure !== undefined) throw new EtcdCallError(this.failure, 'the test said so');
    return this.#answer(method, request) as Methods[M]['response'];
  }

  watch(handlers: WatchHandlers): WatchConnection {
    const stream = new FakeStream(this, handlers);
    this.streams.push(stream);
    return stream.connection();
  }

  close(): void {
    for (const stream of this.streams) stream.end('refused');
  }

  #answer(method: Method, request: unknown): unknown {
    const header = { clusterId: CLUSTER, revision: 100n };
    switch (method) {
      case 'status':
        return { header, version: this.version, sizeBytes: 1 };
      case 'range': {
        const kvs = this.onRange((request as { revision?: bigint }).revision);
        return { header, kvs, more: false, count: kvs.length } satisfies RangeResponse;
      }
      case 'authenticate':
        return { token: this.onAuthenticate() };
      default:
        throw new Error(`the fake does not answer ${method}`);
    }
  }
}

export function putEvent(name: string, revision: bigint, value = name): WatchEvent {
  const key = keys.key(name);
  const kv = { key, createRevision: revision, modRevision: revision, value: Buffer.from(value) };
  return { deleted: false, kv, previous: undefined };
}

/** Members, and a watch over all keys of them that waits to be read. */
export function fakeWatch(
  clock: FakeClock,
  {
    from,
    members = 1,
    auth,
    onRetry = () => undefined,
  }: { from: bigint; members?: number; auth?: Credentials; onRetry?: () => void },
): { all: FakeMember[]; loop: WatchLoop; lineage: Lineage; streams: () => FakeStream[] } {
  const all = Array.from({ length: members }, (_, i) => new FakeMember(`http://m${i}`));
  const cluster = new Cluster(all, new Authenticator(auth), clock);
  const lineage = new Lineage();
  const loop = new WatchLoop(
    {
      cluster,
      keys,
      lineage,
      clock,
      random: () => 1,
      featuresOf: async (client) => {
        const { version } = await client.call('status', undefined, { timeoutMs: 1 });
        return featuresOf(version, client.endpoint);
      },
      onClosed: () => undefined,
    },
    { prefix: '', from: revisionOf(from), onRetry },
  );
  return { all, loop, lineage, streams: () => all.flatMap((member) => member.streams) };
}

export function failing(failure: CallFailure): () => never {
  return () => {
    throw new EtcdCallError(failure, 'the test said so');
  };
}
