import assert from 'node:assert/strict';
import { Seeded } from '../../test/support/seeded.ts';
import { ApiClient } from '../client.ts';
import { FakeStreamServer, FakeTimers } from '../testing.ts';
import { LiveStream } from './live.ts';
import type { LiveState } from './live-options.ts';
import type { LiveEvent } from './subscription.ts';

const REF = { group: '', version: 'v1', resource: 'configmaps' };

class World {
  readonly server = new FakeStreamServer();
  readonly timers = new FakeTimers();
  readonly states: LiveState[] = [];
  /** Answers of plain requests: snapshots, and why a socket was refused. */
  answer: () => Response = () => new Response('{}', { status: 400 });
  readonly client = new ApiClient({
    baseUrl: 'https://plinth.test',
    fetch: () => Promise.resolve(this.answer()),
  });
  readonly live = new LiveStream({
    client: this.client,
    openSocket: this.server.open,
    timers: this.timers,
    random: () => 0,
    onState: (state) => this.states.push(state),
  });

  follow(from?: string): LiveEvent[] {
    const events: LiveEvent[] = [];
    this.live.subscribe({ ref: REF, from }, (event) => events.push(event));
    return events;
  }

  /** Lets promises, timers of now, and sockets go on. */
  async settle(ms = 0): Promise<void> {
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      this.timers.advance(i === 0 ? ms : 0);
      this.server.settle();
    }
  }
}

const shown = (events: readonly LiveEvent[]): string[] =>
  events.map((event) =>
    'object' in event
      ? `${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`
      : event.type,
  );

const LONGEST_WAIT_MS = 30_000;

