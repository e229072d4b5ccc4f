import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { PartFiller } from './finished-part.ts';
import type { ListResult, StoredItem } from './interface.ts';
import {
  buffersOf,
  packPage,
  type PageAnswer,
  type PageJob,
  type PageRequest,
} from './page-messages.ts';

/** For a thread that reads pages ahead: hands them over, a few before they are taken. */
export class PageSender {
  readonly #port: NonNullable<typeof parentPort>;
  readonly #over = new AbortController();
  #room: number;

  readonly #filler: PartFiller | undefined;

  /** `ahead`: pages that wait to be taken. */
  constructor(ahead: number, { slabBytes }: Pick<PageJob, 'slabBytes'>) {
    if (slabBytes !== undefined) this.#filler = new PartFiller(slabBytes);
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
    for (const answer of this.#answers(page)) if (!(await this.#inTurn(answer))) return false;
    return true;
  }

  /** Of a page whose objects can be finished, parts that are full; the last one is kept for more. */
  *#answers(page: ListResult): Generator<PageAnswer> {
    const filler = this.#filler;
    if (filler === undefined) {
      yield packPage(page);
      return;
    }
    const { revision, checked = false } = page;
    let others: StoredItem[] = [];
    const ordinary = (): PageAnswer => packPage({ revision, items: others, more: true, checked });
    const filled = (more: boolean): PageAnswer => ({ finished: filler.take(), more });
    for (const item of page.items) {
      const next = checked ? filler.finishable(item) : undefined;
      if (next === undefined) {
        if (!filler.isEmpty) yield filled(true);
        others.push(item);
        continue;
      }
      if (others.length > 0) yield ordinary();
      others = [];
      if (!filler.hasRoom(next)) yield filled(true);
      filler.add(next);
    }
    if (others.length > 0) yield ordinary();
    if (page.more) return;
    yield filler.isEmpty ? packPage({ revision, items: [], more: false }) : filled(false);
  }

  async #inTurn(answer: PageAnswer): Promise<boolean> {
    while (this.#room === 0 && !this.over.aborted) await once(this.#port, 'message');
    if (this.over.aborted) return false;
    this.#room--;
    this.#send(answer);
    return true;
  }

  #send(answer: PageAnswer): void {
    this.#port.postMessage(answer, buffersOf(answer));
  }
}
