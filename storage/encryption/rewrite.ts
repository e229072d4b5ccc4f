import type { Store } from '../interface.ts';
import type { Encryption } from './value-cipher.ts';

const PAGE = 500;

export interface Rewrite {
  /** The store below the encryption. */
  readonly store: Store;
  readonly encryption: Encryption;
  /** Keys that are left alone: they vanish by themselves, and a write would give them another time to. */
  readonly skips: (key: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes every value anew that was not written as a write of now would: after
 * that the keys of before are not needed any more. What others write meanwhile
 * is theirs. Returns how many it has written.
 */
export async function rewriteStale(rewrite: Rewrite): Promise<number> {
  const { store, encryption, skips, signal } = rewrite;
  let written = 0;
  let after: string | undefined;
  for (;;) {
    const page = await store.list({
      prefix: '',
      limit: PAGE,
      signal,
      ...(after === undefined ? {} : { after }),
    });
    for (const { key, value, revision } of page.items) {
      if (skips(key) || !encryption.isStale(key, value)) continue;
      const plain = encryption.decrypt(key, value);
      const anew = encryption.encrypt(key, plain);
      const { outcome } = await store.update(key, anew, revision, { signal });
      if (outcome === 'ok') written++;
    }
    after = page.items.at(-1)?.key;
    if (!page.more || after === undefined) return written;
  }
}
