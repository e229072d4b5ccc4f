import { MAX_BATCH, type BatchOperation } from './interface.ts';

/** Callers bound their batches; a wrong one is a bug and throws a RangeError. */
export function checkBatch(operations: readonly BatchOperation[]): void {
  const keys = new Set(operations.map(({ key }) => key));
  const wrong = operations.length === 0 || operations.length > MAX_BATCH;
  if (wrong || keys.size !== operations.length) {
    throw new RangeError(`a batch has 1 to ${MAX_BATCH} operations on different keys`);
  }
}
