import { Etcd3 } from 'etcd3';
import type { TestEtcd } from './etcd.ts';

/** What an administrator does to an etcd, through the plain client. */
export async function administer<T>(
  etcd: TestEtcd,
  action: (client: Etcd3) => Promise<T>,
  auth?: { username: string; password: string },
): Promise<T> {
  const client = new Etcd3({ hosts: etcd.url, ...(auth === undefined ? {} : { auth }) });
  try {
    return await action(client);
  } finally {
    client.close();
  }
}

/** Gives back the space that compaction has freed, and lets etcd take writes again. */
export async function makeRoom(etcd: TestEtcd): Promise<void> {
  await administer(etcd, async (client) => {
    await client.maintenance.defragment();
    const { alarms } = await client.maintenance.alarm({ action: 'Get' });
    for (const { alarm, memberID } of alarms) {
      await client.maintenance.alarm({ action: 'Deactivate', alarm, memberID });
    }
  });
}

export const ROOT = { username: 'root', password: 'root-secret' };
/** May read and write below `/registry/` and nothing else. */
export const WRITER = { username: 'writer', password: 'writer-secret' };
/** Exists, and may do nothing. */
export const GUEST = { username: 'guest', password: 'guest-secret' };

/** Switches authentication on. */
export async function enableAuth(etcd: TestEtcd): Promise<void> {
  await administer(etcd, async (client) => {
    for (const { username, password } of [ROOT, WRITER, GUEST]) {
      await client.auth.userAdd({ name: username, password });
    }
    await client.auth.roleAdd({ name: 'root' });
    await client.auth.roleAdd({ name: 'registry' });
    await client.auth.roleGrantPermission({
      name: 'registry',
      perm: {
        permType: 'Readwrite',
        key: Buffer.from('/registry/'),
        range_end: Buffer.from('/registry0'),
      },
    });
    await client.auth.userGrantRole({ user: ROOT.username, role: 'root' });
    await client.auth.userGrantRole({ user: WRITER.username, role: 'registry' });
    await client.auth.authEnable();
  });
}
