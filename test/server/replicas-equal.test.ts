import assert from 'node:assert/strict';
import { TestEtcd } from '../support/etcd.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const EVERY_SECOND = ['--replica-comparison-interval', '1'];

describe('G28: replicas stay equal to the store', () => {
  let etcd: TestEtcd;
  let proxy: TcpProxy;
  let honest: Plinth;
  let misled: Plinth;
  before(async () => {
    etcd = await TestEtcd.start();
    proxy = await TcpProxy.to(etcd.url);
    honest = await Plinth.start({ args: ['--etcd-servers', etcd.url, ...EVERY_SECOND] });
    misled = await Plinth.start({ args: ['--etcd-servers', proxy.url, ...EVERY_SECOND] });
  });
  after(async () => {
    await misled.dispose();
    await honest.dispose();
    await proxy.close();
    await etcd.dispose();
  });

  const write = async (name: string): Promise<void> => {
    assert.equal((await honest.send('POST', LEASES, { metadata: { name } })).status, 201);
  };
  const shown = async (server: Plinth): Promise<string[]> => {
    const { json } = await server.get(`${LEASES}?resourceVersion=0`);
    return (json.items ?? []).map(({ metadata }: any) => metadata.name);
  };
  const compared = async (server: Plinth, result: string): Promise<number> => {
    const { text } = await server.get('/metrics');
    const line = new RegExp(`^plinth_replica_comparisons_total{result="${result}"} (\\d+)$`, 'm');
    return Number(line.exec(text)?.[1]);
  };

  it('every server compares them again and again, while others write', async () => {
    const goals = await Promise.all(
      [honest, misled].map(async (server) => (await compared(server, 'equal')) + 2),
    );
    let written = 0;
    await eventually(async () => {
      await write(`written-${written++}`);
      const counts = await Promise.all([honest, misled].map((s) => compared(s, 'equal')));
      return counts.every((count, i) => count >= goals[i]!);
    }, 'two comparisons of each');
    for (const server of [honest, misled]) assert.equal(await compared(server, 'different'), 0);
  });

  it('a replica that differs from the store is detected, reported and reloaded', async () => {
    let ended = '';
    const watch = await misled.watch(`${LEASES}?watch=1`, ({ type, object }) => {
      if (type === 'ERROR') ended = object.reason;
    });
    proxy.falsify({ text: 'as-stored', by: 'falsified' });
    await write('as-stored');
    await eventually(async () => (await shown(misled)).includes('falsified'), 'the falsehood');
    proxy.falsify(undefined);
    await eventually(async () => (await compared(misled, 'different')) === 1, 'it is noticed');
    await eventually(async () => (await shown(misled)).includes('as-stored'), 'the truth');
    assert.deepEqual(await shown(misled), await shown(honest));
    await watch.ended;
    assert.equal(ended, 'Expired', 'who watched has to read again');
    assert.match(misled.output, /1 of \d+ keys differ|2 of \d+ keys differ/);
    assert.equal(await compared(honest, 'different'), 0);
    const equal = await compared(misled, 'equal');
    await eventually(async () => (await compared(misled, 'equal')) > equal, 'all is well again');
  });
});
