import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Endpoint } from './client.ts';

/** A watcher that opens a stream and reads nothing of it until it is asked to. */
export class SilentWatcher {
  readonly #response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.#response = response;
  }

  static open({ url, token, certificate }: Endpoint, path: string): Promise<SilentWatcher> {
    return new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const req = request(new URL(path, url), {
        headers,
        rejectUnauthorized: false,
        ...certificate,
      });
      req.once('error', reject);
      req.once('response', (response: IncomingMessage) => {
        response.pause();
        resolve(new SilentWatcher(response));
      });
      req.end();
    });
  }

  /**
   * Reads until the event about the object `name` has come.
   *
   * @returns the number of events until there
   * @throws Error when the stream ends, fails, or goes back in time
   */
  async readUntil(name: string): Promise<number> {
    let rest = '';
    let events = 0;
    this.#response.setEncoding('utf8');
    for await (const chunk of this.#response) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('{"type":"ADDED"')) throw new Error(line.slice(0, 200));
        events++;
        if (line.includes(`"name":"${name}"`)) return events;
      }
    }
    throw new Error('the stream has ended');
  }

  close(): void {
    this.#response.destroy();
  }
}
