import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { forEachLine, LoadClient, type Answer, type Endpoint, type Load } from './client.ts';

/** Until a server has said how many streams it takes. */
const STREAMS = 100;
/** Unread bytes that this client takes, as Go's does. */
const STREAM_WINDOW = 4 * 1024 * 1024;
const CONNECTION_WINDOW = 1024 * 1024 * 1024;

interface Connection {
  readonly session: ClientHttp2Session;
  open: number;
}

/** A client that speaks HTTP/2 where the endpoint asks for it. `connections` are those of HTTP/1.1. */
export function openLoad(endpoint: Endpoint, connections: number): Load {
  return endpoint.http2 === true
    ? new Http2LoadClient(endpoint)
    : new LoadClient(endpoint, connections);
}

/** Requests and watches as streams; another connection begins where the server takes no more on the last one. */
class Http2LoadClient implements Load {
  readonly #endpoint: Endpoint;
  readonly #headers: Record<string, string>;
  readonly #connections: Promise<Connection>[] = [];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    const { token } = endpoint;
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#headers = { 'user-agent': 'plinth-bench/1.0', ...authorization };
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    contentType = 'application/json',
    keep = false,
  ): Promise<Answer> {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const described: Record<string, string> =
      payload === undefined
        ? {}
        : { 'content-type': contentType, 'content-length': String(payload.length) };
    const stream = await this.#stream(method, path, described);
    return new Promise((resolve, reject) => {
      let [status, bytes] = [0, 0];
      const chunks: Buffer[] = [];
      stream.on('response', (headers) => (status = headers[':status'] ?? 0));
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (keep) chunks.push(chunk);
      });
      stream.on('end', () => resolve({ status, bytes, text: Buffer.concat(chunks).toString() }));
      stream.on('error', reject);
      stream.end(payload);
    });
  }

  async watch(path: string, onLine: (line: string, at: number) => void): Promise<() => void> {
    const stream = await this.#stream('GET', path, {});
    return new Promise((resolve, reject) => {
      forEachLine(stream, onLine);
      stream.on('response', () => resolve(() => stream.close()));
      stream.on('error', reject);
      stream.end();
    });
  }

  close(): void {
    for (const each of this.#connections) void each.then(({ session }) => session.destroy());
  }

  async #stream(
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<ClientHttp2Stream> {
    const connection = await this.#free();
    const all = { ':method': method, ':path': path, ...this.#headers, ...headers };
    const stream = connection.session.request(all);
    stream.on('close', () => connection.open--);
    return stream;
  }

  /** The place is taken when it resolves. */
  async #free(): Promise<Connection> {
    for (let i = 0; ; i++) {
      // Those who come while a connection opens wait for it, instead of opening their own.
      this.#connections[i] ??= this.#connect();
      const connection = await this.#connections[i]!;
      const most = connection.session.remoteSettings.maxConcurrentStreams ?? STREAMS;
      if (connection.open >= most) continue;
      connection.open++;
      return connection;
    }
  }

  async #connect(): Promise<Connection> {
    const { url, certificate } = this.#endpoint;
    const settings = { initialWindowSize: STREAM_WINDOW };
    const session = connect(url, { rejectUnauthorized: false, settings, ...certificate });
    session.on('error', () => undefined);
    await new Promise((resolve, reject) => {
      session.once('remoteSettings', resolve).once('error', reject);
    });
    session.setLocalWindowSize(CONNECTION_WINDOW);
    return { session, open: 0 };
  }
}
