import { revisionOf, type Revision } from '../../api/revision.ts';
import type { BatchOperation, Guard, StoredItem } from '../interface.ts';
import type { KeySpace } from './key-space.ts';
import type { Condition, Operation, RangeResponse, TxnRequest, TxnResponse } from './wire.ts';

/** One or more compare-and-swap operations, ready to be sent as one transaction. */
export interface PreparedWrite {
  /** Those of the operations, in their order, then those of the guards. */
  readonly conditions: readonly Condition[];
  readonly operations: readonly Operation[];
  /** What stands at each key, read when a condition fails; of guards without the value. */
  readonly lookups: readonly Operation[];
  /** Deletes are taken even when etcd has no room for more. */
  readonly deletesOnly: boolean;
}

/** What every write carries besides its own operations (journal.ts, epoch.ts). */
interface Bookkeeping {
  readonly epoch: Revision;
  /** Absent where etcd takes no puts: the write cannot be told from another one like it. */
  readonly nonce: Buffer | undefined;
}

/** A txn that etcd turned down: its epoch was over, or the condition at `index` does not hold. */
type Refusal =
  | { readonly reason: 'epoch'; readonly epoch: Revision }
  | {
      readonly reason: 'condition';
      readonly epoch: Revision;
      readonly index: number;
      readonly current: StoredItem | undefined;
    };

export function prepare(
  keys: KeySpace,
  operations: readonly BatchOperation[],
  { lease, guards = [] }: { lease?: bigint | undefined; guards?: readonly Guard[] } = {},
): PreparedWrite {
  const conditions: Condition[] = [];
  const requests: Operation[] = [];
  const lookups: Operation[] = [];
  for (const operation of operations) {
    const key = keys.key(operation.key);
    // A key that does not exist compares as revision 0.
    const modRevision = operation.op === 'create' ? 0n : operation.expected;
    conditions.push({ key, modRevision });
    lookups.push({ range: { key } });
    if (operation.op === 'delete') {
      requests.push({ delete: { key } });
    } else {
      const value = bytesOf(operation.value);
      requests.push({ put: lease === undefined ? { key, value } : { key, value, lease } });
    }
  }
  for (const guard of guards) {
    const key = keys.key(guard.key);
    conditions.push({ key, modRevision: guard.revision });
    // keys only: the value may be large, and the caller only learns that the key exists
    lookups.push({ range: { key, keysOnly: true } });
  }
  const deletesOnly = operations.every(({ op }) => op === 'delete');
  return { conditions, operations: requests, lookups, deletesOnly };
}

/** etcd's transaction for a write in an epoch. */
export function toRequest(
  keys: KeySpace,
  write: PreparedWrite,
  { epoch, nonce }: Bookkeeping,
): TxnRequest {
  const signature: Operation[] =
    nonce === undefined ? [] : [{ put: { key: keys.author, value: nonce } }];
  return {
    conditions: [{ key: keys.epoch, modRevision: epoch }, ...write.conditions],
    success: [...write.operations, ...signature],
    failure: [{ range: { key: keys.epoch, keysOnly: true } }, ...write.lookups],
  };
}

/** Says why a transaction was turned down, from what it read instead. */
export function readRefusal(keys: KeySpace, write: PreparedWrite, response: TxnResponse): Refusal {
  const epoch = revisionOf(rangeAt(response, 0).kvs[0]?.modRevision ?? 0n);
  for (const [index, condition] of write.conditions.entries()) {
    const kv = rangeAt(response, index + 1).kvs[0];
    if ((kv?.modRevision ?? 0n) !== condition.modRevision) {
      const isGuard = index >= write.operations.length;
      const current = kv === undefined || isGuard ? undefined : keys.item(kv);
      return { reason: 'condition', epoch, index, current };
    }
  }
  return { reason: 'epoch', epoch };
}

function rangeAt(response: TxnResponse, index: number): RangeResponse {
  const range = response.ranges[index];
  if (range === undefined) throw new Error('etcd left a part of a transaction unanswered');
  return range;
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
