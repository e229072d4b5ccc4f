import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { readPem } from '../../http/pem.ts';
import { newSigningKey } from '../pki/signing-key.ts';
import { makeDirectory } from '../../storage/make-directory.ts';

/** The keys of tokens at one moment. */
export interface KeyRing {
  /** What new tokens are signed with. */
  readonly signer: SigningKey;
  /** The public keys of all tokens that are accepted; the signer's first. */
  readonly published: JSONWebKeySet;
  readonly find: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

interface SigningKey {
  readonly key: KeyObject;
  readonly id: string;
  readonly algorithm: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

/** Curves by their names in Node. */
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * The keys in the operator's files.
 *
 * @throws Error that names the file
 */
export function readKeyRing(signingKeyFile: string, keyFiles: readonly string[]): KeyRing {
  const signing = inFile(signingKeyFile, () => createPrivateKey(readPem(signingKeyFile)));
  const own = inFile(signingKeyFile, () => publishedKey(createPublicKey(signing)));
  const others = keyFiles.flatMap((file) => inFile(file, () => publicKeysOf(readPem(file))));
  const keys = new Map([own, ...others].map((jwk) => [jwk.kid, jwk]));
  const published = { keys: [...keys.values()] };
  return {
    signer: { key: signing, id: own.kid ?? '', algorithm: own.alg ?? '' },
    published,
    find: createLocalJWKSet(published),
    algorithms: [...new Set(published.keys.map(({ alg }) => alg ?? ''))],
  };
}

/** The file of the key that the server makes for itself once, in `<dir>/pki`. */
export function ensureSigningKey(dataDir: string): string {
  const dir = join(dataDir, 'pki');
  const file = join(dir, 'service-account.key');
  if (existsSync(file)) return file;
  makeDirectory(dir);
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, newSigningKey(), { mode: 0o600 });
    linkSync(temporary, file);
  } catch (error) {
    // another process of this server may have made one meanwhile
    if (!existsSync(file)) throw new Error(`${file} cannot be written`, { cause: error });
  } finally {
    rmSync(temporary, { force: true });
  }
  return file;
}

/** Public keys, private ones, and certificates: of all of them the public part. */
function publicKeysOf(pem: string): JWK[] {
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) throw new Error('the file contains no key');
  return blocks.map((block) => publishedKey(createPublicKey(block)));
}

function publishedKey(key: KeyObject): JWK {
  const der = key.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url');
  return { ...key.export({ format: 'jwk' }), kid: id, use: 'sig', alg: algorithmOf(key) };
}

/** @throws Error for a key that signs no tokens */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (asymmetricKeyType === 'ec' && algorithm !== undefined) return algorithm;
  throw new Error('the key must be an RSA key, or an EC key on P-256, P-384 or P-521');
}

function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
