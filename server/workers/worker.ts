import cluster from 'node:cluster';
import type { FromWorker, ToWorker, WorkerPage } from './messages.ts';

/** Environment variable: the number of a worker, 0 for the first. */
export const WORKER_NUMBER = 'PLINTH_WORKER';

export const isWorker = (): boolean => cluster.isWorker;

/** Tells the supervisor that this worker serves. */
export function reportReady(greeting: string): void {
  tell({ kind: 'ready', greeting });
}

/** The other processes on the same port, and this one's place among them. */
export interface Colleagues {
  /** Number of this process, in all of its lives. */
  readonly own: string;
  /** How others get this process's pages. */
  onAsked(show: (page: string) => Promise<string>): void;
  /** The page as each of the others shows it; those that do not in time are left out. */
  ask(page: string): Promise<readonly WorkerPage[]>;
}

/** Colleagues of the process with this environment; undefined when it serves alone. */
export function colleaguesOf(env: NodeJS.ProcessEnv): Colleagues | undefined {
  const own = env[WORKER_NUMBER];
  return isWorker() && own !== undefined ? new SupervisedColleagues(own) : undefined;
}

class SupervisedColleagues implements Colleagues {
  readonly own: string;
  readonly #waiting = new Map<number, (pages: readonly WorkerPage[]) => void>();
  #asked = 0;
  #show: (page: string) => Promise<string> = () => Promise.resolve('');

  constructor(own: string) {
    this.own = own;
    process.on('message', (message: ToWorker) => this.#received(message));
  }

  onAsked(show: (page: string) => Promise<string>): void {
    this.#show = show;
  }

  ask(page: string): Promise<readonly WorkerPage[]> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      tell({ kind: 'ask', id, page });
    });
  }

  #received(message: ToWorker): void {
    if (message.kind === 'pages') {
      this.#waiting.get(message.id)?.(message.pages);
      this.#waiting.delete(message.id);
      return;
    }
    const { id, page } = message;
    // a page that cannot be shown is left out like one that comes too late
    this.#show(page).then(
      (text) => tell({ kind: 'page', id, text }),
      () => undefined,
    );
  }
}

function tell(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
