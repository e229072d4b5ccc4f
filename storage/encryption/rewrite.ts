import { StoreError } from '../errors.ts';
import type { Store, StoredItem } from '../interface.ts';
import { pagesOf } from '../pages-of.ts';
import type { Encryption } from './value-cipher.ts';

interface Rewrite {
  /** The store below the encryption. */
  readonly store: Store;
  readonly encryption: Encryption;
  /** Keys that are left alone: they vanish by themselves, and a write would give them another time to. */
  readonly skips: (key: string) => boolean;
  readonly signal: AbortSignal;
}

interface Rewritten {
  readonly written: number;
  /** Values that are still as no write of now would leave them. */
  readonly left: number;
  /** Of those the ones that cannot be read, and what is wrong with the first. */
  readonly unreadable: number;
  readonly problem: StoreError | undefined;
}

/**
 * Rewrites every value that is not encrypted with the current key; afterwards
 * the old keys are no longer needed. Values that change meanwhile are left
 * alone, and so are values that cannot be read.
 *
 * @throws StoreError when the store fails
 */
export async function rewriteStale(rewrite: Rewrite): Promise<Rewritten> {
  const { store, encryption, skips, signal } = rewrite;
  const found = {
    written: 0,
    left: 0,
    unreadable: 0,
    problem: undefined as StoreError | undefined,
  };
  for await (const page of pagesOf(store, signal)) {
    for (const item of page) {
      if (!encryption.isStale(item.key, item.value)) continue;
      const outcome = skips(item.key) ? 'left' : await rewriteValue(rewrite, item);
      if (outcome === 'written') found.written++;
      else found.left++;
      if (outcome instanceof StoreError) {
        found.unreadable++;
        found.problem ??= outcome;
      }
    }
  }
  return found;
}

/** `left`: the value is unchanged, or another writer has replaced it. */
async function rewriteValue(
  { store, encryption, signal }: Rewrite,
  { key, value, revision }: StoredItem,
): Promise<'written' | 'left' | StoreError> {
  let rewritten: Uint8Array;
  try {
    rewritten = encryption.encrypt(key, encryption.decrypt(key, value));
  } catch (error) {
    if (error instanceof StoreError && error.code === 'corrupt') return error;
    throw error;
  }
  const { outcome } = await store.update(key, rewritten, revision, { signal });
  return outcome === 'ok' ? 'written' : 'left';
}
