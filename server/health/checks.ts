import type { Store } from '../../storage/interface.ts';
import type { HealthCheck } from './health-checks.ts';

/** The checks that every server has, by the names that probes and dashboards know. */

/** Can the store be reached and written to? Counts everywhere. */
export function storeCheck(store: Store, timeoutMs: number, component?: string): HealthCheck {
  return {
    name: 'etcd',
    timeoutMs,
    ...(component === undefined ? {} : { component }),
    check: (signal) => store.checkHealth({ signal }),
  };
}

/** The same for readiness alone, with a limit of its own. */
export function storeReadinessCheck(store: Store, timeoutMs: number): HealthCheck {
  return { ...storeCheck(store, timeoutMs), name: 'etcd-readiness', endpoints: ['readyz'] };
}

/** Has the replica loaded the registry? Nothing can be read correctly before. */
export function replicaCheck(replica: { readonly ready: boolean }): HealthCheck {
  return {
    name: 'informer-sync',
    component: 'replica',
    endpoints: ['readyz'],
    check: () => {
      if (!replica.ready) throw new Error('the replica has not loaded the registry yet');
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

/** Can log lines still be written? A full pipe would stop whoever waits for it. */
export function logCheck(isBlocked: () => boolean): HealthCheck {
  return {
    name: 'log',
    check: () => {
      if (isBlocked()) throw new Error('logging blocked');
    },
  };
}
