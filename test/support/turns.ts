import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scaled } from './cpu.ts';

/** Measures how long a server under test holds its event loop, by the loop's own CPU. */
export class Turns {
  readonly #socket = join(mkdtempSync(join(tmpdir(), 'plinth-turns-')), 'socket');

  /** For Node, at the start of the server. */
  get nodeArgs(): string[] {
    const monitor = pathToFileURL(join(import.meta.dirname, 'turn-monitor.mjs'));
    monitor.searchParams.set('socket', this.#socket);
    return ['--import', monitor.href];
  }

  /** Milliseconds of CPU of the longest turn since the last call. */
  async longest(): Promise<number> {
    const socket = connect(this.#socket);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    await once(socket, 'end');
    return Number(text);
  }

  /**
   * The longest turn while `work` is done. The least of a few tries: a collection of garbage, or
   * code that is compiled, makes one of them longer than what is measured.
   */
  async during(work: () => Promise<void>, tries = 3): Promise<number> {
    let least = Infinity;
    for (let i = 0; i < tries; i++) {
      await this.longest();
      await work();
      least = Math.min(least, await this.longest());
    }
    return least;
  }
}

/** No request holds the event loop for longer than this on an ordinary machine. */
const MOST_MS = 50;
/** The bound for this machine. */
export function mostMs(): number {
  return scaled(MOST_MS);
}
