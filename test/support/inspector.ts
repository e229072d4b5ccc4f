import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Plinth } from './plinth.ts';

/** To be given to Node at the start of a process that is going to be looked into. */
export const INSPECTABLE = ['--inspect=127.0.0.1:0'];

/** What a process holds after a full garbage collection. */
export interface Holdings {
  /** Objects and the bytes of buffers. */
  readonly bytes: number;
  /** How many of each kind of handle and request: sockets, timers, … */
  readonly resources: Readonly<Record<string, number>>;
}

/** Looks into the process of a server, by the protocol of Node's own debugger. */
export class Inspector {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async of(plinth: Plinth): Promise<Inspector> {
    const url = /ws:\/\/\S+/.exec(plinth.output)?.[0];
    if (url === undefined) throw new Error(`it cannot be looked into: ${plinth.output}`);
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  async holdings(): Promise<Holdings> {
    // Twice: what the first one ends may have held something.
    for (let i = 0; i < 2; i++) await this.#call('HeapProfiler.collectGarbage');
    const { result } = await this.#call('Runtime.evaluate', {
      expression: 'JSON.stringify([process.memoryUsage(), process.getActiveResourcesInfo()])',
    });
    const [memory, resources] = JSON.parse(result.value) as [NodeJS.MemoryUsage, string[]];
    const counts: Record<string, number> = {};
    for (const name of resources) counts[name] = (counts[name] ?? 0) + 1;
    return { bytes: memory.heapUsed + memory.external, resources: counts };
  }

  close(): void {
    this.#socket.close();
  }

  async #call(method: string, params: object = {}): Promise<any> {
    const id = ++this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [message] = await once(this.#socket, 'message');
      const answer = JSON.parse(String(message));
      if (answer.id === id) return answer.result;
    }
  }
}
