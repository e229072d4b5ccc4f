import { createHash, randomBytes } from 'node:crypto';

const KEY = randomBytes(32);

/**
 * A name for a secret, good as a key of a map: nobody can tell anything of the
 * secret from it, and since it is made with a key that only this process knows,
 * how long a look-up takes tells nothing of the secrets that are there.
 */
export function secretDigest(secret: string): string {
  return createHash('sha256').update(KEY).update(secret).digest('base64');
}
