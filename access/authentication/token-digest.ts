import { createHash, randomBytes } from 'node:crypto';

const KEY = randomBytes(32);

/**
 * A name for a secret that can be a key of a map: it reveals nothing about the
 * secret, and since it is made with a key that only this process knows, the time
 * of a look-up reveals nothing about stored secrets.
 */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(KEY).update(secret).digest('base64');
}
