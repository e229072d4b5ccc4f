import { join } from 'node:path';
import { yamlText } from '../../yaml/emit.ts';
import type * as certificates from './certificates.ts';
import type { KeyPair } from './certificates.ts';
import { ensureContent, PairFiles, type OnUnwritable } from './generated-files.ts';

/** The user of the admin kubeconfig. */
export const ADMIN_NAME = 'admin';
export const ADMIN_GROUP = 'system:masters';

/** Loaded where something is made: the library took a tenth of every start. */
const maker = (): Promise<typeof certificates> => import('./certificates.ts');

/** What the server makes for itself once and finds again at the next start. */
interface GeneratedCredentials {
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
  options: {
    servingNames: readonly string[] | undefined;
    now: number;
    onUnwritable?: OnUnwritable | undefined;
  },
): Promise<GeneratedCredentials> {
  const dir = join(dataDir, 'pki');
  const { now, servingNames, onUnwritable } = options;
  const files = new PairFiles(dir, undefined, onUnwritable);
  const authority = await files.ensure('ca', now, async () =>
    (await maker()).makeAuthority('plinth-ca', now),
  );
  const admin = await files.ensure('admin', now, async () =>
    (await maker()).makeClientCertificate(authority, ADMIN_NAME, [ADMIN_GROUP], now),
  );
  if (servingNames === undefined) return { authority, admin, serving: undefined };
  const serving = await files.ensureNamed('serving', servingNames, now, async (names) =>
    (await maker()).makeServingCertificate(authority, names, now),
  );
  return { authority, admin, serving };
}

const PROXY_NAME = 'front-proxy-client';

/**
 * The certificate by which servers behind this one know it, in `<dir>/pki`. Its
 * authority signs nothing else: whom it vouches for may name any user.
 */
export async function ensureProxyIdentity(
  dataDir: string,
  now: number,
  onUnwritable: OnUnwritable,
): Promise<KeyPair> {
  const files = new PairFiles(join(dataDir, 'pki'), undefined, onUnwritable);
  const authority = await files.ensure('front-proxy-ca', now, async () =>
    (await maker()).makeAuthority('front-proxy-ca', now),
  );
  return files.ensure(PROXY_NAME, now, async () =>
    (await maker()).makeClientCertificate(authority, PROXY_NAME, [], now),
  );
}

/** Writes a kubeconfig with which kubectl is the administrator of this server. */
export function writeAdminKubeconfig(
  file: string,
  server: string,
  authorityPem: string,
  admin: KeyPair,
  onUnwritable?: OnUnwritable,
): void {
  ensureContent(file, kubeconfigText('admin', server, authorityPem, admin), onUnwritable);
}

/** A kubeconfig by which a user signs in with a certificate; `authorityPem` verifies the server. */
export function kubeconfigText(
  user: string,
  server: string,
  authorityPem: string,
  pair: KeyPair,
): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return yamlText({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'plinth', cluster: { server, 'certificate-authority-data': base64(authorityPem) } },
    ],
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': base64(pair.certificate),
          'client-key-data': base64(pair.key),
        },
      },
    ],
    contexts: [{ name: 'plinth', context: { cluster: 'plinth', user } }],
    'current-context': 'plinth',
  });
}
