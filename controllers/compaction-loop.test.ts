import assert from 'node:assert/strict';
import { Running, World, lagging, type TestServer } from '../test/support/world.ts';
import type { Revision } from '../api/revision.ts';
import { CompactionLoop } from './compaction-loop.ts';

const MINUTE = 60_000;

describe('compaction loop', () => {
  let world: World;
  let server: TestServer;
  let running: Running[];
  let cuts: { at: number; revision: Revision }[];

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    running = [];
    cuts = [];
    const plain = world.store.compact.bind(world.store);
    world.store.compact = (revision) => {
      cuts.push({ at: world.clock.monotonic(), revision });
      return plain(revision);
    };
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
    await world.stop();
  });

  const run = (on = server, ms = 5 * MINUTE): Running => {
    const one = new Running(on, new CompactionLoop(on.parts, ms));
    running.push(one);
    return one;
  };
  let count = 0;
  const write = (): Promise<unknown> => server.namespace(`n${count++}`);

  it('compacts every five minutes the history older than five minutes', async () => {
    run();
    const written: { at: number; revision: Revision }[] = [];
    for (let minute = 0; minute < 30; minute++) {
      await write();
      written.push({ at: world.clock.monotonic(), revision: world.store.revision });
      await world.pass(MINUTE);
    }
    assert.ok(cuts.length >= 5 && cuts.length <= 6, `${cuts.length} times in half an hour`);
    for (const { at, revision } of cuts) {
      const young = written.filter((one) => one.at > at - 5 * MINUTE && one.at <= at);
      assert.ok(young.every((one) => one.revision >= revision));
      const old = written.filter((one) => one.at <= at - 11 * MINUTE);
      assert.ok(old.every((one) => one.revision < revision));
    }
  });

  it('continues the schedule of the previous server, neither sooner nor much later', async () => {
    await write();
    const first = run();
    await world.pass(3 * MINUTE);
    running = [];
    await first.stop();
    run(await world.server());
    await world.pass(1.5 * MINUTE);
    assert.deepEqual(cuts, []);
    await world.pass(MINUTE);
    assert.equal(cuts.length, 1);
  });

  it('compacts once, even when several servers believe that they lead', async () => {
    for (let i = 0; i < 3; i++) run(await world.server());
    await write();
    await world.pass(21 * MINUTE);
    assert.ok(cuts.length >= 3 && cuts.length <= 4, String(cuts.length));
    assert.equal(new Set(cuts.map(({ revision }) => revision)).size, cuts.length);
  });

  it('ignores clocks that jump', async () => {
    run();
    await world.pass(MINUTE);
    const { clock } = world;
    const now = clock.now.bind(clock);
    clock.now = () => now() + 24 * 60 * MINUTE;
    await world.pass(3 * MINUTE);
    assert.deepEqual(cuts, []);
    await world.pass(2 * MINUTE);
    assert.equal(cuts.length, 1);
  });

  it('never compacts at an unknown revision, and survives a damaged marker', async () => {
    await world.store.create('compact_rev_key', Buffer.from('{"revision":"999","at":0}'));
    run();
    await world.pass(MINUTE);
    assert.deepEqual(cuts, []);
    const { item } = await world.store.get('compact_rev_key');
    await world.store.update('compact_rev_key', Buffer.from('damaged'), item!.revision);
    await world.pass(11 * MINUTE);
    const [cut, ...more] = cuts as { revision: Revision }[];
    assert.deepEqual(more, []);
    assert.ok(cut!.revision <= world.store.revision);
  });

  it('keeps its mark in a key that replicas ignore', async () => {
    const { store } = lagging(world.store);
    const replica = (await world.server(store)).parts.reader.replica;
    run();
    await world.pass(6 * MINUTE);
    assert.deepEqual(
      [...replica.collections()].flatMap(({ items }) => [...items.range('')]),
      [],
    );
    assert.ok(replica.revision >= cuts[0]!.revision);
  });
});
