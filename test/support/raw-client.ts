import { connect, type TLSSocket } from 'node:tls';

/** A client that keeps to none of the rules: a TLS connection and the bytes that a test sends on it. */
export class RawClient {
  readonly socket: TLSSocket;
  received = '';
  /** How the server ended it; undefined as long as it is open. */
  ended: 'end' | 'close' | undefined;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (this.received += text));
    socket.on('end', () => (this.ended = 'end'));
    socket.on('close', () => (this.ended ??= 'close'));
    socket.on('error', () => undefined);
  }

  static open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
      socket.once('error', reject);
      socket.once('secureConnect', () => resolve(new RawClient(socket)));
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  get status(): number | undefined {
    const code = /^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1];
    return code === undefined ? undefined : Number(code);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a request, with a body that is still to come when `length` says so. */
export function head(
  method: string,
  path: string,
  headers: Record<string, string>,
  length?: number,
): string {
  const lines = Object.entries({
    host: 'plinth',
    ...headers,
    ...(length === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(length) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
