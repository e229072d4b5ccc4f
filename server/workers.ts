import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

/** A worker that ends by itself is replaced after this, so that a bad one does not spin. */
const REPLACE_AFTER_MS = 1_000;

/** A worker tells its supervisor so when it serves. */
interface Ready {
  readonly greeting: string;
}

export interface Supervisor {
  /** Stops all workers in good order; resolves when the last one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `count` copies of this process on one port, each a whole server with a
 * replica of its own. The first one starts alone: it makes what servers share
 * (certificates, the port that 0 stands for). Workers that end are replaced.
 *
 * @returns once the first one serves, with what it has to say
 * @throws Error when the first one does not start; it has said why itself
 */
export async function superviseWorkers(
  count: number,
  onEnd: (pid: number | undefined) => void,
): Promise<Supervisor & Ready> {
  let isStopping = false as boolean;
  const run = (): Promise<string> => {
    const worker = cluster.fork();
    worker.once('exit', () => {
      if (isStopping || !served.has(worker)) return;
      onEnd(worker.process.pid);
      void sleep(REPLACE_AFTER_MS).then(() => (isStopping ? undefined : run().catch(retry)));
    });
    return ready(worker);
  };
  const retry = async (): Promise<void> => {
    await sleep(REPLACE_AFTER_MS);
    if (!isStopping) await run().catch(retry);
  };
  const greeting = await run();
  for (let i = 1; i < count; i++) run().catch(retry);
  return {
    greeting,
    async stop() {
      isStopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => ended(worker)));
    },
  };
}

/** Tells the supervisor that this worker serves. */
export function reportReady(greeting: string): void {
  process.send?.({ greeting } satisfies Ready);
}

export const isWorker = (): boolean => cluster.isWorker;

const served = new WeakSet<Worker>();

function ready(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once('message', ({ greeting }: Ready) => {
      served.add(worker);
      resolve(greeting);
    });
    worker.once('exit', () => reject(new Error('a worker has not started')));
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
