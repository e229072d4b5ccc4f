import assert from 'node:assert/strict';
import type { Clock } from '../../api/clock.ts';
import { whileTimePasses } from '../../test/support/fake-clock.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';
import { World, type TestServer } from '../../test/support/world.ts';
import { Elector } from './elector.ts';
import { LeaseLock } from './lease-lock.ts';

const LOCK = { namespace: 'a', name: 'lock' };
const DURATION_MS = 5_000;
const TIMING = { durationMs: DURATION_MS, renewDeadlineMs: 3_500, renewMs: 1_500 };
const STEP_MS = 10;

/** One server of an election, with the problems that it reported. */
class Candidate {
  readonly elector: Elector;
  readonly problems: string[] = [];
  #isDead = false;

  constructor(world: World, server: TestServer, identity: string) {
    const { parts } = server;
    const clock: Clock = {
      now: () => world.clock.now(),
      monotonic: () => world.clock.monotonic(),
      after: (ms, callback) =>
        world.clock.after(ms, () => {
          if (!this.#isDead) callback();
        }),
    };
    this.elector = new Elector({
      ...{ clock, identity, timing: TIMING, alone: false, random: () => 0.5 },
      replica: parts.reader.replica,
      lock: new LeaseLock(parts, LOCK),
      onElected: () => undefined,
      onDeposed: () => Promise.resolve(),
      onProblem: (message) => void this.problems.push(message),
    });
  }

  get leading(): boolean {
    return this.elector.leading;
  }

  /** As after a power cut: no timer of it fires any more. */
  die(): void {
    this.#isDead = true;
  }
}

describe('elector', () => {
  let world: World;
  let first: Candidate;
  let second: Candidate;
  let cutOff: () => void;

  beforeEach(async () => {
    const store = new MemoryStore();
    world = new World(store);
    let isCutOff = false;
    const through = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const isWrite = ['create', 'update', 'delete', 'batch'].includes(String(name));
          if (isWrite && isCutOff) return Promise.reject(new Error('the store is away'));
          return Reflect.apply(member, target, args);
        };
      },
    });
    cutOff = () => void (isCutOff = true);
    const server = await world.server(through);
    await server.namespace('a');
    first = new Candidate(world, server, 'first');
    second = new Candidate(world, await world.server(), 'second');
    first.elector.start();
    await world.pass(100);
    second.elector.start();
    await world.pass(100);
  });
  afterEach(async () => {
    second.die();
    await world.stop();
  });

  /** Moves time on until `holds`. @returns milliseconds of the world's clock */
  async function timeUntil(holds: () => boolean): Promise<number> {
    const from = world.clock.monotonic();
    while (!holds()) {
      assert.ok(world.clock.monotonic() - from < 10 * DURATION_MS, 'it does not come');
      await world.clock.advance(STEP_MS);
    }
    return world.clock.monotonic() - from;
  }

  it('keeps the lease as long as it renews', async () => {
    for (let passed = 0; passed < 4 * DURATION_MS; passed += 100) {
      await world.clock.advance(100);
      assert.deepEqual([first.leading, second.leading], [true, false]);
    }
    assert.equal(second.elector.holder, 'first');
  });

  it('takes the lease of a dead holder when it has not changed for its duration, not before', async () => {
    await world.pass(TIMING.renewMs + 100);
    first.die();
    const took = await timeUntil(() => second.leading);
    assert.ok(took <= DURATION_MS + 2 * STEP_MS, `${took} ms`);
    assert.ok(took >= DURATION_MS - TIMING.renewMs, `${took} ms`);
  });

  it('stops leading before another server can take a lease that it cannot renew', async () => {
    cutOff();
    const gaveUp = await timeUntil(() => !first.leading);
    assert.ok(gaveUp <= TIMING.renewDeadlineMs + TIMING.renewMs / 4, `${gaveUp} ms`);
    assert.equal(second.leading, false);
    assert.equal(
      first.problems.at(-1),
      'no longer elected: the lease could not be renewed in time',
    );
    await timeUntil(() => second.leading);
    assert.equal(first.leading, false);
  });

  it('gives the lease back when it stops, and another need not wait', async () => {
    await whileTimePasses(world.clock, first.elector.stop());
    assert.equal(first.leading, false);
    const took = await timeUntil(() => second.leading);
    assert.ok(took <= 2 * STEP_MS, `${took} ms`);
  });
});
