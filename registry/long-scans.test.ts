import assert from 'node:assert/strict';
import type { Clock } from '../api/clock.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import { World } from '../test/support/world.ts';
import { deleteCollection } from './delete-collection.ts';
import { DEFAULT_DELETE_OPTIONS } from './delete-options.ts';
import { EVERYTHING } from './list-options.ts';
import { list } from './list.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';

const OBJECTS = 60;
/** Of work of which each step takes a millisecond, by the clock of the test. */
const STEPS_PER_TURN = 20;

describe('work on many objects gives the event loop back', () => {
  let world: World;
  let parts: RegistryParts;
  let target: Target;

  before(async () => {
    world = new World();
    const server = await world.server();
    await server.namespace('a');
    for (let i = 0; i < OBJECTS; i++) {
      const metadata = { name: `lease${i}`, namespace: 'a' };
      await server.create('coordination.cluster.io', 'leases', { metadata });
    }
    const resource = server.resource('coordination.cluster.io', 'leases');
    target = { resource, namespace: 'a', name: '' };
    let now = 0;
    const { clock: real } = server.parts;
    const clock: Clock = {
      now: () => real.now(),
      monotonic: () => ++now,
      after: (ms, callback) => real.after(ms, callback),
    };
    parts = { ...server.parts, clock };
  });
  after(() => world.stop());

  /** Turns of the event loop while something is done. */
  async function turnsOf(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let goOn = true;
    const count = (): void => {
      turns++;
      if (goOn) setImmediate(count);
    };
    setImmediate(count);
    await work();
    goOn = false;
    return turns;
  }

  it('a list with a selector, also one of a single object', async () => {
    const options = { ...EVERYTHING, labelSelector: 'no=such', limit: 1 };
    const turns = await turnsOf(async () => list(parts, target, options));
    assert.ok(turns >= OBJECTS / STEPS_PER_TURN, `${turns} turns`);
  });

  it('a dry run of deletecollection', async () => {
    const context = {
      ...{ user: SYSTEM_USER, warnings: new Warnings(), audit: new Map<string, string>() },
      ...{ signal: undefined, defaultManager: 'test' },
    };
    const turns = await turnsOf(() =>
      deleteCollection(parts, context, target, {
        list: EVERYTHING,
        delete: { ...DEFAULT_DELETE_OPTIONS, dryRun: true },
      }),
    );
    assert.ok(turns >= OBJECTS / STEPS_PER_TURN, `${turns} turns`);
  });
});
