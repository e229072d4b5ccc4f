import type { Worker } from 'node:cluster';

/** How `node:cluster` gives a connection to a worker, and how that answers (Node 20 to 24). */
interface ClusterMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}
const CLUSTER = 'NODE_CLUSTER';
const NEW_CONNECTION = 'newconn';

/**
 * Closes the connections that were on their way to a worker when it ended. The
 * cluster module waits for the answer of that worker before it lets go of them,
 * so their clients would wait, too, as long as this process runs.
 */
export function closeHandedConnections(worker: Worker): void {
  const child = worker.process;
  const handed = new Set<number>();
  const send = child.send.bind(child) as (...message: unknown[]) => boolean;
  const noting = (message: ClusterMessage, ...rest: unknown[]): boolean => {
    const isHandover = message.cmd === CLUSTER && message.act === NEW_CONNECTION;
    if (isHandover && message.seq !== undefined) handed.add(message.seq);
    return send(message, ...rest);
  };
  Object.assign(child, { send: noting });
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) handed.delete(ack);
  });
  // not 'disconnect', which waits for the same answers
  worker.once('exit', () => {
    for (const ack of handed) {
      child.emit('internalMessage', { cmd: CLUSTER, ack, accepted: true });
    }
  });
}
