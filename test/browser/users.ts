import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Plinth } from '../support/plinth.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const GROUP = 'rbac.authorization.cluster.io';

/** Makes a user with a certificate; the answer is the path of the kubeconfig. */
export function addUser(plinth: Plinth, name: string): string {
  const kubeconfig = join(plinth.dataDir, `${name}.kubeconfig`);
  execFileSync(process.execPath, [
    ...['dist/server/main.js', 'user', 'add', name, '--out', kubeconfig],
    ...['--kubeconfig', plinth.kubeconfig],
  ]);
  return kubeconfig;
}

/** Grants rules to a user in one namespace. */
export async function grant(
  plinth: Plinth,
  user: string,
  namespace: string,
  rules: readonly object[],
): Promise<void> {
  const metadata = { name: `${user}-rules`, namespace };
  const root = `${RBAC}/namespaces/${namespace}`;
  await made(plinth, `${root}/roles`, { metadata, rules });
  await made(plinth, `${root}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: GROUP, kind: 'Role', name: metadata.name },
    subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
  });
}

/** Binds a user to a ClusterRole everywhere. */
export async function grantEverywhere(plinth: Plinth, user: string, role: string): Promise<void> {
  await made(plinth, `${RBAC}/clusterrolebindings`, {
    metadata: { name: `${user}-${role}` },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
  });
}

/** Creates an object. @throws Error when the server refuses it */
export async function made(plinth: Plinth, path: string, object: object): Promise<void> {
  const reply = await plinth.send('POST', path, object);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
}
