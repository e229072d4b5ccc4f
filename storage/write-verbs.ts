import type { Revision } from '../api/revision.ts';
import { checkBatch } from './check-batch.ts';
import type {
  BatchOperation,
  BatchOutcome,
  CallOptions,
  CreateOptions,
  CreateOutcome,
  DeleteOutcome,
  Store,
  UpdateOutcome,
  WriteOptions,
} from './interface.ts';
import { batchOutcome, changeOutcome, createOutcome, type WriteResult } from './outcomes.ts';

/** The four writes of a {@link Store}, for one that writes everything in one way. */
export abstract class WriteVerbs implements Pick<Store, 'create' | 'update' | 'delete' | 'batch'> {
  /** All operations or none, in one revision. @throws StoreError */
  protected abstract write(
    operations: readonly BatchOperation[],
    options: CreateOptions,
  ): Promise<WriteResult>;

  async create(
    key: string,
    value: Uint8Array,
    options: CreateOptions = {},
  ): Promise<CreateOutcome> {
    return createOutcome(await this.write([{ op: 'create', key, value }], options));
  }

  async update(
    key: string,
    value: Uint8Array,
    expected: Revision,
    options: WriteOptions = {},
  ): Promise<UpdateOutcome> {
    return changeOutcome(await this.write([{ op: 'update', key, value, expected }], options));
  }

  async delete(key: string, expected: Revision, options: CallOptions = {}): Promise<DeleteOutcome> {
    return changeOutcome(await this.write([{ op: 'delete', key, expected }], options));
  }

  async batch(
    operations: readonly BatchOperation[],
    options: CallOptions = {},
  ): Promise<BatchOutcome> {
    checkBatch(operations);
    return batchOutcome(await this.write(operations, options));
  }
}
