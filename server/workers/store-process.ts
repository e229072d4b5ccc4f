import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromStoreOwner } from './messages.ts';
import type { PageExchange, PageHolder } from './page-exchange.ts';

/** One that was killed before it had opened the store is replaced after this, so that it does not spin. */
const RETRY_AFTER_MS = 1_000;

/** No damaged page ends a process so. */
const KILLED = 'SIGKILL';
/** What its metrics are labelled with, as those of a worker with its number. */
const NAME = 'owner';

interface StoreProcessOptions {
  /** Starts a process that calls `ownStore`. `afterKill`: the one before it served, and was killed from outside. */
  readonly fork: (afterKill: boolean) => ChildProcess;
  /** Where it shows its page. */
  readonly pages: PageExchange;
  /** It ended unasked, and another one takes its place. */
  readonly onEnd: (pid: number | undefined) => void;
  /** The store can no longer be served. */
  readonly onFailed: () => void;
}

/**
 * The process that owns the embedded store for all workers: one that ends by
 * accident is replaced at once, and workers wait for it with what they write.
 */
export class StoreProcess {
  readonly #options: StoreProcessOptions;
  #child: ChildProcess | undefined;
  #isStopping = false;

  private constructor(options: StoreProcessOptions) {
    this.#options = options;
  }

  /** @throws Error when it does not start; it has said why itself */
  static async start(options: StoreProcessOptions): Promise<StoreProcess> {
    const store = new StoreProcess(options);
    await store.#run();
    return store;
  }

  /** Resolves when it has closed the store. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child?.connected !== true) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.disconnect();
    });
  }

  #run(afterKill = false): Promise<void> {
    const { fork, pages, onEnd, onFailed } = this.#options;
    const child = fork(afterKill);
    this.#child = child;
    const holder: PageHolder = {
      name: NAME,
      send: (message) => {
        if (child.connected) child.send(message, () => undefined);
      },
    };
    let isReady = false;
    return new Promise((resolve, reject) => {
      child.on('message', (message: FromStoreOwner) => {
        switch (message.kind) {
          case 'ready':
            isReady = true;
            pages.join(holder);
            resolve();
            break;
          case 'page':
            pages.shown(holder, message.id, message.text);
            break;
          case 'corrupt':
            onFailed();
        }
      });
      child.once('exit', (code, signal) => {
        pages.leave(holder);
        if (this.#isStopping) return;
        // what ends by a code has said why, and would say it again
        if (!isReady && code !== null) {
          reject(new Error('the store cannot be opened'));
          return;
        }
        onEnd(child.pid);
        const next = isReady
          ? this.#run(signal === KILLED)
          : sleep(RETRY_AFTER_MS).then(() => this.#run());
        next.then(resolve, isReady ? onFailed : reject);
      });
    });
  }
}
