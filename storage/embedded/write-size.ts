import { StoreError } from '../errors.ts';
import type { Transaction } from '../outcomes.ts';
import { encodeKey } from './key-range.ts';

/** As etcd's `--max-request-bytes`, so that what one store takes the other does, too. */
export const MAX_WRITE_BYTES = 1.5 * 1024 * 1024;
/** About what etcd's protocol adds to an operation. */
export const OPERATION_OVERHEAD_BYTES = 64;

/**
 * The size of what a transaction adds; 0 when it only takes away.
 *
 * @throws StoreError `tooLarge`
 */
export function addedBytes({ operations }: Transaction): number {
  let bytes = 0;
  let adds = false;
  for (const operation of operations) {
    bytes += encodeKey(operation.key).length + OPERATION_OVERHEAD_BYTES;
    if (operation.op === 'delete') continue;
    bytes += operation.value.length;
    adds = true;
  }
  if (bytes > MAX_WRITE_BYTES) {
    throw new StoreError('tooLarge', `a write of ${bytes} bytes; ${MAX_WRITE_BYTES} is the limit`);
  }
  return adds ? bytes : 0;
}
