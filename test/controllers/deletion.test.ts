import assert from 'node:assert/strict';
import { eventually, type Plinth } from '../support/plinth.ts';
import { each, Fleet, numbers, ok } from './fleet.ts';

const HOLD = 'example.com/hold';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces';
const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** On a real etcd, three servers, of which the elected one is killed in the middle of each deletion. */
describe('deletions by loops, when the elected server is killed in the middle', function () {
  let fleet: Fleet;
  let server: Plinth;
  let count = 0;
  let namespace = '';

  before(async () => {
    fleet = await Fleet.start('--leader-elect-lease-duration', '2');
  });
  after(() => fleet.stop());
  beforeEach(async () => {
    server = await fleet.follower();
    namespace = `n${count++}`;
    await ok(server.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } }));
  });
  afterEach(() => fleet.heal());

  const path = (name = ''): string => `${LEASES}/${namespace}/leases${name && `/${name}`}`;
  const create = (metadata: { name: string; [field: string]: unknown }): Promise<any> =>
    ok(server.send('POST', path(), { metadata }));
  const remove = (name: string, propagationPolicy: string): Promise<any> =>
    ok(server.send('DELETE', path(name), { propagationPolicy }));
  const patch = (name: string, metadata: object): Promise<any> =>
    ok(
      server.send(
        'PATCH',
        path(name),
        { metadata },
        { 'content-type': 'application/merge-patch+json' },
      ),
    );
  const ownedBy = (owner: any, more: object = {}): object => {
    const { name, uid } = owner.metadata;
    return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, ...more };
  };
  const names = async (): Promise<string[]> =>
    (await ok(server.get(path()))).items.map((item: any) => item.metadata.name);
  const left = (): Promise<number> => fleet.keys(`coordination.cluster.io/leases/${namespace}/`);

  /** Begins a deletion, and kills the elected server once it is at work, and before it is done. */
  async function killAmidst(
    begin: () => Promise<unknown>,
    total: number,
    remaining: () => Promise<number>,
  ): Promise<void> {
    await fleet.healed();
    const kill = await fleet.readyToKill();
    await begin();
    await eventually(async () => (await remaining()) < total, 'the beginning of the deletions');
    await kill();
    assert.ok((await remaining()) > 0, 'all was done before the server was killed');
  }

  it('a namespace is emptied, says what holds it back, and goes', async () => {
    await each(numbers(400), (i) => create({ name: `l${i}` }));
    await create({ name: 'held', finalizers: [HOLD] });
    const begin = (): Promise<any> => ok(server.send('DELETE', `/api/v1/namespaces/${namespace}`));
    await killAmidst(begin, 401, left);
    const conditions = async (): Promise<any[]> =>
      (await ok(server.get(`/api/v1/namespaces/${namespace}`))).status.conditions ?? [];
    await eventually(
      async () =>
        (await conditions()).some(
          ({ type, message }) =>
            type === 'NamespaceFinalizersRemaining' &&
            message.includes(`${HOLD}: leases.coordination.cluster.io/held`),
        ),
      'the condition that names the object',
    );
    assert.deepEqual(await names(), ['held']);
    await patch('held', { finalizers: null });
    const gone = async (): Promise<boolean> =>
      (await server.get(`/api/v1/namespaces/${namespace}`)).status === 404;
    await eventually(gone, 'the end of the namespace');
    assert.equal(await left(), 0);
  });

  it('dependents in the background go, all the way down, and no other', async () => {
    const root = await create({ name: 'root' });
    const other = await create({ name: 'other' });
    await each(numbers(200), async (i) => {
      const child = await create({ name: `child-${i}`, ownerReferences: [ownedBy(root)] });
      await create({ name: `grandchild-${i}`, ownerReferences: [ownedBy(child)] });
    });
    const both = [ownedBy(root), ownedBy(other)];
    await each(numbers(20), (i) => create({ name: `shared-${i}`, ownerReferences: both }));
    await killAmidst(() => remove('root', 'Background'), 421, left);
    await eventually(async () => (await left()) === 21, 'the deletion of objects without owners');
    const kept = (await names()).sort();
    assert.deepEqual(kept, ['other', ...numbers(20).map((i) => `shared-${i}`)].sort());
    await eventually(async () => {
      const { items } = await ok(server.get(path()));
      const references = items.flatMap(({ metadata }: any) => metadata.ownerReferences ?? []);
      return references.every(({ uid }: any) => uid === other.metadata.uid);
    }, 'the end of references to the owner that is gone');
  });

  it('an owner in the foreground waits for the last of its dependents', async () => {
    const owner = await create({ name: 'owner' });
    const ownerReferences = [ownedBy(owner, { blockOwnerDeletion: true })];
    await each(numbers(200), (i) => create({ name: `child-${i}`, ownerReferences }));
    await create({ name: 'held', ownerReferences, finalizers: [HOLD] });
    await killAmidst(() => remove('owner', 'Foreground'), 202, left);
    await eventually(async () => (await left()) === 2, 'the end of what nothing holds');
    assert.deepEqual((await names()).sort(), ['held', 'owner']);
    await patch('held', { finalizers: null });
    await eventually(async () => (await left()) === 0, 'the end of both');
  });

  it('orphans stay, without their owner', async () => {
    const owner = await create({ name: 'owner' });
    const ownerReferences = [ownedBy(owner)];
    await each(numbers(300), (i) => create({ name: `child-${i}`, ownerReferences }));
    const owned = async (): Promise<number> =>
      (await ok(server.get(path()))).items.filter(
        ({ metadata }: any) => metadata.ownerReferences !== undefined,
      ).length;
    await killAmidst(() => remove('owner', 'Orphan'), 300, owned);
    await eventually(async () => (await left()) === 300, 'the end of the owner');
    assert.equal(await owned(), 0);
  });

  it('instances of a definition go before the definition does', async () => {
    const group = `${namespace}.example.com`;
    const name = `things.${group}`;
    await ok(
      server.send('POST', CRDS, {
        metadata: { name },
        spec: {
          group,
          scope: 'Namespaced',
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
    const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
    const isServed = async (): Promise<boolean> => (await server.get(things)).status === 200;
    await eventually(isServed, 'the resource');
    const body = { apiVersion: `${group}/v1`, kind: 'Thing' };
    await each(numbers(300), (i) =>
      ok(server.send('POST', things, { ...body, metadata: { name: `t${i}` } })),
    );
    const remaining = (): Promise<number> => fleet.keys(`${group}/things/`);
    await killAmidst(() => ok(server.send('DELETE', `${CRDS}/${name}`)), 300, remaining);
    const isGone = async (): Promise<boolean> =>
      (await server.get(`${CRDS}/${name}`)).status === 404;
    await eventually(isGone, 'the end of the definition');
    assert.equal(await remaining(), 0);
  });

  it('a server that was frozen amidst its work and wakes up does no harm', async () => {
    const owner = await create({ name: 'owner' });
    const ownerReferences = [ownedBy(owner)];
    await each(numbers(300), (i) => create({ name: `child-${i}`, ownerReferences }));
    await fleet.healed();
    const freeze = await fleet.readyToFreeze();
    await remove('owner', 'Background');
    await eventually(async () => (await left()) < 300, 'the beginning of the deletions');
    const thaw = freeze();
    try {
      await eventually(async () => (await left()) === 0, 'the end of the dependents');
      // others of the same names, which the frozen server does not know of
      await each(numbers(300), (i) => create({ name: `child-${i}` }));
    } finally {
      thaw();
    }
    await eventually(async () => {
      const pages = await Promise.all(fleet.living.map((one) => one.get('/debug/loops')));
      const active = pages.filter(({ json }) =>
        json.loops.some((loop: any) => loop.name === 'garbage' && (loop.active || loop.running)),
      );
      return active.length === 1;
    }, 'the end of the loops on the server that is elected no more');
    assert.equal(await left(), 300);
  });
});
