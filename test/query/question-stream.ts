import { once } from 'node:events';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import { eventually, type Plinth } from '../support/plinth.ts';

export const QUERY_WATCH = '/apis/query.cluster.io/v1/watch';
export const QUERY_SNAPSHOT = '/apis/query.cluster.io/v1/snapshot';

/** One open stream over many resources, and what has come on it. */
export class QuestionStream {
  readonly frames: any[] = [];
  isOver = false;
  /** Tells the server something; WebSockets only. */
  say: (message: unknown) => void = () => undefined;
  close: () => void = () => undefined;

  static async socket(
    plinth: Plinth,
    headers?: Record<string, string>,
    query = '',
  ): Promise<QuestionStream> {
    const stream = new QuestionStream();
    const tls = headers === undefined ? plinth.tls : { rejectUnauthorized: false };
    const url = new URL(QUERY_WATCH + query, plinth.url.replace('https', 'wss'));
    const socket = new WebSocket(url, { ...tls, headers: headers ?? {} });
    socket.on('message', (data: Buffer) => stream.#came(data.toString()));
    socket.on('close', () => stream.#ended());
    stream.say = (message) =>
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    stream.close = () => socket.terminate();
    await once(socket, 'open');
    return stream;
  }

  static post(
    plinth: Plinth,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<QuestionStream> {
    const stream = new QuestionStream();
    const tls = headers === undefined ? plinth.tls : { rejectUnauthorized: false };
    return new Promise((resolve, reject) => {
      const url = new URL(QUERY_WATCH, plinth.url);
      const options = { method: 'POST', ...tls, agent: false as const };
      const sent = request(url, { ...options, headers: headers ?? {} }, (answer) => {
        let rest = '';
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) stream.#came(line);
        });
        answer.on('error', () => undefined);
        answer.on('close', () => stream.#ended());
        stream.close = () => sent.destroy();
        resolve(stream);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  }

  /** The first frame, from the beginning, of which `is` holds. */
  async until(is: (frame: any) => boolean, what: string): Promise<any> {
    const found = (): any => this.frames.find(is);
    await eventually(() => found() !== undefined || this.isOver, what);
    const frame = found();
    if (frame === undefined) throw new Error(`the stream is over: ${what}`);
    return frame;
  }

  /** Waits until the parts of these names have begun. */
  async begun(...ids: string[]): Promise<void> {
    for (const id of ids) {
      await this.until((frame) => frame.id === id && frame.type === 'BOOKMARK', `${id} has begun`);
    }
  }

  /** Events as `id TYPE name`, without bookmarks. */
  get events(): string[] {
    return this.frames
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ id, type, object }) =>
        `${id} ${type} ${object?.metadata?.name ?? object?.code ?? ''}`.trim(),
      );
  }

  #came(line: string): void {
    this.frames.push(JSON.parse(line));
  }

  #ended(): void {
    this.isOver = true;
  }
}
