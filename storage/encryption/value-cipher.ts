import { StoreError } from '../errors.ts';
import { ENCRYPTED_MARK, identityCipher, type ValueCipher } from './ciphers.ts';

/** Which ciphers the values of which resources have: the first one writes, all of them read. */
export interface EncryptionRule {
  /** Of the store's keys: `coordination.cluster.io/leases/`. */
  readonly matches: (key: string) => boolean;
  readonly ciphers: readonly [ValueCipher, ...ValueCipher[]];
}

const NO_RULE: EncryptionRule = { matches: () => true, ciphers: [identityCipher] };

/** Encrypts and decrypts values by rules that may be replaced at any time. */
export class Encryption {
  #rules: readonly EncryptionRule[];

  constructor(rules: readonly EncryptionRule[]) {
    this.#rules = rules;
  }

  /** Another list after every {@link replace}. */
  get rules(): readonly EncryptionRule[] {
    return this.#rules;
  }

  replace(rules: readonly EncryptionRule[]): void {
    this.#rules = rules;
  }

  encrypt(key: string, value: Uint8Array): Uint8Array {
    return this.#rule(key).ciphers[0].encrypt(value, key);
  }

  /** @throws StoreError `corrupt` when no cipher can read it; tells the key's name, never the value */
  decrypt(key: string, stored: Buffer): Buffer {
    const isEncrypted = hasPrefix(stored, ENCRYPTED_MARK);
    const { ciphers } = this.#rule(key);
    let cause: unknown;
    for (const cipher of ciphers) {
      if (cipher.prefix.length > 0 !== isEncrypted || !hasPrefix(stored, cipher.prefix)) continue;
      try {
        return cipher.decrypt(stored, key);
      } catch (error) {
        // Two keys may have had the same name.
        cause = error;
      }
    }
    const what = isEncrypted
      ? 'no key of the encryption configuration can decrypt it'
      : 'it is not encrypted, and the encryption configuration does not allow that (identity)';
    throw new StoreError('corrupt', `cannot read ${key}: ${what}`, { cause });
  }

  /** Was it written in another way than a write of now would? */
  isStale(key: string, stored: Buffer): boolean {
    const { prefix } = this.#rule(key).ciphers[0];
    const isEncrypted = hasPrefix(stored, ENCRYPTED_MARK);
    return prefix.length === 0 ? isEncrypted : !hasPrefix(stored, prefix);
  }

  #rule(key: string): EncryptionRule {
    return this.#rules.find(({ matches }) => matches(key)) ?? NO_RULE;
  }
}

function hasPrefix(value: Buffer, prefix: Buffer): boolean {
  return value.length >= prefix.length && prefix.compare(value, 0, prefix.length) === 0;
}
