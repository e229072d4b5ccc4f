import type {
  ICompare,
  IRangeResponse,
  IRequestOp,
  ITxnRequest,
  ITxnResponse,
} from 'etcd3/lib/rpc.js';
import { revisionOf, type Revision } from '../../api/revision.ts';
import type { BatchOperation, StoredItem } from '../interface.ts';
import type { KeySpace } from './key-space.ts';

/** One or more compare-and-swap operations, ready to be sent as one transaction. */
export interface PreparedWrite {
  readonly conditions: readonly ICompare[];
  readonly operations: readonly IRequestOp[];
  /** What stands at each key, read when a condition fails. */
  readonly lookups: readonly IRequestOp[];
  /** Deletes are taken even when etcd has no room for more. */
  readonly deletesOnly: boolean;
}

/** What every write carries besides its own operations (journal.ts, epoch.ts). */
export interface Bookkeeping {
  readonly epoch: Revision;
  /** Absent where etcd takes no puts: the write cannot be told from another one like it. */
  readonly nonce: Buffer | undefined;
}

/** A txn that etcd turned down: its epoch was over, or the condition at `index` does not hold. */
export type Refusal =
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
  lease?: string,
): PreparedWrite {
  const conditions: ICompare[] = [];
  const requests: IRequestOp[] = [];
  const lookups: IRequestOp[] = [];
  for (const operation of operations) {
    const key = keys.key(operation.key);
    // A key that does not exist compares as revision 0.
    const expected = operation.op === 'create' ? '0' : String(operation.expected);
    conditions.push({ key, target: 'Mod', result: 'Equal', mod_revision: expected });
    lookups.push({ request_range: { key } });
    if (operation.op === 'delete') {
      requests.push({ request_delete_range: { key } });
    } else {
      const value = bytesOf(operation.value);
      requests.push({ request_put: lease === undefined ? { key, value } : { key, value, lease } });
    }
  }
  const deletesOnly = operations.every(({ op }) => op === 'delete');
  return { conditions, operations: requests, lookups, deletesOnly };
}

/** etcd's transaction for a write in an epoch. */
export function toRequest(
  keys: KeySpace,
  write: PreparedWrite,
  { epoch, nonce }: Bookkeeping,
): ITxnRequest {
  const inEpoch: ICompare = {
    key: keys.epoch,
    target: 'Mod',
    result: 'Equal',
    mod_revision: String(epoch),
  };
  const signature: IRequestOp[] =
    nonce === undefined ? [] : [{ request_put: { key: keys.author, value: nonce } }];
  return {
    compare: [inEpoch, ...write.conditions],
    success: [...write.operations, ...signature],
    failure: [{ request_range: { key: keys.epoch, keys_only: true } }, ...write.lookups],
  };
}

/** Says why a transaction was turned down, from what it read instead. */
export function readRefusal(keys: KeySpace, write: PreparedWrite, response: ITxnResponse): Refusal {
  const epoch = revisionOf(rangeAt(response, 0).kvs[0]?.mod_revision ?? '0');
  for (const [index, condition] of write.conditions.entries()) {
    const kv = rangeAt(response, index + 1).kvs[0];
    if ((kv?.mod_revision ?? '0') !== condition.mod_revision) {
      const current = kv === undefined ? undefined : keys.item(kv);
      return { reason: 'condition', epoch, index, current };
    }
  }
  return { reason: 'epoch', epoch };
}

export function rangeAt(response: ITxnResponse, index: number): IRangeResponse {
  const range = response.responses[index]?.response_range;
  if (range === undefined) throw new Error('etcd left a part of a transaction unanswered');
  return range;
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
