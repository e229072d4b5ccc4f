import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePeerCertificate, makeServingCertificate, type KeyPair } from './certificates.ts';
import { makeAuthority, makeClientCertificate } from './certificates.ts';
import { writeAdminKubeconfig } from './credentials.ts';
import { ensureContent, PairFiles } from './generated-files.ts';
import { ACCEPTED_KEYS_FILE, ensureSharedSigningKey, SIGNING_KEY_FILE } from './signing-key.ts';

interface Installation {
  readonly etcdHosts: readonly string[];
  readonly serverHosts: readonly string[];
  /** Where kubectl finds the servers. */
  readonly url: string;
  /** Puts what each process needs in a directory of its own. */
  readonly separate: boolean;
  /** Another key signs tokens of service accounts from now on. */
  readonly replaceSigningKey?: boolean;
  readonly now: number;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];
/** Read by the processes of the installation, which share a group and not a user. */
const GROUP_READABLE = 0o640;
const GROUP_DIRECTORY = 0o750;
const PRIVATE = 0o600;

/**
 * What each process needs. None gets the key of an authority or of the
 * administrator. etcd's own client certificate is for its health check.
 */
const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  etcd: ['etcd-ca.crt', 'etcd.crt', 'etcd.key', 'etcd-client.crt', 'etcd-client.key'],
  server: [
    ...['ca.crt', 'serving.crt', 'serving.key'],
    ...['etcd-ca.crt', 'etcd-client.crt', 'etcd-client.key'],
    // in this order: a server that signs by a new key has accepted it before
    ...[ACCEPTED_KEYS_FILE, SIGNING_KEY_FILE],
  ],
  prometheus: ['ca.crt', 'metrics.crt', 'metrics.key'],
  grafana: ['grafana-password'],
};
const PASSWORD_BYTES = 24;

/**
 * The credentials of all processes of an installation in one directory. Two
 * authorities, so that a client certificate of the API is not valid at etcd.
 */
export async function writeInstallation(dir: string, installation: Installation): Promise<void> {
  const { etcdHosts, serverHosts, url, now, separate, replaceSigningKey = false } = installation;
  const mode = separate ? PRIVATE : GROUP_READABLE;
  const files = new PairFiles(dir, mode);
  ensureSharedSigningKey(dir, mode, replaceSigningKey);
  const etcdAuthority = await files.ensure('etcd-ca', now, () => makeAuthority('etcd-ca', now));
  const authority = await files.ensure('ca', now, () => makeAuthority('plinth-ca', now));
  const named = (name: string, hosts: readonly string[], make: Maker): Promise<KeyPair> =>
    files.ensureNamed(name, [...new Set([...LOCAL_HOSTS, ...hosts])], now, make);
  await named('etcd', etcdHosts, (hosts) => makePeerCertificate(etcdAuthority, hosts, now));
  await files.ensure('etcd-client', now, () =>
    makeClientCertificate(etcdAuthority, 'plinth', [], now),
  );
  await named('serving', serverHosts, (hosts) => makeServingCertificate(authority, hosts, now));
  await files.ensure('metrics', now, () =>
    makeClientCertificate(authority, 'prometheus', ['system:monitoring'], now),
  );
  const admin = await files.ensure('admin', now, () =>
    makeClientCertificate(authority, 'admin', ['system:masters'], now),
  );
  writeAdminKubeconfig(join(dir, 'admin.kubeconfig'), url, authority.certificate, admin);
  if (separate) {
    ensurePassword(join(dir, 'grafana-password'));
    handOut(dir);
  }
}

/** Grafana keeps the password of its first start, so one that is there is never replaced. */
function ensurePassword(file: string): void {
  if (existsSync(file)) return;
  ensureContent(file, randomBytes(PASSWORD_BYTES).toString('base64url'));
}

function handOut(dir: string): void {
  for (const [holder, names] of Object.entries(HOLDERS)) {
    const own = join(dir, holder);
    mkdirSync(own, { recursive: true, mode: GROUP_DIRECTORY });
    for (const name of names) {
      const text = readFileSync(join(dir, name), 'utf8');
      ensureContent(join(own, name), text, undefined, GROUP_READABLE);
    }
  }
}

type Maker = (hosts: readonly string[]) => Promise<KeyPair>;
