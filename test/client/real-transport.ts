import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import type { OpenSocket } from '../../client/stream/socket.ts';

/** Ways from the client to a server, which a test cuts. */
export class Cables {
  readonly #cuts = new Set<() => void>();
  /** Connections fail. */
  isDown = false;
  opened = 0;

  /** WebSockets to a server whose authority nothing here knows. */
  readonly openSocket: OpenSocket = (url, protocols) => {
    if (this.isDown) throw new Error('the network is down');
    this.opened++;
    const socket = new WebSocket(url, protocols, { rejectUnauthorized: false });
    this.#cuts.add(() => socket.terminate());
    return socket as unknown as ReturnType<OpenSocket>;
  };

  /** The part of fetch that the client uses. */
  readonly fetch: typeof fetch = (input, init = {}) =>
    new Promise((resolve, reject) => {
      if (this.isDown) throw new TypeError('the network is down');
      const { method = 'GET', headers, body, signal } = init;
      const sent: ClientRequest = request(
        new URL(input instanceof Request ? input.url : input),
        { method, headers: headers as Record<string, string>, rejectUnauthorized: false },
        (answer) => {
          answer.on('error', () => undefined);
          const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
          resolve(new Response(stream, { status: answer.statusCode ?? 500 }));
        },
      );
      const cut = (): void => void sent.destroy(new Error('cut'));
      this.opened++;
      this.#cuts.add(cut);
      sent.on('error', (error) => reject(new TypeError(error.message)));
      sent.on('close', () => this.#cuts.delete(cut));
      signal?.addEventListener('abort', cut);
      sent.end(body);
    });

  /** Ends every connection, with what it has not delivered. */
  cut(): void {
    for (const cut of this.#cuts) cut();
    this.#cuts.clear();
  }
}
