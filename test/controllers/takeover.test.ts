import assert from 'node:assert/strict';
import { EtcdCallError } from '../../storage/etcd/call-error.ts';
import { eventually, type Plinth } from '../support/plinth.ts';
import { each, Fleet, numbers, ok } from './fleet.ts';
import { HttpCandidates } from './http-candidates.ts';

const COORDINATION = '/apis/coordination.cluster.io';
const SYSTEM_LEASES = `${COORDINATION}/v1/namespaces/cluster-system/leases`;
const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const NETWORKING = '/apis/networking.cluster.io/v1';
const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';
const IDENTITY = 'apiserver.cluster.io/identity=plinth';
const LEASE_SECONDS = 2;

/** On a real etcd, three servers, of which the elected one is killed. */
describe('loops, when the elected server is killed', function () {
  let fleet: Fleet;
  let server: Plinth;

  before(async () => {
    fleet = await Fleet.start(
      ...['--leader-elect-lease-duration', String(LEASE_SECONDS)],
      ...['--etcd-compaction-interval', '2', '--event-ttl', '3'],
      ...['--feature-gates', 'CoordinatedLeaderElection=true'],
    );
  });
  before(async () => {
    await ok(
      fleet.living[0]!.send('POST', EVENTS, {
        metadata: { name: 'short' },
        eventTime: '2024-01-01T00:00:00.000000Z',
        ...{ action: 'a', reason: 'r', type: 'Normal' },
        ...{ reportingController: 'example.com/c', reportingInstance: 'i' },
        regarding: { kind: 'Namespace', name: 'default', namespace: 'default' },
      }),
    );
  });
  after(() => fleet.stop());
  beforeEach(async () => {
    server = await fleet.follower();
  });
  afterEach(() => fleet.heal());

  const is404 = async (path: string): Promise<boolean> => (await server.get(path)).status === 404;

  // How soon: controllers/election/elector.test.ts, on a clock of its own.
  it('are run by one server, and after its death by one other', async () => {
    const active = async (one: Plinth): Promise<boolean> => {
      const { loops } = (await one.get('/debug/loops')).json;
      return loops.some(({ elected, active }: any) => elected === true && active === true);
    };
    const running = async (): Promise<Plinth[]> => {
      const states = await Promise.all(fleet.living.map(active));
      return fleet.living.filter((_, i) => states[i]);
    };
    assert.equal((await running()).length, 1);
    await fleet.killLeader();
    const next = await fleet.leader();
    assert.deepEqual(await running(), [next]);
    const { text } = await next.get('/metrics');
    assert.match(text, /^leader_election_master_status\{name="plinth-loops"\} 1$/m);
    assert.match(text, /^plinth_loop_active\{loop="garbage"\} 1$/m);
  });

  it('are handed over by a server that is stopped in good order: it gives its lease back', async () => {
    await fleet.healed();
    const leader = await fleet.leader();
    const [other] = fleet.living.filter((one) => one !== leader);
    const holders: string[] = [];
    const path = `${SYSTEM_LEASES}?watch=1&fieldSelector=metadata.name=plinth-loops`;
    const watch = await other!.watch(path, ({ object }) => {
      holders.push(object.spec.holderIdentity);
    });
    await eventually(() => holders.length > 0, 'the lease as it is');
    const [first] = holders;
    assert.equal(await leader.stop('SIGTERM'), 0);
    await eventually(() => !['', first].includes(holders.at(-1)), 'another elected server');
    watch.close();
    assert.ok(holders.includes(''), 'the lease had to run out');
    await leader.start();
  });

  it('identity: every server keeps its lease, also after a restart', async () => {
    const leases = async (): Promise<Map<string, any>> => {
      const { items } = await ok(server.get(`${SYSTEM_LEASES}?labelSelector=${IDENTITY}`));
      return new Map(items.map(({ metadata, spec }: any) => [metadata.name, spec]));
    };
    await eventually(async () => (await leases()).size === 3, 'three leases');
    const before = await leases();
    await fleet.killLeader();
    await fleet.healed();
    const restarted = async (): Promise<boolean> => {
      const now = await leases();
      const changed = [...now].filter(
        ([name, { holderIdentity }]) => holderIdentity !== before.get(name)?.holderIdentity,
      );
      return now.size === 3 && changed.length === 1;
    };
    await eventually(restarted, 'the lease of the restarted server in the place of its old one');
  });

  it('lease-gc and candidate-gc: what has expired is collected by the next server', async () => {
    const candidates = `${COORDINATION}/v1beta1/namespaces/default/leasecandidates`;
    const lease = (name: string, renewTime: string): Promise<any> =>
      ok(
        server.send('POST', SYSTEM_LEASES, {
          metadata: { name, labels: { 'apiserver.cluster.io/identity': 'plinth' } },
          spec: { holderIdentity: name, leaseDurationSeconds: 3600, renewTime },
        }),
      );
    const candidate = (name: string, renewTime: string): Promise<any> =>
      ok(
        server.send('POST', candidates, {
          metadata: { name },
          spec: {
            leaseName: 'unheld',
            binaryVersion: '1.36.0',
            strategy: 'example.com/x',
            renewTime,
          },
        }),
      );
    const [past, now] = [
      '2020-01-01T00:00:00.000000Z',
      `${new Date().toISOString().slice(0, -1)}000Z`,
    ];
    for (const make of [lease, candidate]) {
      await make('expired', past);
      await make('living', now);
    }
    await fleet.killLeader();
    await eventually(() => is404(`${SYSTEM_LEASES}/expired`), 'the end of the lease');
    await eventually(() => is404(`${candidates}/expired`), 'the end of the candidate');
    await ok(server.get(`${SYSTEM_LEASES}/living`));
    await ok(server.get(`${candidates}/living`));
    await ok(server.send('DELETE', `${SYSTEM_LEASES}/living`));
  });

  it('crd-names: definitions made meanwhile are established', async () => {
    const create = (i: number): Promise<any> =>
      ok(
        server.send('POST', CRDS, {
          metadata: { name: `things.g${i}.example.com` },
          spec: {
            group: `g${i}.example.com`,
            scope: 'Cluster',
            names: { plural: 'things', kind: 'Thing' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object' } },
              },
            ],
          },
        }),
      );
    const creating = each(numbers(40), create);
    await fleet.killLeader();
    await creating;
    await each(numbers(40), (i) =>
      eventually(
        async () => (await server.get(`/apis/g${i}.example.com/v1/things`)).status === 200,
        `things of group ${i}`,
      ),
    );
  });

  it('system-namespaces: a namespace that is deleted meanwhile is created again', async () => {
    const path = '/api/v1/namespaces/cluster-node-lease';
    const { uid } = (await ok(server.get(path))).metadata;
    await fleet.killLeader();
    await ok(server.send('DELETE', path));
    await eventually(async () => {
      const { metadata, status } = (await server.get(path)).json;
      return metadata?.uid !== undefined && metadata.uid !== uid && status.phase === 'Active';
    }, 'another namespace of that name');
  });

  it('service-cidrs: a range is kept while an address needs it', async () => {
    const path = `${NETWORKING}/servicecidrs/pool`;
    const address = `${NETWORKING}/ipaddresses/198.18.0.7`;
    await ok(
      server.send('POST', `${NETWORKING}/servicecidrs`, {
        metadata: { name: 'pool' },
        spec: { cidrs: ['198.18.0.0/24'] },
      }),
    );
    const ready = async (): Promise<any> =>
      (await server.get(path)).json?.status?.conditions?.[0] ?? {};
    await eventually(async () => (await ready()).status === 'True', 'readiness');
    await ok(
      server.send('POST', `${NETWORKING}/ipaddresses`, {
        metadata: { name: '198.18.0.7' },
        spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
      }),
    );
    await fleet.killLeader();
    await ok(server.send('DELETE', path));
    await eventually(async () => (await ready()).reason === 'Terminating', 'the condition');
    await ok(server.send('DELETE', address));
    assert.ok(!(await is404(path)));
  });

  it('elections: of five candidates the right one is elected, and a better one that comes', async () => {
    const candidates = new HttpCandidates(server, 'lock');
    const holder = async (): Promise<unknown> => (await candidates.lease()).holderIdentity;
    await Promise.all([
      candidates.stand('one', '1.37.0', '1.37.0'),
      candidates.stand('two', '1.37.0', '1.36.0'),
      candidates.stand('three', '1.36.0', '1.36.0'),
      candidates.stand('four', '1.36.0', '1.35.0'),
      candidates.stand('five', '1.37.0', '1.35.0'),
    ]);
    const stop = candidates.run();
    try {
      // the first one to come is elected as long as it is alone
      await eventually(async () => (await holder()) === 'four', 'the election');
      const { leaseTransitions } = await candidates.lease();
      candidates.preferred.clear();
      await fleet.killLeader();
      await candidates.stand('six', '1.36.0', '1.34.0');
      await eventually(async () => (await holder()) === 'six', 'the better holder');
      assert.equal((await candidates.lease()).leaseTransitions, Number(leaseTransitions) + 1);
      assert.deepEqual([...candidates.preferred], ['six']);
    } finally {
      await stop();
    }
  });

  it('compaction: history goes on being cut', async () => {
    const revisionNow = async (): Promise<bigint> =>
      BigInt((await ok(server.get('/api/v1/namespaces'))).metadata.resourceVersion);
    const client = fleet.etcd.client();
    const isCut = async (revision: bigint): Promise<boolean> => {
      try {
        await client.call('range', { key: Buffer.from('x'), revision }, { timeoutMs: 2_000 });
        return false;
      } catch (error) {
        return error instanceof EtcdCallError && error.failure === 'compacted';
      }
    };
    try {
      const before = (await revisionNow()) - 1n;
      await eventually(() => isCut(before), 'the cut before the elected server died');
      await fleet.killLeader();
      const after = await revisionNow();
      assert.ok(!(await isCut(after)));
      await eventually(() => isCut(after - 1n), 'the cut by the next server');
    } finally {
      client.close();
    }
  });

  it('service-cidrs: the range went when nothing needed it any more', async () => {
    await eventually(() => is404(`${NETWORKING}/servicecidrs/pool`), 'the end of the range');
    assert.ok(!(await is404(`${NETWORKING}/servicecidrs/cluster`)));
  });

  it('Events went when their time was over', async () => {
    await eventually(() => is404(`${EVENTS}/short`), 'the end of the Event');
  });
});
