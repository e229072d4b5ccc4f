import type { EmbeddedOptions } from '../../storage/embedded/open.ts';
import type { ProcessExit } from '../process-exit.ts';
import { processPage } from '../../telemetry/metrics/process-page.ts';
import { METRICS_PAGE } from '../../telemetry/metrics/peers.ts';
import type { FromStoreOwner, ToStoreOwner } from './messages.ts';

/** Environment variable: this process owns the store of workers, and is none itself. */
const STORE_OWNER = 'PLINTH_STORE_OWNER';
/** What it says to one that takes the place of another that was killed from outside, and to all others. */
const AFTER_KILL = 'after-kill';
const ORDINARY = 'yes';

/** What a process that is to call {@link ownStore} finds in its environment. */
export function ownerEnvironment(afterKill: boolean): NodeJS.ProcessEnv {
  return { [STORE_OWNER]: afterKill ? AFTER_KILL : ORDINARY };
}

/** The owner before it was killed from outside while it served. */
export const isAfterKill = (env: NodeJS.ProcessEnv): boolean => env[STORE_OWNER] === AFTER_KILL;

/**
 * Whether a supervisor started this process to own the store, and still runs. The
 * environment alone does not count: children inherit it.
 */
export const isStoreOwner = (env: NodeJS.ProcessEnv): boolean =>
  env[STORE_OWNER] !== undefined && process.connected;

/**
 * Owns the embedded store until the supervisor lets go of this process, or ends.
 * Signals that go to every process of the server end the workers first, which
 * still have to write.
 *
 * @throws StoreError whose message is one line for the user
 */
export async function ownStore(options: EmbeddedOptions, exit: ProcessExit): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => void exit.end(0));
  process.on('message', ({ id, page }: ToStoreOwner) => {
    tell({ kind: 'page', id, text: page === METRICS_PAGE ? processPage() : '' });
  });
  const { openOwner } = await import('../../storage/shared/owner.ts');
  const onCorrupt = (error: Error): void => {
    void exit.fail(error);
    tell({ kind: 'corrupt' });
  };
  const opening = openOwner({ ...options, onCorrupt });
  exit.holds(opening);
  await opening;
  tell({ kind: 'ready' });
}

function tell(message: FromStoreOwner): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
