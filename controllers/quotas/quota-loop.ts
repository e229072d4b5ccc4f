import { objectOf } from '../../resources/object-of.ts';
import { resourceQuotaSchema } from '../../resources/core/quota-schema.ts';
import { deepEqual, hasOwn } from '../../api/json.ts';
import { nextTurn } from '../../api/turn.ts';
import { isTerminating } from '../../registry/namespaces.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { NAMESPACES_PREFIX, RESOURCE_QUOTAS_PREFIX } from '../../registry/prefixes.ts';
import { countedPrefix, countObjects, objectLimits } from '../../registry/quota-counts.ts';
import { countsObjects, type ResourceQuota } from '../../resources/core/quota.ts';
import type { ResourceList } from '../../resources/resource-quantities.ts';
import type { Entry } from '../../watch/entry.ts';
import { attemptEach } from '../attempt-each.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { seenOf, type LoopWriter } from '../writer.ts';

const PERIOD_MS = 60_000;
/** Each create and delete of what is counted wakes the loop: so long they gather. */
const REST_MS = 100;
/** The rest grows with the quotas that were looked at. */
const REST_MS_PER_QUOTA = 0.5;
/** Quotas that one step writes; the rest is left to the next one. */
const MAX_WRITES = 100;
const QUOTAS_PER_TURN = 200;
/** A create has changed the quota meanwhile: the replica will soon show it. */
const STALE_RETRY_MS = 50;

interface Status {
  readonly hard: ResourceList;
  readonly used: ResourceList;
}

/**
 * Keeps the status of quotas: what is used, after deletes and changes of limits,
 * and which limits are in force. Creates keep `used` themselves
 * (registry/within-quotas.ts).
 *
 * A limit is in force when every server knows of it. The loop first writes the
 * namespace as it is: creates are conditional on its revision, so from then on
 * only a server that has seen that revision, and the quota before it, creates
 * anything there. Then it writes `status.hard`, on the condition that the quota is
 * unchanged since before the namespace was written. Source: behaviours 9.23.
 */
export function quotaLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const { reader, catalog } = parts;
  const { replica } = reader;
  /** Where what the quotas count is stored; a change there wakes the loop. */
  let counted = new Set<string>();
  /** Where the next step begins. */
  let from = '';

  const statusOf = (entry: Entry, quota: ResourceQuota): Status => {
    const used: ResourceList = {};
    for (const { key } of objectLimits(entry)) {
      const prefix = countedPrefix(catalog, key);
      if (prefix === undefined) continue;
      used[key] = String(countObjects(replica, prefix, entry.namespace));
    }
    return { hard: quota.spec.hard ?? {}, used };
  };

  const isDue = (entry: Entry): boolean => {
    if (entry.corrupt) return false;
    const quota = objectOf(resourceQuotaSchema, entry.object());
    const { hard, used } = statusOf(entry, quota);
    const { status } = quota;
    return !deepEqual(hard, status.hard ?? {}) || !deepEqual(used, status.used ?? {});
  };

  /** Every server that creates something in the namespace from now on knows what stands in the replica. */
  const makeKnown = async (namespace: string, signal: AbortSignal): Promise<boolean> => {
    const copy = replica.collection(NAMESPACES_PREFIX).items.get(namespace);
    // where nothing is created any more nothing has to be known
    if (copy === undefined || (!copy.corrupt && isTerminating(copy))) return true;
    const key = NAMESPACES_PREFIX + namespace;
    const { item } = await parts.store.get(key, { signal });
    if (item === undefined) return true;
    const written = await parts.store.update(key, item.value, item.revision, { signal });
    return written.outcome === 'ok' && reader.freshness.catchUp(written.revision, signal);
  };

  /** False: it has to be looked at once more. */
  const write = async (entry: Entry, signal: AbortSignal): Promise<boolean> => {
    const before = objectOf(resourceQuotaSchema, entry.object());
    const { hard: inForce = {} } = before.status;
    const { hard = {} } = before.spec;
    const isNew = countsObjects(before) && Object.keys(hard).some((key) => !hasOwn(inForce, key));
    if (isNew && !(await makeKnown(entry.namespace, signal))) return false;
    const resource = catalog.findStored('', 'resourcequotas');
    if (resource === undefined) throw new Error('the kind of quotas is missing');
    // counted at one revision of the replica: a create after that changes the quota
    const status = statusOf(entry, before);
    const target = { resource, namespace: entry.namespace, name: entry.name };
    const edit = (object: object): void => void Object.assign(object, { status });
    const how = { subresource: 'status', signal };
    const { outcome } = await writer.change(target, seenOf(entry), edit, how);
    return outcome !== 'stale';
  };

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const items = replica.collection(RESOURCE_QUOTAS_PREFIX).items.snapshot();
    const prefixes = new Set<string>();
    const due: Entry[] = [];
    let looked = 0;
    for (const entry of items.range('')) {
      if (++looked % QUOTAS_PER_TURN === 0) await nextTurn();
      if (entry.corrupt) continue;
      for (const { key } of objectLimits(entry)) {
        const prefix = countedPrefix(catalog, key);
        if (prefix !== undefined) prefixes.add(prefix);
      }
      if (entry.key >= from && due.length <= MAX_WRITES && isDue(entry)) due.push(entry);
    }
    counted = prefixes;
    const now = due.slice(0, MAX_WRITES);
    from = due[MAX_WRITES]?.key ?? '';
    let stale = 0;
    await attemptEach(now, { signal, width: 4 }, async (entry) => {
      if (!(await write(entry, signal))) stale++;
    });
    return {
      summary: `${looked} looked at, ${now.length - stale} written`,
      again: from !== '',
      restMs: Math.max(REST_MS, looked * REST_MS_PER_QUOTA),
      ...(stale > 0 ? { againAfterMs: STALE_RETRY_MS } : {}),
    };
  };

  return {
    name: 'quotas',
    periodMs: PERIOD_MS,
    wokenBy: [RESOURCE_QUOTAS_PREFIX],
    wakeOn(wake) {
      const ends = [
        replica.onBatch((touched) => {
          if (counted.size === 0) return;
          for (const { prefix } of touched) if (counted.has(prefix)) wake();
        }),
        catalog.onChange(wake),
      ];
      return () => ends.forEach((end) => end());
    },
    elected: true,
    step,
  };
}
