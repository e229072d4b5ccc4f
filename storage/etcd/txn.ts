import { revisionOf, type Revision } from '../../api/revision.ts';
import type { Guard } from '../interface.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import type { Mark } from './journal.ts';
import type { KeySpace } from './key-space.ts';
import type { Condition, Operation, RangeResponse, TxnRequest, TxnResponse } from './wire.ts';

/** What must hold for a transaction to be executed. */
interface Check {
  readonly key: string;
  readonly condition: Condition;
  /** Reads what stands at the key instead, when a condition fails; of a guard without the value. */
  readonly lookup: Operation;
  /** Undefined: the condition is that of an operation. */
  readonly guard: Guard | undefined;
}

/** A transaction, ready to be sent. */
export interface PreparedWrite {
  /** Those of the operations, in their order, then those of the guards. */
  readonly checks: readonly Check[];
  readonly operations: readonly Operation[];
  /** Deletes are taken even when etcd has no room for more. */
  readonly deletesOnly: boolean;
  /** What it creates, where that alone tells it from all other writes. */
  readonly creation: Mark | undefined;
}

/** What every write carries besides its own operations (journal.ts, epoch.ts). */
interface Bookkeeping {
  readonly epoch: Revision;
  /** Put besides; undefined where the write is known by what it creates, or cannot be told from another one like it. */
  readonly signature: Mark | undefined;
}

/** A txn that etcd turned down. */
interface Refusal {
  readonly epoch: Revision;
  /** Undefined: all conditions of the write hold, but its epoch was over. */
  readonly result: WriteResult | undefined;
}

/** `lease`: of the first key that is written. */
export function prepare(
  keys: KeySpace,
  { operations, guards, unique = false }: Transaction,
  lease?: bigint,
): PreparedWrite {
  const checks: Check[] = [];
  const requests: Operation[] = [];
  let creation: Mark | undefined;
  for (const operation of operations) {
    const key = keys.key(operation.key);
    // A key that does not exist compares as revision 0.
    const modRevision = operation.op === 'create' ? 0n : operation.expected;
    checks.push({
      key: operation.key,
      condition: { key, modRevision },
      lookup: { range: { key } },
      guard: undefined,
    });
    if (operation.op === 'delete') {
      requests.push({ delete: { key } });
    } else {
      const value = bytesOf(operation.value);
      const isFirst = requests.length === 0;
      if (unique && isFirst) creation = { key, value, creates: true };
      const isLasting = lease === undefined || !isFirst;
      requests.push({ put: isLasting ? { key, value } : { key, value, lease } });
    }
  }
  for (const guard of guards) {
    const key = keys.key(guard.key);
    const condition = { key, modRevision: guard.revision };
    // keys only: the value may be large, and the caller only learns that the key exists
    checks.push({ key: guard.key, condition, lookup: { range: { key, keysOnly: true } }, guard });
  }
  const deletesOnly = operations.every(({ op }) => op === 'delete');
  return { checks, operations: requests, deletesOnly, creation };
}

/** etcd's transaction for a write in an epoch. */
export function toRequest(
  keys: KeySpace,
  write: PreparedWrite,
  { epoch, signature }: Bookkeeping,
): TxnRequest {
  const signed: Operation[] =
    signature === undefined ? [] : [{ put: { key: signature.key, value: signature.value } }];
  return {
    conditions: [
      { key: keys.epoch, modRevision: epoch },
      ...write.checks.map(({ condition }) => condition),
    ],
    success: [...write.operations, ...signed],
    failure: [
      { range: { key: keys.epoch, keysOnly: true } },
      ...write.checks.map(({ lookup }) => lookup),
    ],
  };
}

/** Says why a transaction was turned down, from what it read instead. */
export function readRefusal(keys: KeySpace, write: PreparedWrite, response: TxnResponse): Refusal {
  const epoch = revisionOf(rangeAt(response, 0).kvs[0]?.modRevision ?? 0n);
  for (const [index, { condition, key, guard }] of write.checks.entries()) {
    const kv = rangeAt(response, index + 1).kvs[0];
    if ((kv?.modRevision ?? 0n) === condition.modRevision) continue;
    if (guard !== undefined) return { epoch, result: { outcome: 'guarded', guard } };
    const current = kv === undefined ? {} : { current: keys.item(kv) };
    return { epoch, result: { outcome: 'conflict', key, ...current } };
  }
  return { epoch, result: undefined };
}

function rangeAt(response: TxnResponse, index: number): RangeResponse {
  const range = response.ranges[index];
  if (range === undefined) throw new Error('etcd did not answer every part of a transaction');
  return range;
}

function bytesOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
