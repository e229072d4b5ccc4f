import assert from 'node:assert/strict';
import { ApiError } from '../../api/api-error.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { Running, World, type TestServer } from '../../test/support/world.ts';
import { LoopWriter } from '../writer.ts';
import { quotaLoop } from './quota-loop.ts';

describe('quotas of numbers of objects', () => {
  let world: World;
  let a: TestServer;
  let b: TestServer;
  let running: Running;

  beforeEach(async () => {
    world = new World();
    a = await world.server();
    b = await world.server();
    running = new Running(a, quotaLoop(a.parts, new LoopWriter(a.parts)));
    await a.namespace('team');
    await settle();
  });
  afterEach(async () => {
    await running.stop();
    await world.stop();
    assert.deepEqual(running.failures, []);
  });

  const quota = (hard: JsonObject, name = 'limits', spec: JsonObject = {}): Promise<JsonObject> =>
    a.create('', 'resourcequotas', {
      metadata: { name, namespace: 'team' },
      spec: { hard, ...spec },
    });
  const statusOf = async (name = 'limits'): Promise<unknown> =>
    (await a.get({ resource: 'resourcequotas', namespace: 'team', name }))?.['status'];
  const configMap = (name: string): JsonObject => ({ metadata: { name, namespace: 'team' } });
  const remove = (name: string): Promise<void> =>
    a.delete({ resource: 'configmaps', namespace: 'team', name });

  /** What became of it, in one word. */
  async function tried(create: Promise<unknown>): Promise<string> {
    try {
      await create;
      return 'created';
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.reason;
    }
  }
  async function refusal(create: Promise<unknown>): Promise<string> {
    try {
      await create;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return `${error.reason}: ${error.message}`;
    }
    return 'created';
  }

  it('the status says which limits are in force, and what is used', async () => {
    await a.create('', 'configmaps', configMap('old'));
    const hard = {
      'count/configmaps': '3',
      secrets: '5',
      'requests.cpu': '4',
      'count/x.y.com': '1',
    };
    await quota(hard);
    await world.pass(1_000);
    assert.deepEqual(await statusOf(), { hard, used: { 'count/configmaps': '1', secrets: '0' } });
    await b.create('', 'configmaps', configMap('new'));
    assert.equal(getPath((await statusOf()) as JsonObject, 'used', 'count/configmaps'), '2');
    await remove('old');
    await remove('new');
    await world.pass(1_000);
    assert.equal(getPath((await statusOf()) as JsonObject, 'used', 'count/configmaps'), '0');
    const before = world.store.revision;
    await world.pass(600_000);
    assert.equal(world.store.revision, before, 'what is right is not written again');
  });

  it('of many creates on two servers exactly as many succeed as the limit allows', async () => {
    await quota({ 'count/configmaps': '10', configmaps: '12' });
    await quota({ 'count/configmaps': '11' }, 'wider');
    await world.pass(1_000);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        tried((i % 2 === 0 ? a : b).create('', 'configmaps', configMap(`c-${i}`))),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 10);
    assert.equal(outcomes.filter((outcome) => outcome === 'Forbidden').length, 40);
    const used = { 'count/configmaps': '10', configmaps: '10' };
    assert.deepEqual(getPath((await statusOf()) as JsonObject, 'used'), used);
    assert.deepEqual(getPath((await statusOf('wider')) as JsonObject, 'used'), {
      'count/configmaps': '10',
    });
  });

  it('a refusal names the quota, and what was asked for, used and allowed', async () => {
    await quota({ 'count/configmaps': '1', configmaps: '1', secrets: '0' });
    await a.create('', 'configmaps', configMap('one'));
    assert.equal(
      await refusal(b.create('', 'configmaps', configMap('two'))),
      'Forbidden: configmaps "two" is forbidden: exceeded quota: limits, requested: configmaps=1,count/configmaps=1, used: configmaps=1,count/configmaps=1, limited: configmaps=1,count/configmaps=1',
    );
    assert.equal(await tried(a.create('', 'secrets', configMap('s'))), 'Forbidden');
    assert.equal(await tried(a.create('', 'serviceaccounts', configMap('free'))), 'created');
  });

  it('quota freed by a delete is available at once, before any loop runs', async () => {
    await running.stop();
    await quota({ configmaps: '1' });
    for (const name of ['one', 'two', 'three']) {
      await a.create('', 'configmaps', configMap(name));
      await remove(name);
    }
  });

  it('a server that lags behind a limit in force creates nothing beyond it', async () => {
    await quota({ configmaps: '1' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const lagging = await world.server();
    // from here on its replica stands still, and knows no quota of this namespace
    await a.namespace('other');
    await settle();
    world.store.beforeDelivery = () => held;
    const limits = {
      metadata: { name: 'q', namespace: 'other' },
      spec: { hard: { secrets: '0' } },
    };
    const key = 'namespaces/other';
    const { item } = await world.store.get(key);
    const stored = { apiVersion: 'v1', kind: 'ResourceQuota', ...limits, status: {} };
    await world.store.create('resourcequotas/other/q', Buffer.from(JSON.stringify(stored)));
    await world.store.update(key, item!.value, item!.revision);
    const secret = { metadata: { name: 's', namespace: 'other' } };
    const attempt = tried(lagging.create('', 'secrets', secret));
    await settle();
    release();
    assert.equal(await attempt, 'Forbidden');
  });

  it('a new limit is in force once the namespace was written after it', async () => {
    const before = await world.store.get('namespaces/team');
    await quota({ configmaps: '1' });
    await world.pass(1_000);
    const first = await world.store.get('namespaces/team');
    assert.notEqual(first.item!.revision, before.item!.revision);
    assert.deepEqual(first.item!.value, before.item!.value);
    const change = async (hard: JsonObject): Promise<void> => {
      const name = { resource: 'resourcequotas', namespace: 'team', name: 'limits' };
      await a.update(name, (object) => (object.spec.hard = hard));
    };
    await change({ configmaps: '2' });
    await world.pass(1_000);
    const second = await world.store.get('namespaces/team');
    assert.equal(second.item!.revision, first.item!.revision, 'the same limits, another amount');
    await change({ secrets: '2' });
    await world.pass(1_000);
    const third = await world.store.get('namespaces/team');
    assert.notEqual(third.item!.revision, second.item!.revision);
    await change({ configmaps: '2' });
    await world.pass(1_000);
    const fourth = await world.store.get('namespaces/team');
    assert.notEqual(fourth.item!.revision, third.item!.revision, 'one that came back is new');
    assert.deepEqual(await statusOf(), { hard: { configmaps: '2' }, used: { configmaps: '0' } });
  });

  it('a dry run is refused as the create would be, and takes no place', async () => {
    await quota({ configmaps: '1' });
    const dry = (): Promise<string> =>
      tried(a.create('', 'configmaps', configMap('one'), { dryRun: true }));
    assert.equal(await dry(), 'created');
    assert.equal(await tried(a.create('', 'configmaps', configMap('one'))), 'created');
    assert.equal(await dry(), 'Forbidden');
  });

  it('both names of a group and both forms of an Event count the same objects', async () => {
    const keys = ['count/leases.coordination.k8s.io', 'count/leases.coordination.cluster.io'];
    for (const [i, key] of keys.entries()) {
      await a.namespace(`n-${i}`);
      await a.create('', 'resourcequotas', {
        metadata: { name: 'q', namespace: `n-${i}` },
        spec: { hard: { [key]: '0' } },
      });
      const lease = { metadata: { name: 'l', namespace: `n-${i}` } };
      assert.equal(await tried(a.create('coordination.cluster.io', 'leases', lease)), 'Forbidden');
    }
  });

  it('a quota with scopes counts no objects', async () => {
    await quota({ 'count/configmaps': '0' }, 'limits', { scopes: ['BestEffort'] });
    assert.equal(await tried(a.create('', 'configmaps', configMap('one'))), 'created');
    await world.pass(1_000);
    assert.deepEqual(await statusOf(), { hard: { 'count/configmaps': '0' }, used: {} });
  });

  it('never blocks the writes of servers in the system namespace', async () => {
    await a.namespace('cluster-system');
    await a.create('', 'resourcequotas', {
      metadata: { name: 'q', namespace: 'cluster-system' },
      spec: { hard: { 'count/leases.coordination.cluster.io': '0' } },
    });
    const lease = { metadata: { name: 'l', namespace: 'cluster-system' } };
    assert.equal(await tried(a.create('coordination.cluster.io', 'leases', lease)), 'created');
  });
});
