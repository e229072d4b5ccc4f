import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { ListResult } from './interface.ts';
import { packPage, type PageAnswer, type PageRequest } from './page-messages.ts';

/** For a thread that reads pages ahead: hands them over, a few before they are taken. */
export class PageSender {
  readonly #port: NonNullable<typeof parentPort>;
  readonly #over = new AbortController();
  #room: number;

  /** `ahead`: pages that wait to be taken. */
  constructor(ahead: number) {
    if (parentPort === null) throw new Error('pages are read ahead in a thread only');
    this.#port = parentPort;
    this.#room = ahead;
    this.#port.on('message', (request: PageRequest) => {
      if (request === 'taken') this.#room++;
      else this.#over.abort(new Error('the pages are not wanted any more'));
    });
  }

  /** Aborted when no more pages are wanted. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Does all of it: `read` sends pages. Where it fails the other side is told to
   * read by itself, unless it wants no more pages.
   */
  async run(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch {
      this.#send('failed');
    } finally {
      this.#port.close();
    }
  }

  /** Waits until there is room. False when no more pages are wanted. */
  async page(page: ListResult): Promise<boolean> {
    while (this.#room === 0 && !this.over.aborted) await once(this.#port, 'message');
    if (this.over.aborted) return false;
    this.#room--;
    this.#send(packPage(page));
    return true;
  }

  #send(answer: PageAnswer): void {
    const parts = answer === 'failed' ? [] : [answer.bytes, answer.ends, answer.revisions];
    this.#port.postMessage(
      answer,
      parts.map(({ buffer }) => buffer),
    );
  }
}
