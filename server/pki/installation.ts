import { join } from 'node:path';
import { makePeerCertificate, makeServingCertificate, type KeyPair } from './certificates.ts';
import { makeAuthority, makeClientCertificate } from './certificates.ts';
import { writeAdminKubeconfig } from './credentials.ts';
import { PairFiles } from './generated-files.ts';

export interface Installation {
  readonly etcdHosts: readonly string[];
  readonly serverHosts: readonly string[];
  /** Where kubectl finds the servers. */
  readonly url: string;
  readonly now: number;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];
/** Read by the processes of the installation, which share a group and not a user. */
const GROUP_READABLE = 0o640;

/**
 * The credentials of all processes of an installation in one directory. Two
 * authorities, so that a client of the API is nobody at etcd.
 */
export async function writeInstallation(dir: string, installation: Installation): Promise<void> {
  const { etcdHosts, serverHosts, url, now } = installation;
  const files = new PairFiles(dir, GROUP_READABLE);
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
}

type Maker = (hosts: readonly string[]) => Promise<KeyPair>;
