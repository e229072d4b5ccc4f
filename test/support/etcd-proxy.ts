import { once } from 'node:events';
import {
  createConnection,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { FLAG, FRAME, frameHead, FrameReader } from '../../storage/etcd/http2/frames.ts';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  silent: boolean;
  /** Reads what the store says in vain. */
  stalled: FrameReader | undefined;
  heldRequests: Buffer[];
  heldReplies: Buffer[];
}

/**
 * Stands between a store and its etcd and does what networks do: breaks
 * connections, swallows what one side says, delivers it late, or spoils it.
 */
export class TcpProxy {
  readonly #target: number;
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  readonly #abandoned = new Set<Pair>();
  #holdRequests = false;
  #holdReplies = false;
  #refusing = false;
  #falsified: { readonly text: string; readonly by: string } | undefined;
  connections = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#listener = createServer((client) => this.#accept(client));
  }

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(url).port));
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** Breaks all connections at both ends. */
  cut(): void {
    for (const pair of this.#pairs) {
      pair.client.destroy();
      pair.server.destroy();
    }
  }

  /** Nothing arrives any more on connections that are there, and neither end is told. New ones work. */
  silence(): void {
    for (const pair of this.#pairs) pair.silent = true;
  }

  /** On connections that are there pings are answered, and nothing else. New ones work. */
  stall(): void {
    for (const pair of this.#pairs) pair.stalled ??= new FrameReader();
  }

  /** Breaks connections, and every new one at once, until told otherwise. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
    if (refusing) this.cut();
  }

  /** What the store says from now on does not arrive, until it is released. */
  holdRequests(): void {
    this.#holdRequests = true;
  }
  /** What etcd answers from now on does not arrive, until it is released. */
  holdReplies(): void {
    this.#holdReplies = true;
  }
  /** Puts other text, as long, in the place of some in what etcd answers; undefined: no longer. */
  falsify(change: { text: string; by: string } | undefined): void {
    this.#falsified = change;
  }
  /** Nothing is held on connections that begin from now on. */
  stopHolding(): void {
    this.#holdRequests = false;
    this.#holdReplies = false;
  }

  /** The store loses its connections; etcd does not notice, and what is held can still reach it. */
  abandonClients(): void {
    for (const pair of this.#pairs) {
      this.#abandoned.add(pair);
      pair.client.destroy();
    }
    this.#pairs.clear();
  }

  /** What was held on connections that were abandoned reaches etcd after all. */
  deliverLate(): void {
    for (const { server, heldRequests } of this.#abandoned) {
      for (const chunk of heldRequests.splice(0)) server.write(chunk);
    }
  }

  /** Bytes of requests that are held. */
  get heldBytes(): number {
    let bytes = 0;
    for (const { heldRequests } of [...this.#pairs, ...this.#abandoned]) {
      for (const chunk of heldRequests) bytes += chunk.length;
    }
    return bytes;
  }

  async close(): Promise<void> {
    this.cut();
    for (const { server } of this.#abandoned) server.destroy();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #spoilt(chunk: Buffer): Buffer {
    if (this.#falsified === undefined) return chunk;
    const { text, by } = this.#falsified;
    return Buffer.from(chunk.toString('latin1').replaceAll(text, by), 'latin1');
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.#refusing) {
      client.destroy();
      return;
    }
    this.connections++;
    const server = createConnection(this.#target, '127.0.0.1');
    server.on('error', () => undefined);
    const pair: Pair = {
      ...{ client, server, silent: false, stalled: undefined },
      ...{ heldRequests: [], heldReplies: [] },
    };
    this.#pairs.add(pair);
    // A connection that began while nothing was held may be held later, not the other way round.
    client.on('data', (chunk) => {
      if (pair.silent) return;
      if (pair.stalled !== undefined) answerPings(chunk, pair.stalled, client);
      else if (this.#holdRequests || pair.heldRequests.length > 0) pair.heldRequests.push(chunk);
      else server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (pair.silent || pair.stalled !== undefined) return;
      if (this.#holdReplies || pair.heldReplies.length > 0) pair.heldReplies.push(chunk);
      else client.write(this.#spoilt(chunk));
    });
    client.on('close', () => {
      this.#pairs.delete(pair);
      if (!this.#abandoned.has(pair)) server.destroy();
    });
    server.on('close', () => client.destroy());
  }
}

function answerPings(chunk: Buffer, reader: FrameReader, client: Socket): void {
  reader.push(chunk, ({ type, flags, payload }) => {
    if (type !== FRAME.PING || (flags & FLAG.ACK) !== 0) return;
    client.write(Buffer.concat([frameHead(payload.length, FRAME.PING, FLAG.ACK, 0), payload]));
  });
}
