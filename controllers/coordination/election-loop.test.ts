import assert from 'node:assert/strict';
import { getPath, type JsonObject } from '../../api/json.ts';
import { SimulatedCandidate } from '../../test/controllers/simulated-candidate.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { Running, World, type TestServer } from '../../test/support/world.ts';
import { LoopWriter } from '../writer.ts';
import { EventRecorder } from '../events/recorder.ts';
import { candidateGcLoop } from './candidate-gc-loop.ts';
import { ElectionLoop } from './election-loop.ts';

const LOCK = { namespace: 'a', name: 'lock' };
const LEASE = { group: 'coordination.cluster.io', resource: 'leases', ...LOCK };
const FIVE: [string, string, string][] = [
  ['one', '1.37.0', '1.37.0'],
  ['two', '1.37.0', '1.36.0'],
  ['three', '1.36.0', '1.36.0'],
  ['four', '1.36.0', '1.35.0'],
  ['five', '1.37.0', '1.35.0'],
];

describe('election loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running[];
  let candidates: Map<string, SimulatedCandidate>;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('a');
    candidates = new Map();
    running = [];
  });
  afterEach(async () => {
    for (const candidate of candidates.values()) candidate.die();
    for (const one of running) await one.stop();
    await world.stop();
  });

  const run = (on = server): void => {
    running.push(new Running(on, new ElectionLoop(on.parts)));
  };
  async function stand(name: string, binary: string, emulation: string): Promise<void> {
    const candidate = new SimulatedCandidate(server, name, LOCK);
    candidates.set(name, candidate);
    await candidate.start(binary, emulation);
  }
  async function spec(): Promise<JsonObject> {
    return ((await server.get(LEASE))?.['spec'] ?? {}) as JsonObject;
  }
  const holder = async (): Promise<unknown> => (await spec())['holderIdentity'];

  it('elects the candidate of the right version out of five, which keeps the lease', async () => {
    for (const one of FIVE) await stand(...one);
    run();
    await world.pass(1_000);
    assert.equal(await holder(), 'four');
    const lease = await server.get(LEASE);
    assert.equal(getPath(lease, 'spec', 'strategy'), 'OldestEmulationVersion');
    assert.equal(getPath(lease, 'spec', 'leaseDurationSeconds'), 5);
    assert.ok(getPath(lease, 'metadata', 'annotations', 'coordination.cluster.io/elected-by'));
    for (let i = 0; i < 6; i++) {
      await world.pass(20_000);
      assert.equal(await holder(), 'four');
    }
    assert.equal((await spec())['leaseTransitions'], 0);
  });

  it('writes Events about the new and the previous leader', async () => {
    const recorder = new EventRecorder(world.clock);
    await stand('one', '1.37.0', '1.37.0');
    running.push(new Running(server, new ElectionLoop(server.parts, recorder)));
    await world.pass(20_000);
    await stand('two', '1.36.0', '1.36.0');
    await world.pass(20_000);
    const told = recorder.due(10).map(({ occurrence: { reason, note, regarding } }) => {
      return [regarding.name, reason, note.split(' ')[0]];
    });
    assert.deepEqual(told, [
      ['lock', 'LeaderElected', 'one'],
      ['lock', 'LeaderElected', 'two'],
      ['lock', 'LeaderLost', 'one'],
    ]);
  });

  it('asks the holder to yield when a better candidate appears', async () => {
    for (const one of FIVE) await stand(...one);
    run();
    await world.pass(20_000);
    await stand('six', '1.36.0', '1.34.0');
    await world.pass(3_000);
    assert.equal((await spec())['preferredHolder'], 'six');
    assert.equal(await holder(), 'four');
    await world.pass(6_000);
    assert.equal(await holder(), 'six');
    assert.equal((await spec())['preferredHolder'], undefined);
    assert.equal((await spec())['leaseTransitions'], 1);
  });

  it('elects the next best when the holder is gone', async () => {
    for (const one of FIVE) await stand(...one);
    run();
    await world.pass(20_000);
    candidates.get('four')!.die();
    await world.pass(12_000);
    assert.equal(await holder(), 'five');
  });

  it('continues the work of a stopped server', async () => {
    for (const one of FIVE) await stand(...one);
    run();
    await world.pass(3_000);
    await running.pop()!.stop();
    candidates.get('four')!.die();
    await stand('six', '1.36.0', '1.34.0');
    run(await world.server());
    await world.pass(15_000);
    assert.equal(await holder(), 'six');
  });

  it('writes nothing while nothing is to be decided', async () => {
    for (const one of FIVE) await stand(...one);
    run();
    await world.pass(20_000);
    for (const candidate of candidates.values()) candidate.die();
    await server.update(LEASE, (lease) => (lease.spec.renewTime = '2099-01-01T00:00:00.000000Z'));
    const before = world.store.revision;
    await world.pass(600_000);
    assert.equal(world.store.revision, before);
  });

  it('continues with other leases when one cannot be written', async () => {
    const plain = world.store.create.bind(world.store);
    world.store.create = (key, ...rest) =>
      key.endsWith('/lock') ? Promise.reject(new Error('no')) : plain(key, ...rest);
    await stand('one', '1.36.0', '1.36.0');
    const other = new SimulatedCandidate(server, 'other', { namespace: 'a', name: 'other-lock' });
    candidates.set('other', other);
    await other.start('1.36.0', '1.36.0');
    run();
    await world.pass(1_000);
    const lease = await server.get({ ...LEASE, name: 'other-lock' });
    assert.equal(getPath(lease ?? {}, 'spec', 'holderIdentity'), 'other');
    assert.match(running[0]!.runners[0]!.state.lastSummary, /a\/lock: /);
    world.store.create = plain;
    await world.pass(3_000);
    assert.equal(await holder(), 'one');
  });
});

