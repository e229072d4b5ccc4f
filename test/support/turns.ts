import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scaled } from './cpu.ts';
import type { Reply } from './plinth.ts';

const TRIES = 3;

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
   * Sends a request, up to a few times ({@link areShortDuring}), and expects a status.
   *
   * @param send is given the number of the try, from 0 on
   * @returns the last reply
   */
  async areShortFor(code: number, send: (attempt: number) => Promise<Reply>): Promise<Reply> {
    let reply: Reply | undefined;
    let attempt = 0;
    await this.areShortDuring(async () => void (reply = await send(attempt++)));
    assert.equal(reply!.status, code, reply!.text.slice(0, 300));
    return reply!;
  }

  /**
   * Does `work` in turns of less than {@link mostMs}. It has a few tries: a collection of garbage,
   * or code that is compiled, makes one of them longer than what is measured.
   *
   * @throws when each try has a longer turn
   */
  async areShortDuring(work: () => Promise<void>): Promise<void> {
    const seen: string[] = [];
    for (let i = 0; i < TRIES; i++) {
      await this.longest();
      await work();
      const longest = await this.longest();
      const most = mostMs();
      if (longest < most) return;
      seen.push(`${longest.toFixed(1)} ms of at most ${most.toFixed(1)}`);
    }
    assert.fail(`turns of ${seen.join(', ')}`);
  }
}

/** No request holds the event loop for longer than this on an ordinary machine. */
const MOST_MS = 50;
/** The bound for this machine. */
function mostMs(): number {
  return scaled(MOST_MS);
}
