import { freePorts, TestEtcd, type EtcdSettings } from './etcd.ts';

/** Members of one cluster, started together. */
export async function startCluster(
  size: number,
  settings: Pick<EtcdSettings, 'binary'> = {},
): Promise<TestEtcd[]> {
  const ports = await freePorts(size);
  const peers = ports.map((port, i) => ({ name: `m${i}`, peerUrl: `http://127.0.0.1:${port}` }));
  const initialCluster = peers.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  const members = await Promise.all(
    peers.map((peer) => TestEtcd.prepare({ ...settings, ...peer, initialCluster })),
  );
  await Promise.all(members.map((member) => member.spawn()));
  await Promise.all(members.map((member) => member.ready()));
  return members;
}

/** The member that leads at the moment. */
export async function leaderOf(members: readonly TestEtcd[]): Promise<TestEtcd> {
  for (const member of members) {
    const client = await member.client();
    try {
      const { header, leader } = await client.call('status', {}, { timeoutMs: 1_000 });
      if (header.member_id === leader) return member;
    } catch {
      // A member that is down does not lead.
    } finally {
      client.close();
    }
  }
  throw new Error('no member leads');
}
