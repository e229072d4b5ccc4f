import { Agent, request, type RequestOptions } from 'node:https';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parse } from 'yaml';

/** A server of this API under load: where it is and who asks. */
export interface Endpoint {
  readonly url: string;
  readonly token?: string | undefined;
  /** Whether clients speak HTTP/2 to it. */
  readonly http2?: boolean | undefined;
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly text: string;
}

/** What drives a server. */
export interface Load {
  send(
    method: string,
    path: string,
    body?: unknown,
    contentType?: string,
    keep?: boolean,
  ): Promise<Answer>;
  /** Opens a watch; `onLine` gets every frame and the time it came. Returns what closes it. */
  watch(path: string, onLine: (line: string, at: number) => void): Promise<() => void>;
  close(): void;
}

/** Requests over kept connections of HTTP/1.1; bodies are read to their end, and kept only when asked for. */
export class LoadClient implements Load {
  readonly #agent: Agent;
  readonly #base: URL;
  readonly #headers: Record<string, string>;

  constructor(endpoint: Endpoint, connections: number) {
    this.#base = new URL(endpoint.url);
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      rejectUnauthorized: false,
      ...(endpoint.certificate ?? {}),
    });
    this.#headers =
      endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` };
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    contentType = 'application/json',
    keep = false,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const options = this.#options(method, path, payload, contentType);
    return new Promise((resolve, reject) => {
      const req = request({ ...options, headers: { ...options.headers, ...headers } }, (res) => {
        let bytes = 0;
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (keep) chunks.push(chunk);
        });
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, bytes, text: Buffer.concat(chunks).toString() }),
        );
        res.on('error', reject);
      });
      req.on('error', reject);
      req.end(payload);
    });
  }

  /** Opens a watch; `onLine` gets every frame and the time it came. Returns what closes it. */
  watch(path: string, onLine: (line: string, at: number) => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const req = request(
        { ...this.#options('GET', path, undefined, ''), agent: undefined, ...this.#tls() },
        (res) => {
          if (res.statusCode !== 200) {
            reject(new Error(`${path}: ${res.statusCode ?? 0}`));
            res.destroy();
            return;
          }
          forEachLine(res, onLine);
          res.on('error', () => undefined);
          resolve(() => req.destroy());
        },
      );
      req.on('error', reject);
      req.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #tls(): RequestOptions {
    const { cert, key } = this.#agent.options;
    return { rejectUnauthorized: false, cert, key };
  }

  #options(
    method: string,
    path: string,
    payload: string | undefined,
    contentType: string,
  ): RequestOptions & { readonly headers: Record<string, string> } {
    return {
      agent: this.#agent,
      host: this.#base.hostname,
      port: this.#base.port,
      method,
      path,
      headers: {
        ...this.#headers,
        'user-agent': 'plinth-bench/1.0',
        ...(payload === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(payload)) }),
      },
    };
  }
}

/** `onLine` gets every line of a stream without its end, and the time its end came. */
export function forEachLine(stream: Readable, onLine: (line: string, at: number) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const at = performance.now();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line, at);
  });
}

/** The endpoint and the administrator's certificate of a kubeconfig that Plinth wrote. */
export function endpointOf(kubeconfig: string): Endpoint {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string } }[];
    users: { user: Record<string, string> }[];
  };
  const decode = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString();
  const user = config.users[0]!.user;
  return {
    url: config.clusters[0]!.cluster.server,
    certificate: {
      cert: decode(user['client-certificate-data']),
      key: decode(user['client-key-data']),
    },
  };
}
