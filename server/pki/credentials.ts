import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  makeAuthority,
  makeClientCertificate,
  makeServingCertificate,
  remainingValidity,
  type KeyPair,
} from './certificates.ts';

const PRIVATE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
/** A generated certificate with less time left than this is made anew at start. */
const RENEW_BEFORE_MS = 30 * 24 * 3600 * 1000;
const ADMIN_GROUP = 'system:masters';

/** What the server makes for itself once and finds again at the next start. */
export interface GeneratedCredentials {
  readonly authority: KeyPair;
  /** Undefined when the operator brought a serving certificate. */
  readonly serving: KeyPair | undefined;
  readonly admin: KeyPair;
}

/**
 * The authority, serving certificate and admin credential in `<dir>/pki`, made
 * at the first start and renewed before they expire.
 */
export async function ensureCredentials(
  dataDir: string,
  options: { servingNames: readonly string[] | undefined; now: number },
): Promise<GeneratedCredentials> {
  const dir = join(dataDir, 'pki');
  mkdirSync(dir, { recursive: true, mode: PRIVATE_DIRECTORY });
  const { now, servingNames } = options;
  const authority = await ensurePair(dir, 'ca', now, () => makeAuthority('plinth-ca', now));
  const admin = await ensurePair(dir, 'admin', now, () =>
    makeClientCertificate(authority, 'admin', [ADMIN_GROUP], now),
  );
  if (servingNames === undefined) return { authority, admin, serving: undefined };
  // Another list of names needs another certificate.
  const namesFile = join(dir, 'serving.names');
  const names = servingNames.join(',');
  const sameNames = existsSync(namesFile) && readFileSync(namesFile, 'utf8') === names;
  const make = (): Promise<KeyPair> => makeServingCertificate(authority, servingNames, now);
  const serving = sameNames
    ? await ensurePair(dir, 'serving', now, make)
    : writePair(dir, 'serving', await make());
  writeWhole(namesFile, names);
  return { authority, admin, serving };
}

async function ensurePair(
  dir: string,
  name: string,
  now: number,
  make: () => Promise<KeyPair>,
): Promise<KeyPair> {
  const [certFile, keyFile] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)];
  if (existsSync(certFile) && existsSync(keyFile)) {
    const certificate = readFileSync(certFile, 'utf8');
    if (remainingValidity(certificate, now) > RENEW_BEFORE_MS) {
      return { certificate, key: readFileSync(keyFile, 'utf8') };
    }
  }
  return writePair(dir, name, await make());
}

function writePair(dir: string, name: string, pair: KeyPair): KeyPair {
  writeWhole(join(dir, `${name}.key`), pair.key);
  writeWhole(join(dir, `${name}.crt`), pair.certificate);
  return pair;
}

/** A reader finds the old file or the new one, never half of it. */
function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, text, { mode: PRIVATE });
  renameSync(temporary, file);
}

/** Writes a kubeconfig with which kubectl is the administrator of this server. */
export function writeAdminKubeconfig(
  file: string,
  server: string,
  authorityPem: string,
  admin: KeyPair,
): void {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'plinth', cluster: { server, 'certificate-authority-data': base64(authorityPem) } },
    ],
    users: [
      {
        name: 'admin',
        user: {
          'client-certificate-data': base64(admin.certificate),
          'client-key-data': base64(admin.key),
        },
      },
    ],
    contexts: [{ name: 'plinth', context: { cluster: 'plinth', user: 'admin' } }],
    'current-context': 'plinth',
  };
  writeWhole(file, stringify(config));
}
