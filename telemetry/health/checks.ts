import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import type { Store } from '../../storage/interface.ts';
import type { HealthCheck } from './health-checks.ts';

/** The checks that every server has, by the names that probes and dashboards know. */

/**
 * Following may fail for so long before readiness does: longer than the longest
 * pause between two attempts, and than a server's own Lease is not renewed, by
 * which an etcd that cannot tell progress shows that the log goes on.
 */
export const FOLLOWING_GRACE_MS = 15_000;

interface StoreCheckOptions {
  /** The part of the installation that the store is, as ComponentStatus names it. */
  readonly component?: string;
  /** Told why writes are refused, once, and undefined when they are taken again. */
  readonly onRefusal?: (reason: string | undefined) => void;
}

/** Says in the log when the store begins to refuse writes, and when it takes them again. */
export function refusalLog(log: Pick<Logger, 'warn'>): (reason: string | undefined) => void {
  return (reason) => {
    if (reason === undefined) log.warn('the store accepts writes again');
    else log.warn({ reason }, 'the store refuses writes');
  };
}

/**
 * Can the store be read? Counts everywhere. A store without room still serves
 * reads and deletes, which make room, so refused writes are only told.
 */
export function storeCheck(
  store: Store,
  timeoutMs: number,
  { component, onRefusal = () => undefined }: StoreCheckOptions = {},
): HealthCheck {
  let wasRefused = false;
  return {
    name: 'etcd',
    timeoutMs,
    ...(component === undefined ? {} : { component }),
    check: async (signal) => {
      const { writesRefused } = await store.checkHealth({ signal });
      const isRefused = writesRefused !== undefined;
      if (isRefused !== wasRefused) onRefusal(writesRefused);
      wasRefused = isRefused;
    },
    warning: () => (wasRefused ? 'the store refuses writes' : undefined),
  };
}

/** The same for readiness alone, with a limit of its own. */
export function storeReadinessCheck(store: Store, timeoutMs: number): HealthCheck {
  return { ...storeCheck(store, timeoutMs), name: 'etcd-readiness', endpoints: ['readyz'] };
}

interface FollowedReplica {
  readonly ready: boolean;
  readonly failingSince: number | undefined;
  readonly revision: Revision;
}

interface ReplicaCheckOptions {
  readonly clock: Clock;
  /** Does the replica reach what is the store's present now? */
  readonly catchesUp: (signal: AbortSignal) => Promise<boolean>;
  /** The store's newest revision. */
  readonly currentRevision: (signal: AbortSignal) => Promise<Revision>;
  readonly timeoutMs: number;
}

/**
 * Finds that a replica stands still though the log goes on and no error tells
 * so: a revision that the store had at one check is not shown at a later one.
 */
class Lag {
  #waitsFor: { readonly revision: Revision; readonly since: number } | undefined;

  /** True when the replica has not reached for {@link FOLLOWING_GRACE_MS} what the store had. */
  async isTooLong(
    replica: FollowedReplica,
    now: number,
    currentRevision: () => Promise<Revision>,
  ): Promise<boolean> {
    const waitsFor = this.#waitsFor;
    if (waitsFor !== undefined && replica.revision < waitsFor.revision) {
      return now - waitsFor.since >= FOLLOWING_GRACE_MS;
    }
    // A store that cannot be asked is another check's matter.
    const revision = await currentRevision().catch(() => replica.revision);
    this.#waitsFor = replica.revision < revision ? { revision, since: now } : undefined;
    return false;
  }
}

/**
 * Has the replica loaded the registry, and does it follow? Nothing can be read
 * correctly otherwise. A failure that ends within {@link FOLLOWING_GRACE_MS}
 * does not make the server unready, and neither does a quiet store.
 */
export function replicaCheck(
  replica: FollowedReplica,
  { clock, catchesUp, currentRevision, timeoutMs }: ReplicaCheckOptions,
): HealthCheck {
  const lag = new Lag();
  return {
    name: 'informer-sync',
    timeoutMs,
    component: 'replica',
    endpoints: ['readyz'],
    check: async (signal) => {
      if (!replica.ready) throw new Error('the replica has not loaded the registry yet');
      const { failingSince } = replica;
      const now = clock.monotonic();
      const behind = await lag.isTooLong(replica, now, () => currentRevision(signal));
      const failing = failingSince !== undefined && now - failingSince >= FOLLOWING_GRACE_MS;
      if (!behind && !failing) return;
      if (!(await catchesUp(signal))) throw new Error('the replica does not follow the registry');
    },
  };
}

/** Fails from the first moment of a shutdown on, so that load balancers send no more. */
export function shutdownCheck(stopping: AbortSignal): HealthCheck {
  return {
    name: 'shutdown',
    endpoints: ['readyz'],
    check: () => {
      if (stopping.aborted) throw new Error('process is shutting down');
    },
  };
}

/** Something that has to be done once after the start; `done` settles with its outcome. */
export function startHookCheck(hook: string, done: Promise<unknown>): HealthCheck {
  let state: 'pending' | 'done' | Error = 'pending';
  done.then(
    () => (state = 'done'),
    (error: unknown) => (state = error instanceof Error ? error : new Error(String(error))),
  );
  return {
    name: `poststarthook/${hook}`,
    check: () => {
      if (state === 'pending') throw new Error('not finished');
      if (state !== 'done') throw state;
    },
  };
}

/** Can log lines still be written? A full pipe would stop everything that waits for it. */
export function logCheck(isBlocked: () => boolean): HealthCheck {
  return {
    name: 'log',
    check: () => {
      if (isBlocked()) throw new Error('logging blocked');
    },
  };
}