describe('the stream of the client', () => {
  it('delivers the state, then the changes', async () => {
    const world = new World();
    world.server.write(['a'], 'ADDED');
    const events = world.follow();
    await world.settle();
    world.server.write(['a', 'b']);
    world.server.deliver();
    assert.deepEqual(shown(events), [
      ...['RESET', 'ADDED a@11', 'SYNCED', 'MODIFIED a@12', 'MODIFIED b@12'],
    ]);
  });

  for (let seed = 1; seed <= 200; seed++) {
    it(`loses no event and repeats none, wherever connections are cut (seed ${seed})`, async () => {
      const random = new Seeded(seed);
      const world = new World();
      const { server } = world;
      const events = world.follow('10');
      await world.settle();
      for (let i = 0; i < 60; i++) {
        const names = ['a', 'b', 'c'].filter(() => random.next() < 0.6);
        if (random.next() < 0.2) server.bookmark();
        server.write(names);
        server.deliver(random.below(6));
        if (random.next() < 0.3) server.cut();
        server.isDown = random.next() < 0.1;
        if (random.next() < 0.5) await world.settle(LONGEST_WAIT_MS);
      }
      server.isDown = false;
      await world.settle(LONGEST_WAIT_MS);
      server.deliver();
      const wanted = server.log.map(
        ({ revision, type, object }) => `${type} ${object.metadata.name}@${revision}`,
      );
      assert.deepEqual(
        shown(events).filter((text) => text !== 'SYNCED'),
        wanted,
      );
    });
  }

  it('sends changes from now on, all of them after a loss, and says when some may be missing', async () => {
    const world = new World();
    const { server } = world;
    server.write(['a'], 'ADDED');
    const events: LiveEvent[] = [];
    world.live.subscribe({ ref: REF, isFromNow: true }, (event) => events.push(event));
    await world.settle();
    server.write(['b'], 'ADDED');
    server.write(['c'], 'ADDED');
    server.deliver(2);
    assert.deepEqual(shown(events.splice(0)), ['RESET', 'SYNCED', 'ADDED b@12']);
    server.cut();
    server.write(['d'], 'ADDED');
    await world.settle(1_000);
    server.deliver();
    assert.deepEqual(shown(events.splice(0)), ['ADDED c@13', 'ADDED d@14', 'SYNCED']);
    server.cut();
    server.write(['e'], 'ADDED');
    server.compacted = server.revision;
    await world.settle(1_000);
    server.deliver();
    await world.settle(1_000);
    server.write(['f'], 'ADDED');
    server.deliver();
    assert.deepEqual(shown(events), ['RESET', 'SYNCED', 'ADDED f@16']);
  });

  it('restarts an initial state that was cut before it was complete', async () => {
    const world = new World();
    world.server.write(['a', 'b'], 'ADDED');
    const events = world.follow();
    await world.settle();
    world.server.deliver(1);
    world.server.cut();
    await world.settle(1_000);
    world.server.deliver();
    const state = ['ADDED a@11', 'ADDED b@11', 'SYNCED'];
    assert.deepEqual(shown(events), ['RESET', 'ADDED a@11', 'RESET', ...state]);
  });

  it('lists again at one revision after the history was compacted', async () => {
    const world = new World();
    const { server } = world;
    const events = world.follow();
    await world.settle();
    server.deliver();
    server.cut();
    server.write(['a'], 'ADDED');
    server.write(['b'], 'ADDED');
    server.compacted = server.revision;
    world.answer = () =>
      Response.json({
        metadata: { resourceVersion: String(server.revision) },
        lists: [{ id: 'x', list: { metadata: {}, items: [...server.objects.values()] } }],
      });
    await world.settle(1_000);
    server.deliver();
    await world.settle();
    server.write(['b'], 'DELETED');
    server.deliver();
    assert.deepEqual(shown(events).slice(2), [
      ...['RESET', 'ADDED a@11', 'ADDED b@12', 'SYNCED', 'SYNCED', 'DELETED b@13'],
    ]);
  });

  it('reports once that the history after a list was compacted', async () => {
    const world = new World();
    world.server.compacted = 11;
    const events = world.follow('10');
    await world.settle();
    world.server.deliver();
    world.server.cut();
    await world.settle(1_000);
    assert.deepEqual(shown(events), ['EXPIRED']);
  });

  it('backs off between attempts, up to half a minute', async () => {
    const world = new World();
    world.server.isDown = true;
    world.follow();
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      await world.settle();
      const last = world.states.at(-1);
      assert.ok(last?.state === 'waiting');
      waits.push(last.retryAt - world.timers.now());
      await world.settle(waits.at(-1));
    }
    assert.deepEqual(waits.slice(0, 4), [250, 500, 1000, 2000]);
    assert.equal(Math.max(...waits), LONGEST_WAIT_MS / 2);
  });

  it('ends when the server refuses the user', async () => {
    const world = new World();
    world.server.isDown = true;
    world.answer = () =>
      Response.json({ kind: 'Status', code: 401, reason: 'Unauthorized' }, { status: 401 });
    world.follow();
    await world.settle();
    await world.settle(LONGEST_WAIT_MS);
    assert.equal(world.states.at(-1)?.state, 'ended');
    assert.equal(world.server.opened, 1);
  });

  it('replaces a silent connection, and one that was suspended', async () => {
    const world = new World();
    world.follow();
    await world.settle();
    world.server.deliver();
    await world.settle(140_000);
    assert.equal(world.server.opened, 1);
    await world.settle(30_000);
    assert.equal(world.server.opened, 2);
    world.timers.sleep(60_000);
    world.live.poke();
    assert.equal(world.server.opened, 3);
  });

  it('rests when the server has refused all that is followed', async () => {
    const world = new World();
    world.server.isForbidding = true;
    const events = [world.follow(), world.follow()];
    await world.settle();
    world.server.deliver();
    assert.deepEqual(events.map(shown), Array(2).fill(['RESET', 'ERROR']));
    assert.equal(world.states.at(-1)?.state, 'idle');
    assert.equal(world.server.sockets.length, 0);
  });

  it('adds and removes subscriptions on an open connection', async () => {
    const world = new World();
    const first = world.follow();
    await world.settle();
    const events: LiveEvent[] = [];
    const stop = world.live.subscribe({ ref: REF }, (event) => events.push(event));
    await world.settle();
    world.server.write(['a'], 'ADDED');
    world.server.deliver();
    stop();
    world.server.write(['b'], 'ADDED');
    world.server.deliver();
    assert.equal(world.server.opened, 1);
    assert.deepEqual(shown(events), ['RESET', 'SYNCED', 'ADDED a@11']);
    assert.deepEqual(shown(first).slice(-1), ['ADDED b@12']);
  });
});
