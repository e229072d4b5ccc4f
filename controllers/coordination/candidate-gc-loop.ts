import type { RegistryParts } from '../../registry/parts.ts';
import type { Entry } from '../../watch/entry.ts';
import { LEASE_CANDIDATES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { removeEach } from '../remove-each.ts';
import type { LoopWriter } from '../writer.ts';
import { candidateOf } from './candidate.ts';

/** "Several hours" without a renewal. Source: specification 1, section 3. */
const MAX_AGE_MS = 3 * 3_600_000;
const PERIOD_MS = 1_800_000;
/** Candidates that one step deletes, and looks at before others have the event loop. */
const MAX_DELETIONS = 200;
const TURN = 2_000;

/** Deletes LeaseCandidates of processes that are gone. Source: behaviours 9.8. */
export function candidateGcLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const resource = parts.catalog.findStored('coordination.cluster.io', 'leasecandidates');
    if (resource === undefined) throw new Error('the kind of lease candidates is missing');
    const oldest = parts.clock.now() - MAX_AGE_MS;
    const { items } = parts.reader.replica.collection(LEASE_CANDIDATES_PREFIX);
    const abandoned: Entry[] = [];
    let looked = 0;
    for (const entry of items.snapshot().range('')) {
      if (isAbandoned(entry, oldest)) abandoned.push(entry);
      if (++looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (abandoned.length === MAX_DELETIONS) break;
    }
    const deleted = await removeEach(writer, resource, abandoned, signal);
    return {
      summary: `${looked} candidates, ${deleted} deleted`,
      ...(abandoned.length === MAX_DELETIONS ? { again: true } : {}),
    };
  };
  return { name: 'candidate-gc', periodMs: PERIOD_MS, wokenBy: [], elected: true, step };
}

/** One that never renewed counts from its creation; one that waits for finalizers is not ours to remove. */
function isAbandoned(entry: Entry, oldest: number): boolean {
  const candidate = candidateOf(entry);
  if (candidate === undefined || candidate.isHeld) return false;
  return (candidate.renewedAt ?? candidate.createdAt) < oldest;
}
