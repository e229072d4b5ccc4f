import { connect, type TLSSocket } from 'node:tls';
import type { Plinth } from '../support/plinth.ts';
import { certificateOf } from './chromium.ts';

const HEAD_END = '\r\n\r\n';

/**
 * A connection that sends one request after another and looks at nothing of an
 * answer but its status: it costs the machine, which also runs the server and the
 * browser, a third of what a client of HTTP costs.
 */
export class PlainConnection {
  readonly #socket: TLSSocket;
  #received = '';
  #answered: ((status: number) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('the connection has ended')));
  }

  static open(plinth: Plinth): Promise<PlainConnection> {
    const { hostname, port } = new URL(plinth.url);
    const certificate = certificateOf(plinth.kubeconfig);
    return new Promise((resolve, reject) => {
      const socket = connect(
        { host: hostname, port: Number(port), rejectUnauthorized: false, ...certificate },
        () => resolve(new PlainConnection(socket)),
      );
      socket.once('error', reject);
    });
  }

  /** The status of the answer. */
  patch(path: string, body: object): Promise<number> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      [this.#answered, this.#failed] = [resolve, reject];
      this.#socket.write(
        `PATCH ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/merge-patch+json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#failed?.(new Error(`the answer has no length: ${head}`));
      return;
    }
    if (this.#received.length < end + HEAD_END.length + Number(length)) return;
    this.#received = '';
    this.#answered?.(Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
  }
}
