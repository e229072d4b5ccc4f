import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { Store } from '../../storage/interface.ts';
import type { Reader } from '../../watch/reader.ts';
import {
  logCheck,
  refusalLog,
  replicaCheck,
  shutdownCheck,
  startHookCheck,
  storeCheck,
  storeReadinessCheck,
} from './checks.ts';
import { HealthChecks, PING } from './health-checks.ts';

const STORE_CHECK_TIMEOUT_MS = 2_000;
/** By which name ComponentStatus shows the store; clients know the first. */
const STORE_COMPONENTS = { etcd: 'etcd-0', embedded: 'store-0' } as const;

interface CheckedParts {
  readonly store: Store;
  readonly storage: keyof typeof STORE_COMPONENTS;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly logBlocked: () => boolean;
  /** What has to be done once after the start, by the names of its checks. */
  readonly startHooks: Readonly<Record<string, Promise<unknown>>>;
  readonly stopping: AbortSignal;
}

/** The checks of a server, in the order in which they show. */
export function serverChecks(parts: CheckedParts): HealthChecks {
  const { store, storage, reader, clock, log, logBlocked, startHooks, stopping } = parts;
  const checks = new HealthChecks(clock);
  for (const check of [
    PING,
    logCheck(logBlocked),
    storeCheck(store, STORE_CHECK_TIMEOUT_MS, {
      component: STORE_COMPONENTS[storage],
      onRefusal: refusalLog(log),
    }),
    storeReadinessCheck(store, STORE_CHECK_TIMEOUT_MS),
    replicaCheck(reader.replica, {
      clock,
      catchesUp: async (signal) => (await reader.freshness.fresh({ signal })).caughtUp,
      currentRevision: (signal) => store.currentRevision({ signal }),
      timeoutMs: STORE_CHECK_TIMEOUT_MS,
    }),
    ...Object.entries(startHooks).map(([name, done]) => startHookCheck(name, done)),
    shutdownCheck(stopping),
  ]) {
    checks.add(check);
  }
  return checks;
}
