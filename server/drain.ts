import type { Server } from 'node:https';
import type { Clock } from '../api/clock.ts';
import type { Connections } from '../http/connections.ts';
import type { Watcher } from '../watch/watcher.ts';
import type { Shutdown } from './overload/shutdown.ts';

interface Draining {
  readonly server: Server;
  readonly connections: Connections;
  readonly watcher: Watcher;
  readonly shutdown: Shutdown;
  readonly clock: Clock;
  readonly graceMs: number;
}

/**
 * Requests under way finish; watches end cleanly, so that clients resume
 * elsewhere; nothing is accepted any more. What is not done in time is cut off.
 */
export async function drain(draining: Draining): Promise<void> {
  const { server, connections, watcher, shutdown, clock, graceMs } = draining;
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(graceMs, () => {
      server.closeAllConnections();
      connections.cut();
      resolve();
    });
  });
  const ended = connections.end();
  await watcher.closeAll();
  await Promise.race([shutdown.idle(), limit]);
  // Those that were just being accepted.
  await watcher.closeAll();
  await Promise.race([Promise.all([ended, connections.end()]), limit]);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await Promise.race([closed, limit]);
  cancel();
}
