import assert from 'node:assert/strict';
import { getPath, type JsonObject } from '../../api/json.ts';
import { Running, World, type ObjectName, type TestServer } from '../../test/support/world.ts';
import { ServiceCidrLoop } from './service-cidr-loop.ts';

const GROUP = 'networking.cluster.io';
const FINALIZER = 'networking.cluster.io/service-cidr-finalizer';

describe('service CIDR loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
  });
  afterEach(async () => {
    await running?.stop();
    await world.stop();
  });

  async function run(configured: string[] = [], on = server): Promise<void> {
    await running?.stop();
    running = new Running(on, new ServiceCidrLoop(on.parts, configured));
  }
  const cidr = (name: string, ...cidrs: string[]): Promise<JsonObject> =>
    server.create(GROUP, 'servicecidrs', { metadata: { name }, spec: { cidrs } });
  const address = (name: string): Promise<JsonObject> =>
    server.create(GROUP, 'ipaddresses', {
      metadata: { name },
      spec: { parentRef: { resource: 'services', namespace: 'a', name: 'web' } },
    });
  const named = (name: string): ObjectName => ({ group: GROUP, resource: 'servicecidrs', name });
  const free = (name: string): Promise<void> =>
    server.delete({ group: GROUP, resource: 'ipaddresses', name });
  async function ready(name: string): Promise<Record<string, string> | undefined> {
    const conditions = getPath((await server.get(named(name))) ?? {}, 'status', 'conditions');
    return (conditions as Record<string, string>[] | undefined)?.find(
      ({ type }) => type === 'Ready',
    );
  }
  const exists = async (name: string): Promise<boolean> =>
    (await server.get(named(name))) !== undefined;

  it('makes ranges ready and guards them by a finalizer, once', async () => {
    await cidr('pool', '192.0.2.0/24');
    await run();
    await world.pass(3_000);
    assert.equal((await ready('pool'))?.['status'], 'True');
    const object = await server.get(named('pool'));
    assert.deepEqual(getPath(object, 'metadata', 'finalizers'), [FINALIZER]);
    const before = world.store.revision;
    const { state } = running!.runners[0]!;
    const steps = state.steps;
    await world.pass(600_000);
    assert.equal(world.store.revision, before);
    assert.ok(state.steps - steps <= 11, `${state.steps - steps} steps in ten minutes of rest`);
    await server.update(named('pool'), (o) => delete o.metadata.finalizers);
    await world.pass(3_000);
    assert.deepEqual(getPath(await server.get(named('pool')), 'metadata', 'finalizers'), [
      FINALIZER,
    ]);
  });

  it('makes the default object, whose ranges stay until it is deleted', async () => {
    await run(['10.0.0.0/24']);
    await world.pass(3_000);
    const cidrs = async (): Promise<unknown> =>
      getPath((await server.get(named('cluster'))) ?? {}, 'spec', 'cidrs');
    assert.deepEqual(await cidrs(), ['10.0.0.0/24']);
    assert.equal((await ready('cluster'))?.['status'], 'True');
    const both = ['10.9.0.0/24', '2001:db8::/112'];
    await run(both);
    await world.pass(3_000);
    assert.deepEqual(await cidrs(), ['10.0.0.0/24']);
    await server.delete(named('cluster'));
    await world.pass(20_000);
    assert.deepEqual(await cidrs(), both, 'made again after it was deleted');
  });

  it('releases unused ranges after ten seconds of grace', async () => {
    await cidr('pool', '192.0.2.0/24');
    await run();
    await world.pass(3_000);
    await server.delete(named('pool'));
    await world.pass(9_000);
    assert.ok(await exists('pool'));
    await world.pass(2_000);
    assert.ok(!(await exists('pool')));
  });

  it('keeps ranges while an address needs them, and says which', async () => {
    await cidr('pool', '192.0.2.0/24', '2001:db8::/64');
    await address('192.0.2.7');
    await address('2001:db8::7');
    await address('198.51.100.1');
    await run();
    await world.pass(3_000);
    await server.delete(named('pool'));
    await world.pass(3_600_000);
    const condition = await ready('pool');
    assert.deepEqual(
      [condition?.['status'], condition?.['reason']],
      ['False', 'Terminating'],
      'an hour later',
    );
    assert.match(condition!['message']!, /192\.0\.2\.7$/);
    await free('192.0.2.7');
    await world.pass(1_000);
    assert.match((await ready('pool'))!['message']!, /2001:db8::7$/);
    await free('2001:db8::7');
    await world.pass(1_000);
    assert.ok(!(await exists('pool')), 'the last address has woken the loop');
  });

  it('lets ranges go whose addresses another one covers', async () => {
    await cidr('pool', '192.0.2.0/28');
    await cidr('larger', '192.0.2.0/24');
    await address('192.0.2.7');
    await run();
    await world.pass(3_000);
    await server.delete(named('pool'));
    await world.pass(11_000);
    assert.ok(!(await exists('pool')));
    // the other one is the last
    await server.delete(named('larger'));
    await world.pass(60_000);
    assert.equal((await ready('larger'))?.['reason'], 'Terminating');
    await cidr('new', '192.0.2.0/25');
    await world.pass(1_000);
    assert.ok(!(await exists('larger')), 'a new range takes its address over');
  });

  it('does not count a range that is going, too', async () => {
    await cidr('one', '192.0.2.0/24');
    await cidr('two', '192.0.2.0/24');
    await address('192.0.2.7');
    await run();
    await world.pass(3_000);
    await server.delete(named('one'));
    await server.delete(named('two'));
    await world.pass(60_000);
    assert.ok((await exists('one')) && (await exists('two')));
  });

  it('sees an address that came a moment before the range is let go', async () => {
    await cidr('pool', '192.0.2.0/24');
    await run();
    await world.pass(3_000);
    await server.delete(named('pool'));
    await world.pass(9_900);
    await address('192.0.2.9');
    await world.pass(60_000);
    assert.ok(await exists('pool'));
  });

  it('continues with other ranges when one cannot be written', async () => {
    await cidr('a', '192.0.2.0/24');
    await cidr('b', '198.51.100.0/24');
    const plain = world.store.update.bind(world.store);
    world.store.update = (key, ...rest) =>
      key.endsWith('/a') ? Promise.reject(new Error('no')) : plain(key, ...rest);
    await run();
    await world.pass(5_000);
    assert.equal((await ready('b'))?.['status'], 'True');
    assert.equal(await ready('a'), undefined);
    world.store.update = plain;
    await world.pass(60_000);
    assert.equal((await ready('a'))?.['status'], 'True');
  });
});
