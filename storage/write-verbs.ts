import type { Revision } from '../api/revision.ts';
import {
  MAX_BATCH,
  type BatchOperation,
  type BatchOutcome,
  type CallOptions,
  type CreateOptions,
  type CreateOutcome,
  type DeleteOutcome,
  type Guard,
  type Store,
  type UpdateOutcome,
  type WriteOptions,
} from './interface.ts';
import {
  batchOutcome,
  changeOutcome,
  createOutcome,
  type Transaction,
  type WriteResult,
} from './outcomes.ts';

const NO_GUARDS: readonly Guard[] = [];

/** The four writes of a {@link Store}, for one that writes everything in one way. */
export abstract class WriteVerbs implements Pick<Store, 'create' | 'update' | 'delete' | 'batch'> {
  /** @throws StoreError */
  protected abstract write(transaction: Transaction, options: WriteOptions): Promise<WriteResult>;

  // by `then`: each write comes through here, and an async function takes longer
  create(key: string, value: Uint8Array, options: CreateOptions = {}): Promise<CreateOutcome> {
    const { guards = NO_GUARDS, updates, unique } = options;
    const operations: BatchOperation[] = [{ op: 'create', key, value }];
    if (updates !== undefined) {
      for (const update of updates) operations.push({ op: 'update', ...update });
      checkBatch(operations);
    }
    return this.#written({ operations, guards, unique }, options).then((result) =>
      createOutcome(key, result),
    );
  }

  update(
    key: string,
    value: Uint8Array,
    expected: Revision,
    options: WriteOptions = {},
  ): Promise<UpdateOutcome> {
    const operations: BatchOperation[] = [{ op: 'update', key, value, expected }];
    return this.#written({ operations, guards: NO_GUARDS }, options).then(changeOutcome);
  }

  /** {@link write}, whose errors are all rejections. */
  #written(transaction: Transaction, options: WriteOptions): Promise<WriteResult> {
    try {
      return this.write(transaction, options);
    } catch (error) {
      return Promise.resolve().then(() => {
        throw error;
      });
    }
  }

  async delete(key: string, expected: Revision, options: CallOptions = {}): Promise<DeleteOutcome> {
    const operations: BatchOperation[] = [{ op: 'delete', key, expected }];
    return changeOutcome(await this.write({ operations, guards: NO_GUARDS }, options));
  }

  async batch(
    operations: readonly BatchOperation[],
    options: CallOptions = {},
  ): Promise<BatchOutcome> {
    checkBatch(operations);
    return batchOutcome(await this.write({ operations, guards: NO_GUARDS }, options));
  }
}

/** Callers bound their batches; a wrong one is a bug and throws a RangeError. */
function checkBatch(operations: readonly BatchOperation[]): void {
  const keys = new Set(operations.map(({ key }) => key));
  const wrong = operations.length === 0 || operations.length > MAX_BATCH;
  if (wrong || keys.size !== operations.length) {
    throw new RangeError(`a batch has 1 to ${MAX_BATCH} operations on different keys`);
  }
}
