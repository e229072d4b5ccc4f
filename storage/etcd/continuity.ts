import type { Revision } from '../../api/revision.ts';
import { EtcdCallError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import type { KeySpace } from './key-space.ts';
import type { Lineage } from './lineage.ts';
import type { Anchor } from './watch-events.ts';
import type { RangeResponse } from './wire.ts';

const CHECK_TIMEOUT_MS = 5_000;

/**
 * Is the history that a watch goes on with the one that it has seen? A cluster
 * restored from a backup keeps its id and may have got past the revision that
 * the watch had reached, so neither tells. The newest event that was seen does:
 * at `revision`, the last one delivered, its key must still show it.
 *
 * Answers `compacted` when that revision cannot be read any more.
 *
 * @throws StoreError `reset`, EtcdCallError
 */
export async function checkContinuity(
  { cluster, keys, lineage }: { cluster: Cluster; keys: KeySpace; lineage: Lineage },
  revision: Revision,
  anchor: Anchor | undefined,
): Promise<'intact' | 'compacted'> {
  const floor = lineage.highest;
  const request = { key: anchor?.key ?? keys.epoch, revision };
  let response: RangeResponse;
  try {
    response = await cluster.read('range', request, { timeoutMs: CHECK_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof EtcdCallError)) throw error;
    if (error.failure === 'compacted') return 'compacted';
    if (error.failure === 'future') {
      throw lineage.reset(`etcd has not reached revision ${revision}, which was seen before`);
    }
    throw error;
  }
  lineage.observe(response.header, floor);
  if (anchor !== undefined && !shows(response, anchor)) {
    throw lineage.reset(`revision ${anchor.revision} is not what it was before`);
  }
  return 'intact';
}

function shows({ kvs: [kv] }: RangeResponse, { revision, value }: Anchor): boolean {
  if (kv === undefined || value === undefined) return kv === undefined && value === undefined;
  return kv.modRevision === revision && kv.value.equals(value);
}
