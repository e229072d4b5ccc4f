import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  const { now, servingNames } = options;
  const files = new PairFiles(dir, PRIVATE);
  const authority = await files.ensure('ca', now, () => makeAuthority('plinth-ca', now));
  const admin = await files.ensure('admin', now, () =>
    makeClientCertificate(authority, 'admin', [ADMIN_GROUP], now),
  );
  if (servingNames === undefined) return { authority, admin, serving: undefined };
  const serving = await files.ensureNamed('serving', servingNames, now, (names) =>
    makeServingCertificate(authority, names, now),
  );
  return { authority, admin, serving };
}

const PROXY_NAME = 'front-proxy-client';

/**
 * The certificate by which servers behind this one know it, in `<dir>/pki`. Its
 * authority signs nothing else: whom it vouches for may name any user.
 */
export async function ensureProxyIdentity(dataDir: string, now: number): Promise<KeyPair> {
  const files = new PairFiles(join(dataDir, 'pki'), PRIVATE);
  const authority = await files.ensure('front-proxy-ca', now, () =>
    makeAuthority('front-proxy-ca', now),
  );
  return files.ensure(PROXY_NAME, now, () => makeClientCertificate(authority, PROXY_NAME, [], now));
}

/** Certificates with their keys as files of one directory, made when they are not there or end soon. */
export class PairFiles {
  readonly #dir: string;
  readonly #mode: number;

  constructor(dir: string, mode: number) {
    this.#dir = dir;
    this.#mode = mode;
    mkdirSync(dir, { recursive: true, mode: PRIVATE_DIRECTORY });
  }

  async ensure(name: string, now: number, make: () => Promise<KeyPair>): Promise<KeyPair> {
    const [certFile, keyFile] = this.#files(name);
    if (existsSync(certFile) && existsSync(keyFile)) {
      const certificate = readFileSync(certFile, 'utf8');
      if (remainingValidity(certificate, now) > RENEW_BEFORE_MS) {
        return { certificate, key: readFileSync(keyFile, 'utf8') };
      }
    }
    return this.#write(name, await make());
  }

  /** The same for host names; another list of names needs another certificate. */
  async ensureNamed(
    name: string,
    hosts: readonly string[],
    now: number,
    make: (hosts: readonly string[]) => Promise<KeyPair>,
  ): Promise<KeyPair> {
    const namesFile = join(this.#dir, `${name}.names`);
    const names = hosts.join(',');
    const sameNames = existsSync(namesFile) && readFileSync(namesFile, 'utf8') === names;
    const pair = sameNames
      ? await this.ensure(name, now, () => make(hosts))
      : this.#write(name, await make(hosts));
    writeWhole(namesFile, names);
    return pair;
  }

  #write(name: string, pair: KeyPair): KeyPair {
    const [certFile, keyFile] = this.#files(name);
    writeWhole(keyFile, pair.key, this.#mode);
    writeWhole(certFile, pair.certificate, this.#mode);
    return pair;
  }

  #files(name: string): [certFile: string, keyFile: string] {
    return [join(this.#dir, `${name}.crt`), join(this.#dir, `${name}.key`)];
  }
}

/** A reader finds the old file or the new one, never half of it. */
function writeWhole(file: string, text: string, mode = PRIVATE): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  writeFileSync(temporary, text, { mode: PRIVATE });
  // whatever the umask is
  chmodSync(temporary, mode);
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
