import type { Entry } from '../../watch/entry.ts';
import type { LockName } from '../election/lease-lock.ts';
import { seenOf } from '../writer.ts';
import type { Occurrence, Regarding } from './occurrence.ts';

/** A Lease that is elected for, as Events name it. */
export function leaseRegarding(lease: Entry): Regarding {
  return { ...newLeaseRegarding(lease), uid: seenOf(lease).uid };
}

/** The same for a Lease whose uid is not known yet. */
export function newLeaseRegarding({ namespace, name }: LockName): Regarding {
  return { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', namespace, name, uid: '' };
}

/** The event about a Lease whose holder has just begun to lead. */
export function electedOccurrence(regarding: Regarding, holder: string): Occurrence {
  const note = `${holder} became leader`;
  return { regarding, type: 'Normal', reason: 'LeaderElected', action: 'Electing', note };
}

/** The event about a Lease whose holder no longer leads. */
export function lostOccurrence(regarding: Regarding, holder: string): Occurrence {
  const note = `${holder} stopped leading: it did not renew the Lease, or it yielded`;
  return { regarding, type: 'Normal', reason: 'LeaderLost', action: 'Electing', note };
}