describe('collection of lease candidates', () => {
  it('deletes those that have not renewed for hours, and no other', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    const ago = (hours: number): string =>
      `${new Date(world.clock.now() - hours * 3_600_000).toISOString().slice(0, -1)}000Z`;
    const create = (name: string, renewTime?: string): Promise<JsonObject> =>
      server.create('coordination.cluster.io', 'leasecandidates', {
        metadata: { namespace: 'a', name },
        spec: {
          leaseName: 'x',
          binaryVersion: '1.36.0',
          strategy: 'example.com/x',
          ...(renewTime === undefined ? {} : { renewTime }),
        },
      });
    await create('gone', ago(3.1));
    await create('living', ago(2.9));
    await create('silent');
    const names = (): string[] =>
      [...world.store.stateAt(world.store.revision).keys()]
        .filter((key) => key.includes('leasecandidates'))
        .map((key) => key.split('/').at(-1)!);
    const running = new Running(
      server,
      candidateGcLoop(server.parts, new LoopWriter(server.parts)),
    );
    await world.pass(60_000);
    assert.deepEqual(names(), ['living', 'silent']);
    await world.pass(3_600_000);
    assert.deepEqual(names(), ['silent']);
    await world.pass(3 * 3_600_000);
    assert.deepEqual(names(), []);
    await running.stop();
    await world.stop();
  });

  it('goes on to others, and rests, when many wait for finalizers', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    const create = (name: string, metadata: JsonObject = {}): Promise<JsonObject> =>
      server.create('coordination.cluster.io', 'leasecandidates', {
        metadata: { namespace: 'a', name, ...metadata },
        spec: { leaseName: 'x', binaryVersion: '1.36.0', strategy: 'example.com/x' },
      });
    for (let i = 0; i < 200; i++) await create(`held-${i}`, { finalizers: ['example.com/held'] });
    await create('later');
    await world.pass(4 * 3_600_000);
    const loop = candidateGcLoop(server.parts, new LoopWriter(server.parts));
    const signal = new AbortController().signal;
    for (let steps = 0; (await loop.step(signal)).again === true; steps++) {
      assert.ok(steps < 5, 'the loop never rests');
      await settle();
    }
    const { items } = server.parts.reader.replica.collection(
      'coordination.cluster.io/leasecandidates/',
    );
    assert.equal(items.get('a/later'), undefined);
    assert.equal(items.size, 200);
    await world.stop();
  });
});
