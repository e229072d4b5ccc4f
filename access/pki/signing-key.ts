import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureContent } from './generated-files.ts';

/** A new key for tokens of service accounts, in PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The private key that signs tokens, and the public keys whose tokens are accepted. */
export const SIGNING_KEY_FILE = 'service-account.key';
export const ACCEPTED_KEYS_FILE = 'service-account.pub';

/**
 * The key by which all servers of an installation sign tokens, made once. With
 * `replace` another one takes its place; tokens of the one before stay valid until
 * the next time.
 */
export function ensureSharedSigningKey(dir: string, mode: number, replace: boolean): void {
  const file = join(dir, SIGNING_KEY_FILE);
  const present = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const isNew = present === undefined || replace;
  const key = isNew ? newSigningKey() : present;
  const accepted = join(dir, ACCEPTED_KEYS_FILE);
  if (isNew || !existsSync(accepted)) {
    const keys = isNew && present !== undefined ? [key, present] : [key];
    // first, so that a server which reads in between accepts both
    ensureContent(accepted, keys.map(publicPart).join(''), undefined, mode);
  }
  ensureContent(file, key, undefined, mode);
}

function publicPart(key: string): string {
  const shown = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' });
  return shown.toString();
}
