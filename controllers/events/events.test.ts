import assert from 'node:assert/strict';
import { parseStoredJson } from '../../api/json-parse.ts';
import { Running, World, type TestServer } from '../../test/support/world.ts';
import { NamespaceLoop } from '../namespaces/namespace-loop.ts';
import { eventLoop } from './event-loop.ts';
import { eventNote, type Occurrence } from './occurrence.ts';
import { ProblemLoop } from './problem-loop.ts';
import { EventRecorder, MAX_EVENTS_PER_OBJECT, MAX_REMEMBERED, SERIES_MS } from './recorder.ts';

const occurrence = (note: string, name = 'hooks'): Occurrence => ({
  regarding: { apiVersion: 'x/v1', kind: 'X', namespace: '', name, uid: `uid-${name}` },
  type: 'Warning',
  reason: 'WebhookFailed',
  action: 'Admitting',
  note,
});

interface Written {
  metadata: { name: string; namespace: string };
  regarding: { kind: string; name: string; uid: string };
  reason: string;
  note: string;
  series?: { count: number };
}

describe('events of the server', () => {
  let world: World;
  let server: TestServer;
  let recorder: EventRecorder;
  const running: Running[] = [];

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('default');
    recorder = new EventRecorder(world.clock);
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    await world.stop();
  });

  const write = (by = recorder, on = server, identity = 'a'): Running => {
    const one = new Running(on, eventLoop(on.unadmitted, by, identity));
    running.push(one);
    return one;
  };
  const events = async (): Promise<Written[]> => {
    const { items } = await world.store.list({ prefix: 'events.cluster.io/events/' });
    return items.map(({ value }) => parseStoredJson(value) as unknown as Written);
  };

  it('writes an Event in default about an object of the cluster', async () => {
    write();
    recorder.record(occurrence('it is down'));
    await world.pass(2_000);
    const [event] = await events();
    assert.equal(event?.metadata.namespace, 'default');
    assert.deepEqual(
      [event.regarding.name, event.reason, event.note],
      ['hooks', 'WebhookFailed', 'it is down'],
    );
    assert.equal(event.series, undefined);
  });

  it('counts repetitions in one Event, written at most once a minute', async () => {
    write();
    recorder.record(occurrence('it is down'));
    await world.pass(2_000);
    const { revision } = world.store;
    for (let i = 0; i < 1_000; i++) recorder.record(occurrence('it is down'));
    await world.pass(SERIES_MS / 2);
    assert.equal(world.store.revision, revision);
    await world.pass(SERIES_MS);
    assert.deepEqual(
      (await events()).map(({ series }) => series?.count),
      [1_001],
    );
    assert.equal(world.store.revision, revision + 1n);
  });

  it('two servers count one occurrence in one Event', async () => {
    const other = await world.server();
    const others = new EventRecorder(world.clock);
    write();
    write(others, other, 'b');
    recorder.record(occurrence('it is down'));
    others.record(occurrence('it is down'));
    await world.pass(2 * SERIES_MS);
    assert.deepEqual(
      (await events()).map(({ series }) => series?.count),
      [2],
    );
  });

  it('bounds the Events about one object, and what is remembered of all', async () => {
    write();
    for (let i = 0; i < 100; i++) recorder.record(occurrence(`reason ${i}`));
    await world.pass(60_000);
    assert.equal((await events()).length, MAX_EVENTS_PER_OBJECT);
    for (let i = 0; i < 3 * MAX_REMEMBERED; i++) recorder.record(occurrence('x', `o${i}`));
    assert.equal(recorder.due(Infinity).length, MAX_REMEMBERED);
  });

  it('a refused write drops the Event and does not stop the loop', async () => {
    const create = world.store.create.bind(world.store);
    let refused = 0;
    world.store.create = () => {
      refused++;
      return Promise.reject(new Error('the disk is full'));
    };
    const one = write();
    recorder.record(occurrence('it is down'));
    await world.pass(120_000);
    assert.deepEqual([refused, one.failures, await events()], [3, [], []]);
    world.store.create = create;
    recorder.record(occurrence('it is down'));
    await world.pass(10_000);
    assert.equal((await events()).length, 1);
  });

  it('cuts a note to what an Event may hold, never within a character', () => {
    const note = eventNote(occurrence('ü'.repeat(1_000)));
    assert.ok(Buffer.byteLength(note) <= 1_024);
    assert.match(note, /^ü+…$/);
  });

  it('tells once why a namespace is stuck, also after the leader has changed', async () => {
    await server.namespace('team');
    await server.create('coordination.cluster.io', 'leases', {
      metadata: { name: 'held', namespace: 'team', finalizers: ['example.com/keep'] },
    });
    write();
    const elected = (): Running =>
      new Running(server, new NamespaceLoop(server.parts), new ProblemLoop(server.parts, recorder));
    let leader = elected();
    await server.delete({ resource: 'namespaces', name: 'team' });
    await world.pass(10_000);
    assert.deepEqual(await events(), []);
    await world.pass(60_000);
    const reasons = (await events()).map(({ reason }) => reason).sort();
    assert.deepEqual(reasons, ['SomeFinalizersRemain', 'SomeResourcesRemain']);
    const [event] = await events();
    assert.deepEqual([event?.regarding.kind, event?.regarding.name], ['Namespace', 'team']);
    await leader.stop();
    leader = elected();
    running.push(leader);
    const { revision } = world.store;
    await world.pass(1_800_000);
    assert.equal(world.store.revision, revision);
  });

  it('tells of names that are taken, and of a group that is unavailable', async () => {
    write();
    running.push(new Running(server, new ProblemLoop(server.parts, recorder)));
    const crd = await definition('gadgets', {
      type: 'NamesAccepted',
      status: 'False',
      reason: 'KindConflict',
    });
    const group = await apiService({
      type: 'Available',
      status: 'False',
      reason: 'FailedDiscoveryCheck',
    });
    await world.pass(5_000);
    const told = (await events()).map(({ regarding, reason }) => [regarding.uid, reason]);
    assert.deepEqual(
      told.sort(),
      [
        [group, 'FailedDiscoveryCheck'],
        [crd, 'KindConflict'],
      ].sort(),
    );
  });

  async function definition(plural: string, condition: object): Promise<string> {
    const group = 'apiextensions.cluster.io';
    const name = `${plural}.example.com`;
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    };
    const names = { plural, kind: 'Gadget' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
    await server.create(group, 'customresourcedefinitions', { metadata: { name }, spec });
    return withCondition(group, 'customresourcedefinitions', name, condition);
  }

  async function apiService(condition: object): Promise<string> {
    const group = 'apiregistration.cluster.io';
    const name = 'v1.remote.example.com';
    const service = { name: 's', namespace: 'default' };
    const spec = {
      group: 'remote.example.com',
      version: 'v1',
      service,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1,
      versionPriority: 1,
    };
    await server.create(group, 'apiservices', { metadata: { name }, spec });
    return withCondition(group, 'apiservices', name, condition);
  }

  async function withCondition(
    group: string,
    resource: string,
    name: string,
    condition: object,
  ): Promise<string> {
    const lastTransitionTime = new Date(world.clock.now()).toISOString();
    const object = await server.update(
      { group, resource, name },
      (one) => (one.status.conditions = [{ ...condition, message: 'why', lastTransitionTime }]),
      'status',
    );
    return (object as unknown as { metadata: { uid: string } }).metadata.uid;
  }
});
