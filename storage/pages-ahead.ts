import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Revision } from '../api/revision.ts';
import { lastKeyOf } from './finished-part.ts';
import type { ListOptions, ListResult } from './interface.ts';
import {
  unpackPage,
  type PackedPage,
  type PackedPart,
  type PageAnswer,
  type PageJob,
  type PageRequest,
} from './page-messages.ts';

/** Keys in the store from which on a thread pays: it takes 0.1 s to begin, and a processor that is free. */
const THREAD_KEYS = availableParallelism() > 1 ? 50_000 : Number.POSITIVE_INFINITY;

/**
 * A page of etcd has 8,000 objects, which die with it: in a young generation of twice the usual size
 * few of them get old. For a million objects the thread takes 6.7 s of CPU instead of 7.2.
 */
const LIMITS = { maxYoungGenerationSizeMb: 96 };

interface Source {
  /** Reads in this thread. */
  list(options: ListOptions): Promise<ListResult>;
  /** Keys that there are when a first page has been read. */
  keys(): number;
  /** What the thread needs besides the place where it begins. */
  job(): object;
  /** What the thread runs; only the build has it. */
  readonly program: URL;
}

/**
 * The pages of a read of everything, as a replica does it at a start. Of a store
 * with many keys a thread reads them ahead, on another processor. It uses the
 * same reader; where it fails this thread goes on, and fails as it would alone.
 * See docs/decisions/0023-a-thread-reads-ahead-at-a-start.md.
 */
export class PagesAhead {
  readonly #source: Source;
  readonly #threadKeys: number;
  #thread: PageThread | undefined;
  /** Of all threads but the last. */
  #ends: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(source: Source, threadKeys = THREAD_KEYS) {
    this.#source = source;
    this.#threadKeys = threadKeys;
  }

  /** Any list; only pages of everything are read ahead. */
  async list(options: ListOptions): Promise<ListResult> {
    if (!isPageOfAll(options)) return this.#source.list(options);
    const { after, revision, slabBytes } = options;
    if (after !== undefined && this.#thread?.isAt(after, revision, slabBytes) === true) {
      const page = await this.#thread.next();
      // A list that was cancelled meanwhile is the reader's to refuse.
      if (page !== undefined && options.signal?.aborted !== true) return page;
    }
    const page = await this.#source.list(options);
    const last = page.items.at(-1);
    if (after === undefined && page.more && last !== undefined)
      this.#readAhead(page, last.key, slabBytes);
    return page;
  }

  /** Resolves when no thread reads any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#ends, this.#thread?.end()]);
  }

  #readAhead({ revision }: ListResult, after: string, slabBytes: number | undefined): void {
    const source = this.#source;
    if (this.#isClosed || source.keys() < this.#threadKeys) return;
    this.#ends = Promise.all([this.#ends, this.#thread?.end()]);
    this.#thread = new PageThread(source.program, {
      ...source.job(),
      revision,
      after,
      slabBytes,
    });
  }
}

/** One thread and the pages that it has read, which are taken in their order. */
class PageThread {
  readonly #revision: Revision;
  readonly #slabBytes: number | undefined;
  readonly #worker: Worker;
  readonly #exit: Promise<void>;
  readonly #pages: (PackedPage | PackedPart)[] = [];
  /** The key that the next page follows; undefined while it is waited for, and when there is none. */
  #last: string | undefined;
  /** Nothing comes any more. */
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(program: URL, job: PageJob) {
    this.#revision = job.revision;
    this.#slabBytes = job.slabBytes;
    this.#last = job.after;
    this.#worker = new Worker(program, { workerData: job, execArgv: [], resourceLimits: LIMITS });
    this.#worker.unref();
    this.#worker.on('message', (answer: PageAnswer) => {
      if (answer === 'failed') this.#isOver = true;
      else if (!this.#isOver) this.#pages.push(answer);
      this.#wake();
    });
    this.#worker.on('error', () => this.#ends());
    this.#exit = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#ends();
        resolve();
      });
    });
  }

  /** Does its next page follow this key, at this revision, in this form? */
  isAt(after: string, revision: Revision | undefined, slabBytes: number | undefined): boolean {
    const isNext = this.#last === after && this.#revision === revision;
    return isNext && this.#slabBytes === slabBytes;
  }

  /** Undefined when there is none, for whatever reason. */
  async next(): Promise<ListResult | undefined> {
    this.#last = undefined;
    this.#worker.ref();
    while (this.#pages.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#worker.unref();
    const packed = this.#pages.shift();
    if (packed === undefined) return undefined;
    this.#tell('taken');
    const page = unpackPage(packed, this.#revision);
    if (page.more) this.#last = lastKeyOf(page);
    return page;
  }

  /** Resolves when the thread has ended. */
  async end(): Promise<void> {
    this.#pages.length = 0;
    this.#ends();
    this.#tell('end');
    this.#worker.ref();
    await this.#exit;
  }

  #ends(): void {
    this.#isOver = true;
    this.#wake();
  }

  #tell(request: PageRequest): void {
    this.#worker.postMessage(request);
  }
}

/** A replica reads so at its start, and nothing else does. */
function isPageOfAll({ prefix, limit, upTo, count, keysOnly }: ListOptions): boolean {
  return prefix === '' && limit === 'page' && upTo === undefined && !count && !keysOnly;
}
