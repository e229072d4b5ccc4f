import assert from 'node:assert/strict';
import { type FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import type { Loop, LoopReport } from './loop.ts';
import { LoopRunner } from './runner.ts';
import { World } from '../test/support/world.ts';

/** A loop whose steps do what the test says. */
class Scripted implements Loop {
  readonly name = 'scripted';
  readonly periodMs = 60_000;
  readonly wokenBy = ['coordination.cluster.io/leases/'];
  readonly elected = false;
  readonly clock: FakeClock;
  readonly startedAt: number[] = [];
  readonly resets: number[] = [];
  act: (signal: AbortSignal) => Promise<LoopReport> = () => Promise.resolve({ summary: 'idle' });

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  reset(): void {
    this.resets.push(this.clock.monotonic());
  }

  step(signal: AbortSignal): Promise<LoopReport> {
    this.startedAt.push(this.clock.monotonic());
    return this.act(signal);
  }
}

describe('loop runner', () => {
  let world: World;
  let loop: Scripted;
  let runner: LoopRunner;
  let failures: unknown[];
  let origin: number;

  beforeEach(async () => {
    world = new World();
    const { parts } = await world.server();
    loop = new Scripted(world.clock);
    failures = [];
    runner = new LoopRunner(loop, {
      clock: world.clock,
      replica: parts.reader.replica,
      onFailure: (_, error) => failures.push(error),
    });
    origin = world.clock.monotonic();
  });
  afterEach(async () => {
    await whileTimePasses(world.clock, runner.stop());
    await world.stop();
  });

  const start = async (): Promise<void> => {
    runner.start();
    await settle();
  };
  const starts = (): number[] => loop.startedAt.map((at) => at - origin);

  it('runs at the start and once per period', async () => {
    await start();
    await world.clock.advance(180_000);
    assert.deepEqual(starts(), [0, 60_000, 120_000, 180_000]);
    assert.equal(runner.state.steps, 4);
    assert.equal(runner.state.lastSummary, 'idle');
  });

  it('runs once for a burst of changes, and not at all without one', async () => {
    await start();
    await world.clock.advance(1_000);
    for (let i = 0; i < 20; i++) runner.poke();
    await settle();
    await world.clock.advance(1_000);
    assert.deepEqual(starts(), [0, 1_000]);
  });

  it('runs once more for a change that comes during a step', async () => {
    let finish = (): void => undefined;
    loop.act = () => new Promise((resolve) => (finish = () => resolve({ summary: 'slow' })));
    await start();
    runner.poke();
    loop.act = () => Promise.resolve({ summary: 'quick' });
    finish();
    await settle();
    await world.clock.advance(100);
    assert.equal(loop.startedAt.length, 2);
  });

  it('runs again at once when a step says so, and after a while when it says that', async () => {
    const reports: LoopReport[] = [
      { summary: 'more', again: true },
      { summary: 'later', againAfterMs: 5_000 },
      { summary: 'done' },
    ];
    loop.act = () => Promise.resolve(reports.shift() ?? { summary: 'idle' });
    await start();
    await world.clock.advance(10_000);
    assert.deepEqual(starts(), [0, 0, 5_000]);
  });

  it('rests as long as a step says before what has changed meanwhile is looked at', async () => {
    const rests = [500, 50];
    loop.act = () => Promise.resolve({ summary: 'done', restMs: rests.shift() ?? 1 });
    await start();
    runner.poke();
    await world.clock.advance(600);
    runner.poke();
    await settle();
    await world.clock.advance(1_000);
    assert.deepEqual(starts(), [0, 500, 600]);
  });

  it('backs off from failures, and no wake-up shortens that', async () => {
    loop.act = () => Promise.reject(new Error('no luck'));
    await start();
    for (let i = 0; i < 100; i++) {
      runner.poke();
      await world.clock.advance(100);
    }
    // 200 ms, doubling
    assert.deepEqual(starts(), [0, 200, 600, 1_400, 3_000, 6_200]);
    assert.equal(failures.length, 6);
    assert.equal(runner.state.failuresInARow, 6);
    assert.equal(runner.state.lastError, 'no luck');
    loop.act = () => Promise.resolve({ summary: 'well again' });
    await world.clock.advance(60_000);
    assert.equal(runner.state.failuresInARow, 0);
    assert.equal(runner.state.lastError, '');
  });

  it('never waits longer than half a minute after a failure', async () => {
    loop.act = () => Promise.reject(new Error('no luck'));
    await start();
    await world.clock.advance(600_000);
    const [before, last] = starts().slice(-2);
    assert.equal(last! - before!, 30_000);
  });

  it('interrupts a step that takes too long, and counts it as failed', async () => {
    loop.act = (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    await start();
    await world.clock.advance(60_000);
    assert.equal(runner.state.failures, 1);
    assert.match(runner.state.lastError, /longer than 60 s/);
  });

  it('stops in the middle of a step, without counting a failure, and forgets what it knew', async () => {
    let interrupted = false;
    loop.act = (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          interrupted = true;
          reject(new Error('interrupted'));
        }),
      );
    await start();
    assert.equal(runner.state.active, true);
    await runner.stop();
    assert.ok(interrupted);
    assert.equal(runner.state.failures, 0);
    assert.equal(runner.state.active, false);
    assert.equal(loop.resets.length, 2, 'before the first step and after the last');
  });

  it('stops while it backs off', async () => {
    loop.act = () => Promise.reject(new Error('no luck'));
    await start();
    await world.clock.advance(100_000);
    await runner.stop();
    const { steps } = runner.state;
    runner.poke();
    await world.clock.advance(100_000);
    assert.equal(runner.state.steps, steps);
  });
});
