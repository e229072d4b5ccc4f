import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import {
  makeAuthority,
  makeServingCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';

export type TlsHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => void | Promise<void>;

let authority: Promise<KeyPair> | undefined;

/** One authority for all servers of a test run. */
export function testAuthority(): Promise<KeyPair> {
  return (authority ??= makeAuthority('test-ca', Date.now()));
}

export interface TlsServerOptions {
  handler: TlsHandler;
  /** Whom the certificate names; 127.0.0.1 unless said. */
  names?: string[];
  /** Signs the certificate; {@link testAuthority} unless said. */
  signer?: KeyPair;
  tls?: ServerOptions;
}

/** An HTTPS server whose answers a test decides. */
export class TlsServer {
  readonly server: Server;
  /** Base64 of the authority, as objects of the API carry it. */
  readonly caBundle: string;
  /** Base64 of the certificate that it shows. */
  readonly ownBundle: string;
  handler: TlsHandler;
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, bundles: [string, string], handler: TlsHandler) {
    this.server = server;
    [this.caBundle, this.ownBundle] = bundles;
    this.handler = handler;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start({ handler, names, signer, tls }: TlsServerOptions): Promise<TlsServer> {
    const trusted = await testAuthority();
    const { certificate, key } = await makeServingCertificate(
      signer ?? trusted,
      names ?? ['127.0.0.1'],
      Date.now(),
    );
    const server = createServer({ cert: certificate, key, ...tls });
    const made = new TlsServer(server, [base64(trusted.certificate), base64(certificate)], handler);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url = '', headers } = request;
      made.requests.push({ method, url, headers });
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const handled = (async () => made.handler(request, response, body))();
        handled.catch(() => response.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
