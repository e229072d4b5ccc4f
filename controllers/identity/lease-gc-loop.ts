import { SERVER_IDENTITY_LABEL, SYSTEM_NAMESPACE } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { namespaceRange } from '../../registry/key-ranges.ts';
import type { Entry } from '../../watch/entry.ts';
import { expiresAt, leaseRecord } from '../election/lease-record.ts';
import { isHeld } from '../held.ts';
import { LEASES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { removeEach } from '../remove-each.ts';
import type { LoopWriter } from '../writer.ts';
import { SERVER_KIND } from './identity-loop.ts';

const PERIOD_MS = 3_600_000;
/** Leases that one step deletes. */
const MAX_DELETIONS = 200;

/**
 * Deletes the identity Leases of servers that are gone for an hour. A server
 * that has renewed meanwhile has written its Lease, which the deletion is
 * conditional on. Source: behaviours 9.6.
 */
export function leaseGcLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const resource = parts.catalog.findStored('coordination.cluster.io', 'leases');
    if (resource === undefined) throw new Error('the lease kind is missing');
    const now = parts.clock.now();
    const expired: Entry[] = [];
    let living = 0;
    let next = Infinity;
    for (const entry of identityLeases(parts)) {
      const lease = entry.object();
      if (isHeld(lease.metadata)) continue;
      const end = expiresAt(leaseRecord(lease));
      if (end < now) expired.push(entry);
      else {
        living++;
        next = Math.min(next, end + 1 - now);
      }
    }
    const deleted = await removeEach(writer, resource, expired.slice(0, MAX_DELETIONS), signal);
    return {
      summary: `${living} servers live, ${deleted} leases of others deleted`,
      ...(expired.length > MAX_DELETIONS ? { again: true } : {}),
      ...(next === Infinity ? {} : { againAfterMs: next }),
    };
  };
  return { name: 'lease-gc', periodMs: PERIOD_MS, wokenBy: [], elected: true, step };
}

function* identityLeases({ reader }: RegistryParts): Iterable<Entry> {
  const { start, end } = namespaceRange(SYSTEM_NAMESPACE);
  for (const entry of reader.replica.collection(LEASES_PREFIX).items.range(start, end)) {
    if (!entry.corrupt && entry.labels[SERVER_IDENTITY_LABEL] === SERVER_KIND) yield entry;
  }
}
