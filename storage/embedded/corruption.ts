import { StoreError } from '../errors.ts';

/** LMDB's numbers for a data file that it cannot read, or refuses to go on with. */
const CORRUPTIONS: ReadonlySet<unknown> = new Set([
  -30797, // MDB_PAGE_NOTFOUND
  -30796, // MDB_CORRUPTED
  -30795, // MDB_PANIC: a meta page could not be written
  -30794, // MDB_VERSION_MISMATCH
  -30793, // MDB_INVALID
]);
/**
 * MDB_BAD_TXN in a read: an earlier read of the transaction failed. The binding
 * keeps such errors to itself when it counts, and when it reads backwards.
 */
const BAD_TRANSACTION = -30782;

/** What the binding says, without a number, when a page holds a key of an impossible size. */
const IMPOSSIBLE_KEY = /^Invalid key size/;

/**
 * Recognizes that the tree of a data file is damaged: a state in which no try
 * after the first can succeed. A damaged record inside a whole tree is none of it.
 */
export class Corruption {
  readonly #file: string;
  readonly #onCorrupt: (error: StoreError) => void;
  #error: StoreError | undefined;

  /** `onCorrupt` is called once, at the first error that tells of it. */
  constructor(file: string, onCorrupt: (error: StoreError) => void) {
    this.#file = file;
    this.#onCorrupt = onCorrupt;
  }

  get isFound(): boolean {
    return this.#error !== undefined;
  }

  /** What to throw for an error of a read: a StoreError `corrupt`, or the error as it is. */
  ofRead(error: unknown): unknown {
    return codeOf(error) === BAD_TRANSACTION ? this.#report(error as Error) : this.of(error);
  }

  /** What to throw for any other error of LMDB. */
  of(error: unknown): unknown {
    return isCorruption(error) ? this.#report(error) : error;
  }

  /** What to throw for whatever keeps a check from reading the file. */
  found(error: unknown): StoreError {
    return this.#report(error instanceof Error ? error : new Error(String(error)));
  }

  #report(error: Error): StoreError {
    if (this.#error !== undefined) return this.#error;
    const message =
      `the data file ${this.#file} is corrupted (${error.message}): ` +
      'check it with "plinth check", and restore a backup if it cannot be read';
    this.#error = new StoreError('corrupt', message, { cause: error });
    this.#onCorrupt(this.#error);
    return this.#error;
  }
}

function isCorruption(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return CORRUPTIONS.has(codeOf(error)) || IMPOSSIBLE_KEY.test(error.message);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { code?: unknown }).code : undefined;
}
