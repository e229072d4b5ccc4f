import cluster from 'node:cluster';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Peers, WorkerPage } from '../../telemetry/metrics/peers.ts';
import type { AttemptCounter, SignInStep } from '../../access/sessions/attempts.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Environment variable: the number of a worker. */
export const WORKER_NUMBER = 'PLINTH_WORKER';
const FIRST = '0';

/** Whether a supervisor started this process to serve. */
export const isWorker = (): boolean => cluster.isWorker;

/** Tells the supervisor from now on when connections end, those of a turn of the event loop together. */
export function reportClosedConnections(): void {
  let count = 0;
  const report = (): void => {
    tell({ kind: 'closed', count });
    count = 0;
  };
  const onClose = (): void => {
    if (count++ === 0) setImmediate(report);
  };
  subscribe('net.server.socket', (message) => {
    (message as { readonly socket: Socket }).socket.once('close', onClose);
  });
}

/** Tells the supervisor that this worker serves. */
export function reportReady(greeting: string): void {
  tell({ kind: 'ready', greeting });
}

/** Tells the supervisor that the file of the store is damaged: another worker would fail as well. */
export function reportCorrupt(): void {
  tell({ kind: 'corrupt' });
}

/** Peers of the process with this environment; undefined when the process serves alone. */
export function peersOf(env: NodeJS.ProcessEnv): Peers | undefined {
  const own = env[WORKER_NUMBER];
  return isWorker() && own !== undefined ? new SupervisedPeers(own) : undefined;
}

class SupervisedPeers implements Peers {
  readonly own: string;
  readonly isFirst: boolean;
  readonly #waiting = new Map<number, (pages: readonly WorkerPage[]) => void>();
  #asked = 0;
  #show: (page: string) => Promise<string> = () => Promise.resolve('');

  constructor(own: string) {
    this.own = own;
    this.isFirst = own === FIRST;
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
    if (message.kind !== 'show') return;
    const { id, page } = message;
    // a page that cannot be shown is left out like one that comes too late
    this.#show(page).then(
      (text) => tell({ kind: 'page', id, text }),
      () => undefined,
    );
  }
}

/** The supervisor counts, so that all workers together allow what one process does. */
export class SupervisedAttempts implements AttemptCounter {
  readonly #waiting = new Map<number, (seconds: number | undefined) => void>();
  #asked = 0;

  constructor() {
    process.on('message', (message: ToWorker) => {
      if (message.kind !== 'wait') return;
      this.#waiting.get(message.id)?.(message.seconds);
      this.#waiting.delete(message.id);
    });
  }

  secondsToWait(address: string, step: SignInStep): Promise<number | undefined> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      tell({ kind: 'attempt', id, address, step });
    });
  }
}

function tell(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
