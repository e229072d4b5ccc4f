import { administer } from './etcd-admin.ts';
import { TestEtcd, type EtcdSettings } from './etcd.ts';
import { freePorts, onFreePorts } from './ports.ts';

/** Members of one cluster, started together; leaves none of them when one fails. */
export async function startCluster(
  size: number,
  settings: Pick<EtcdSettings, 'binary'> = {},
): Promise<TestEtcd[]> {
  return onFreePorts(async () => {
    const members = await prepareCluster(size, settings);
    try {
      // all have a process before one can fail
      await Promise.all(members.map((member) => member.spawn()));
      await Promise.all(members.map((member) => member.ready()));
      return members;
    } catch (error) {
      await Promise.all(members.map((member) => member.dispose()));
      throw error;
    }
  });
}

async function prepareCluster(
  size: number,
  settings: Pick<EtcdSettings, 'binary'>,
): Promise<TestEtcd[]> {
  const ports = await freePorts(size);
  const peers = ports.map((port, i) => ({ name: `m${i}`, peerUrl: `http://127.0.0.1:${port}` }));
  const initialCluster = peers.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  return Promise.all(
    peers.map((peer) => TestEtcd.prepare({ ...settings, ...peer, initialCluster })),
  );
}

/** The member that leads at the moment. */
export async function leaderOf(members: readonly TestEtcd[]): Promise<TestEtcd> {
  for (const member of members) {
    // A member that is down does not lead.
    const status = await administer(member, (client) => client.maintenance.status()).catch(
      () => undefined,
    );
    if (status !== undefined && status.header.member_id === status.leader) return member;
  }
  throw new Error('no member leads');
}
