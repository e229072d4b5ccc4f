import assert from 'node:assert/strict';
import { Running, World, type TestServer } from '../test/support/world.ts';
import { StoreError } from '../storage/errors.ts';
import type { Store, StoreEvent } from '../storage/interface.ts';
import type { Comparison } from '../watch/comparison.ts';
import { ComparisonLoop } from './comparison-loop.ts';

const MINUTE = 60_000;

/** How a watch may go wrong: what it delivers in place of an event. */
const WRONG: Readonly<Record<string, (event: StoreEvent) => readonly StoreEvent[]>> = {
  'an event is lost': () => [],
  'an object has another name': (event) => [{ ...event, key: `${event.key}x` }],
  'a deletion is invented': ({ key, revision }) => [{ type: 'delete', key, revision }],
};

describe('the comparison with the store', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;
  let results: Comparison[];
  let spoil: ((event: StoreEvent) => readonly StoreEvent[]) | undefined;
  let pages: number;
  let failing: StoreError | undefined;

  beforeEach(async () => {
    world = new World();
    [results, pages, spoil, failing] = [[], 0, undefined, undefined];
    server = await world.server(spoilt(world.store));
    for (const name of ['a', 'b', 'c']) await server.namespace(name);
  });
  afterEach(async () => {
    await running?.stop();
    await world.stop();
  });

  /** The store, seen through what a test says. */
  function spoilt(store: Store): Store {
    const watch: Store['watch'] = async function* (options) {
      for await (const batch of store.watch(options)) {
        const { events } = batch;
        yield spoil === undefined ? batch : { ...batch, events: events.flatMap(spoil) };
      }
    };
    const list: Store['list'] = async (options) => {
      if (options.keysOnly === true) {
        pages++;
        if (failing !== undefined) throw failing;
      }
      return store.list(options);
    };
    return new Proxy(store, {
      get(target, property): unknown {
        if (property === 'watch') return watch;
        if (property === 'list') return list;
        const member: unknown = Reflect.get(target, property);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  function run(): void {
    const onCompared = (result: Comparison): void => void results.push(result);
    running = new Running(
      server,
      new ComparisonLoop(server.parts, { intervalMs: MINUTE, onCompared }),
    );
  }
  const shown = (): string[] =>
    [...server.parts.reader.replica.collection('namespaces/').items.range('')].map(
      ({ key, revision }) => `${key} ${revision}`,
    );

  it('reports no difference when the replica equals the store', async () => {
    run();
    await world.pass(10 * MINUTE);
    assert.ok(results.length >= 10 && results.length <= 11, `${results.length} times`);
    for (const { keys, differences } of results) assert.deepEqual([keys, differences], [3, 0]);
  });

  for (const [what, wrong] of Object.entries(WRONG)) {
    it(`detects and repairs the replica when ${what}`, async () => {
      let reloads = 0;
      server.parts.reader.replica.onReload(() => reloads++);
      spoil = wrong;
      await server.update({ resource: 'namespaces', name: 'b' }, ({ metadata }) => {
        metadata.labels.changed = 'yes';
      });
      spoil = undefined;
      const before = shown();
      run();
      await world.pass(MINUTE / 2);
      assert.equal(reloads, 1);
      assert.ok(results[0]!.differences > 0);
      assert.match(results[0]!.examples.join(), /namespaces\/b|does not have/);
      const stored = await world.store.list({ prefix: 'namespaces/' });
      const truth = stored.items.map(({ key, revision }) => `${key.split('/')[1]} ${revision}`);
      assert.notDeepEqual(before, truth);
      assert.deepEqual(shown(), truth);
      await world.pass(2 * MINUTE);
      assert.equal(results.at(-1)!.differences, 0);
      assert.equal(reloads, 1);
    });
  }

  it('compares many keys page by page while others are written', async () => {
    const objects = Array.from({ length: 6_000 }, (_, i) => `pods/many/p${i}`);
    const value = Buffer.from('{}');
    await world.store.batch(objects.map((key) => ({ op: 'create', key, value })));
    await world.pass(100);
    run();
    for (let i = 0; results.length === 0 && i < 20; i++) {
      await world.store.create(`pods/many/new${i}`, value);
      await world.pass(250);
    }
    const { keys, differences } = results[0]!;
    assert.equal(differences, 0);
    // Those written meanwhile are counted when their page comes later.
    assert.ok(keys >= 6_003 && keys <= 6_023, `${keys} keys`);
    assert.ok(pages >= 12, `${pages} pages`);
  });

  it('starts over when history is compacted during the comparison', async () => {
    failing = new StoreError('compacted', 'gone', { compactRevision: world.store.revision });
    run();
    await world.pass(3 * MINUTE);
    assert.deepEqual([results, running!.failures], [[], []]);
    assert.ok(pages >= 3 && pages <= 5, 'not over and over');
    failing = undefined;
    await world.pass(2 * MINUTE);
    assert.equal(results.at(-1)!.differences, 0);
  });

  it('is retried when the store does not answer', async () => {
    failing = new StoreError('unavailable', 'no member answers');
    run();
    await world.pass(2_000);
    assert.notEqual(running!.failures.length, 0);
    failing = undefined;
    await world.pass(30_000);
    assert.deepEqual([results.length, results[0]!.differences], [1, 0]);
  });
});
