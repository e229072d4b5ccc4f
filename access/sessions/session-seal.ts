import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/*
 * What the store keeps of a session is sealed with a key that only the id gives,
 * and the id is in the browser alone. A copy of the store signs in nowhere and
 * shows no token.
 */

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'plinth: content of a session of the console';
/** Characters of {@link tagOf}. */
const TAG_LENGTH = 16;
const SECRET_BYTES = 32;

/** The tag of the user, then 32 random bytes in base64url: what the cookie holds. */
export function newSessionId(user: string): string {
  return tagOf(user) + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The beginning of the ids of all sessions of a user. */
export function tagOf(user: string): string {
  return sha256(user).slice(0, TAG_LENGTH);
}

/** By what the store knows a session: the user's tag and the hash of the id. */
export function nameOf(id: string): string {
  return `${id.slice(0, TAG_LENGTH)}.${sha256(id)}`;
}

/** Base64 of what only {@link unseal} with the same id reads. */
export function seal(id: string, content: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(id), iv);
  const sealed = [iv, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64');
}

/** Undefined: it was sealed with another id, or changed since. */
export function unseal(id: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(id), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const content = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8');
    return content + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', id, '', PURPOSE, KEY_BYTES));
}

/** The hash of a text, in base64url. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
