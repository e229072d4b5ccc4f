import type { CancelSignal } from '../api/cancel-signal.ts';
import type { Revision } from '../api/revision.ts';

/** Why the environment failed; a closed list that callers switch on. */
export type StoreErrorCode =
  /** Not reachable, or closed. The outcome of a write is known: it did not happen. */
  | 'unavailable'
  /** No answer in time. The outcome of a write is unknown and could not be read back. */
  | 'timeout'
  /** The revision has been compacted away. */
  | 'compacted'
  /** The revision has not been reached yet. */
  | 'futureRevision'
  /** The value or the transaction is larger than the store takes. */
  | 'tooLarge'
  /** The store has no room for writes (etcd's NOSPACE alarm, a full disk); reads and deletes go on. */
  | 'outOfSpace'
  /** History is not the one that was read before: another cluster, or revisions went back. */
  | 'reset'
  /** Credentials or permissions are wrong. */
  | 'denied'
  /** What the store holds cannot be read. */
  | 'corrupt'
  /** The caller gave up (its signal aborted). */
  | 'cancelled';

/**
 * Marks a StoreError also when this module has been loaded twice: stores are
 * loaded on demand, and a program that mixes module systems (as test runners do)
 * then has two classes of this name.
 */
const MARK = Symbol.for('plinth.StoreError');

/** A failure of the environment; expected outcomes are values, never errors. */
export class StoreError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }

  readonly [MARK] = true;
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** With `compacted`: the oldest revision that can still be read, when known. */
  readonly compactRevision: Revision | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { cause?: unknown; compactRevision?: Revision } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.compactRevision = options.compactRevision;
  }
}

/** A failure of the store, with this code if one is given. */
export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code);
}

/** What every call of a store throws that has been closed. */
export function closedError(): StoreError {
  return new StoreError('unavailable', 'the store is closed');
}

/** What a call throws whose signal has aborted. */
export function cancelledError(signal: CancelSignal | undefined): StoreError {
  return new StoreError('cancelled', 'the request was cancelled', { cause: signal?.reason });
}
