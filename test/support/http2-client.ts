import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Plinth } from './plinth.ts';

interface Http2Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** One HTTP/2 connection of the administrator. */
export class Http2Client {
  readonly session: ClientHttp2Session;
  /** The server has said that it takes no more streams. */
  goneAway = false;

  private constructor(session: ClientHttp2Session) {
    this.session = session;
    session.on('error', () => undefined);
    session.on('goaway', () => (this.goneAway = true));
  }

  static async open(plinth: Plinth): Promise<Http2Client> {
    const session = connect(plinth.url, plinth.tls);
    await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject));
    return new Http2Client(session);
  }

  stream(path: string, headers: Record<string, string> = {}): ClientHttp2Stream {
    const stream = this.session.request({ ':path': path, ...headers });
    stream.on('error', () => undefined);
    return stream;
  }

  async send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers: Record<string, string> = {},
    /** The head says that no body follows. */
    endStream = false,
  ): Promise<Http2Reply> {
    const head = { ':method': method, ':path': path, ...headers };
    const stream = this.session.request(head, { endStream });
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let answered: Record<string, unknown> = {};
      stream.on('response', (sent) => (answered = sent));
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('error', reject);
      stream.on('close', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: Number(answered[':status'] ?? 0), headers: answered, text });
      });
      if (!endStream) stream.end(body);
    });
  }

  get(path: string): Promise<Http2Reply> {
    return this.send('GET', path);
  }

  close(): void {
    this.session.destroy();
  }
}
