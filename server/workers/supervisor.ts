import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../api/clock.ts';
import { Attempts } from '../../access/sessions/attempts.ts';
import { ConnectionDivision } from './connection-division.ts';
import type { FromWorker } from './messages.ts';
import { PageExchange, type PageHolder } from './page-exchange.ts';
import { StoreProcess } from './store-process.ts';
import { WORKER_NUMBER } from './worker.ts';

/** A worker that ends by itself is replaced after this, so that a bad one does not spin. */
const REPLACE_AFTER_MS = 1_000;

interface Supervisor {
  /** What the first worker has to say to the operator. */
  readonly greeting: string;
  /** Stops all workers in good order; resolves when the last one has ended. */
  stop(): Promise<void>;
}

interface SupervisorOptions {
  /** How many. */
  readonly count: number;
  readonly clock: Clock;
  /** Starts the process that owns the embedded store which the workers share ({@link StoreProcess}); undefined on etcd. */
  readonly forkOwner: ((afterKill: boolean) => ChildProcess) | undefined;
  /** Told of every process that ends unasked; another one takes its place. */
  readonly onEnd: (what: 'worker' | 'store owner', pid: number | undefined) => void;
  /** No process can serve the embedded store any longer; one of them has said why. */
  readonly onFailed: () => void;
}

/**
 * Runs `count` copies of this process on one port, each a whole server with a
 * replica of its own. The first one starts alone: it makes what servers share
 * (certificates, the port that 0 stands for). Workers that end are replaced.
 *
 * @returns once the first one serves
 * @throws Error when the first one, or the store, does not start; it has said why itself
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<Supervisor> {
  const { count, clock, forkOwner, onEnd, onFailed } = options;
  const pages = new PageExchange(clock);
  const store =
    forkOwner === undefined
      ? undefined
      : await StoreProcess.start({
          fork: forkOwner,
          pages,
          onEnd: (pid) => onEnd('store owner', pid),
          onFailed,
        });
  const division = new ConnectionDivision(clock);
  const attempts = new Attempts(clock);
  let isStopping = false as boolean;
  const run = (number: number): Promise<string> => {
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number) });
    division.join(worker);
    const served = serving(worker, String(number), { pages, division, attempts, onFailed });
    let hasServed = false;
    served.then(
      () => (hasServed = true),
      () => undefined,
    );
    worker.once('exit', () => {
      if (isStopping || !hasServed) return;
      onEnd('worker', worker.process.pid);
      void sleep(REPLACE_AFTER_MS).then(() => (isStopping ? undefined : keepTrying(number)));
    });
    return served;
  };
  const keepTrying = (number: number): Promise<void> =>
    run(number).then(
      () => undefined,
      async () => {
        await sleep(REPLACE_AFTER_MS);
        if (!isStopping) await keepTrying(number);
      },
    );
  const greeting = await run(0);
  for (let number = 1; number < count; number++) void keepTrying(number);
  return {
    greeting,
    async stop() {
      isStopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => ended(worker)));
      await store?.stop();
    },
  };
}

interface ServingParts {
  readonly pages: PageExchange;
  readonly division: ConnectionDivision;
  readonly attempts: Attempts;
  readonly onFailed: () => void;
}

/** Answers what a worker asks. Resolves with its greeting when it serves. */
function serving(
  worker: Worker,
  name: string,
  { pages, division, attempts, onFailed }: ServingParts,
): Promise<string> {
  const holder: PageHolder = {
    name,
    send: (message) => {
      // one that is about to end takes no more messages, and is found to have ended
      if (worker.isConnected()) worker.send(message, () => undefined);
    },
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'ready':
          pages.join(holder);
          resolve(message.greeting);
          break;
        case 'ask':
          pages.ask(holder, message.id, message.page);
          break;
        case 'page':
          pages.shown(holder, message.id, message.text);
          break;
        case 'attempt': {
          const { id, address, step } = message;
          holder.send({ kind: 'wait', id, seconds: attempts.count(address, step) });
          break;
        }
        case 'closed':
          division.closed(worker, message.count);
          break;
        case 'corrupt':
          onFailed();
      }
    });
    worker.once('exit', () => {
      pages.leave(holder);
      reject(new Error('a worker has not started'));
    });
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
