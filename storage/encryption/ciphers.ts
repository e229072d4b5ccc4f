import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** One way to keep a value, with one key. */
export interface ValueCipher {
  /** What stored values of this cipher begin with; empty: they are as they were given. */
  readonly prefix: Buffer;
  /** `context`: where the value stands. A value that was moved elsewhere cannot be read. */
  encrypt(value: Uint8Array, context: string): Uint8Array;
  /** @throws Error when it is not what was encrypted */
  decrypt(stored: Buffer, context: string): Buffer;
}

/** All encrypted values begin with this; no JSON does. */
export const ENCRYPTED_MARK = Buffer.from('k8s:enc:');

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHMS = { 16: 'aes-128-gcm', 24: 'aes-192-gcm', 32: 'aes-256-gcm' } as const;

/** Key lengths in bytes. */
export const AES_KEY_BYTES: readonly number[] = Object.keys(ALGORITHMS).map(Number);

export const identityCipher: ValueCipher = {
  prefix: Buffer.alloc(0),
  encrypt: (value) => value,
  decrypt: (stored) => stored,
};

/**
 * AES-GCM: without the key, a value cannot be read, changed, or moved to
 * another key of the store. Stored as `k8s:enc:aesgcm:v1:<name>:`, nonce, text,
 * tag. Nonces are random, so a key should be changed long before 2^32 writes.
 */
export function aesGcmCipher(name: string, key: Buffer): ValueCipher {
  const algorithm = ALGORITHMS[key.length as keyof typeof ALGORITHMS];
  const prefix = Buffer.from(`${ENCRYPTED_MARK.toString()}aesgcm:v1:${name}:`);
  return {
    prefix,
    encrypt(value, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(Buffer.from(context));
      const text = cipher.update(value);
      return Buffer.concat([prefix, nonce, text, cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(stored, context) {
      const at = prefix.length;
      if (stored.length < at + NONCE_BYTES + TAG_BYTES) throw new Error('the value is cut off');
      const nonce = stored.subarray(at, at + NONCE_BYTES);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(stored.subarray(stored.length - TAG_BYTES));
      const text = stored.subarray(at + NONCE_BYTES, stored.length - TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]);
    },
  };
}
