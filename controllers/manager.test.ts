import assert from 'node:assert/strict';
import { getPath } from '../api/json.ts';
import type { Store } from '../storage/interface.ts';
import { StoreError } from '../storage/errors.ts';
import { whileTimePasses } from '../test/support/fake-clock.ts';
import type { Loop } from './loop.ts';
import { LoopManager } from './manager.ts';
import { World, type TestServer } from '../test/support/world.ts';

const LOCK = { namespace: 'cluster-system', name: 'plinth-loops' };
const LEASE = { group: 'coordination.cluster.io', resource: 'leases', ...LOCK };

/** Notes when it ran; its steps can be made to hang. */
class Probe implements Loop {
  readonly name = 'probe';
  readonly periodMs = 100;
  readonly wokenBy = [];
  readonly elected = true;
  active = false;
  hangs = false;

  reset(): void {
    this.active = !this.active;
  }

  step(signal: AbortSignal): Promise<{ summary: string }> {
    if (!this.hangs) return Promise.resolve({ summary: '' });
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  }
}

/** A server that can lose its store, or its life. */
class Contender {
  readonly server: TestServer;
  readonly probe = new Probe();
  readonly manager: LoopManager;
  readonly problems: string[] = [];
  /** Names of the Leases by which it was elected. */
  readonly elected: (string | undefined)[] = [];

  constructor(name: string, server: TestServer, alone = false) {
    this.server = server;
    this.manager = new LoopManager({
      parts: server.parts,
      unadmitted: server.unadmitted,
      identity: name,
      loops: [this.probe],
      lock: LOCK,
      alone,
      onElected: (lease) => this.elected.push(lease?.name),
      onProblem: (message, error) => this.problems.push(`${message}: ${String(error)}`),
    });
  }

  get leads(): boolean {
    return this.manager.status().leading;
  }
}

describe('loop manager', () => {
  let world: World;
  let contenders: Contender[];

  beforeEach(async () => {
    world = new World();
    contenders = [];
    await (await world.server()).namespace(LOCK.namespace);
  });
  afterEach(async () => {
    await whileTimePasses(world.clock, Promise.all(contenders.map((c) => c.manager.stop())));
    await world.stop();
  });

  async function contender(name: string, store?: Store): Promise<Contender> {
    const made = new Contender(name, await world.server(store));
    contenders.push(made);
    return made;
  }

  /** A store that fails or hangs when it is told to. */
  function breakable(): { store: Store; mode: { is: 'well' | 'fails' | 'hangs' } } {
    const mode: { is: 'well' | 'fails' | 'hangs' } = { is: 'well' };
    const inner = world.store;
    const broken = (): Promise<never> =>
      mode.is === 'fails'
        ? Promise.reject(new StoreError('unavailable', 'gone'))
        : new Promise(() => undefined);
    const store = new Proxy(inner, {
      get(target, property): unknown {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          mode.is === 'well' || property === 'watch'
            ? (member as (...a: unknown[]) => unknown).apply(target, args)
            : broken();
      },
    });
    return { store, mode };
  }

  const leaders = (): string[] =>
    contenders.filter((c) => c.leads).map((c) => c.manager.status().identity);

  async function spec(): Promise<Record<string, unknown>> {
    const lease = await contenders[0]!.server.get(LEASE);
    return getPath(lease, 'spec') as Record<string, unknown>;
  }

  it('tells that this server was elected, once in a term', async () => {
    const one = await contender('one');
    one.manager.start();
    await world.pass(60_000);
    assert.deepEqual([one.leads, one.elected.length], [true, 1]);
  });

  it('elects exactly one, which keeps renewing', async () => {
    for (const name of ['a', 'b', 'c']) (await contender(name)).manager.start();
    await world.clock.advance(10_000);
    assert.equal(leaders().length, 1);
    const [leader] = leaders();
    const before = await spec();
    assert.equal(before['holderIdentity'], leader);
    assert.equal(before['leaseTransitions'], 0);
    await world.clock.advance(60_000);
    assert.deepEqual(leaders(), [leader]);
    const after = await spec();
    assert.ok(String(after['renewTime']) > String(before['renewTime']));
    assert.equal(after['acquireTime'], before['acquireTime']);
    for (const { probe, leads, manager } of contenders) {
      assert.equal(probe.active, leads);
      assert.equal(manager.status().leader, leader);
      assert.equal(manager.status().loops[0]!.steps > 100, leads);
    }
  });

  it('takes over within six seconds from a leader that is gone', async () => {
    const { store, mode } = breakable();
    const first = await contender('first', store);
    first.manager.start();
    await world.clock.advance(5_000);
    assert.ok(first.leads);
    (await contender('second')).manager.start();
    await world.clock.advance(5_000);
    mode.is = 'hangs';
    const diedAt = world.clock.monotonic();
    while (!contenders[1]!.leads) await world.clock.advance(100);
    assert.ok(world.clock.monotonic() - diedAt <= 6_000);
    mode.is = 'well';
    assert.equal((await spec())['leaseTransitions'], 1);
  });

  for (const how of ['fails', 'hangs'] as const) {
    it(`a leader whose store ${how} stops before another one begins`, async () => {
      const { store, mode } = breakable();
      const first = await contender('first', store);
      first.manager.start();
      await world.clock.advance(5_000);
      const second = await contender('second');
      second.manager.start();
      await world.clock.advance(5_000);
      mode.is = how;
      for (let i = 0; i < 200; i++) {
        await world.clock.advance(50);
        assert.ok(!(first.probe.active && second.probe.active), 'two at a time');
      }
      assert.ok(second.leads && second.probe.active);
      assert.ok(!first.leads && !first.probe.active);
      assert.match(first.problems.join(), /no longer elected/);
      mode.is = 'well';
      await world.clock.advance(20_000);
      assert.deepEqual(leaders(), ['second'], 'it comes back as one who waits');
      assert.equal(first.manager.status().leader, 'second');
    });
  }

  it('hands over at once when it stops', async () => {
    const first = await contender('first');
    first.manager.start();
    await world.clock.advance(5_000);
    const second = await contender('second');
    second.manager.start();
    await world.clock.advance(5_000);
    await first.manager.stop();
    await world.clock.advance(50);
    assert.ok(second.leads);
    assert.ok(!first.probe.active);
    assert.equal((await spec())['leaseTransitions'], 1);
  });

  it('stops within a second even if a step does not end', async () => {
    const first = await contender('first');
    first.probe.hangs = true;
    first.probe.step = () => new Promise(() => undefined);
    first.manager.start();
    await world.clock.advance(5_000);
    const stopping = first.manager.stop();
    let stopped = false;
    void stopping.then(() => (stopped = true));
    await world.clock.advance(999);
    assert.ok(stopped);
    contenders = [];
  });

  it('does not compare clocks: a holder whose clock is hours off keeps its lease while it renews', async () => {
    const server = await world.server();
    const { namespace, name } = LOCK;
    const renew = (i: number): string => `1999-01-01T00:00:00.${String(i).padStart(6, '0')}Z`;
    await server.create(LEASE.group, LEASE.resource, {
      metadata: { namespace, name },
      spec: { holderIdentity: 'elsewhere', leaseDurationSeconds: 5, renewTime: renew(0) },
    });
    const waiting = await contender('waiting');
    waiting.manager.start();
    for (let i = 1; i < 20; i++) {
      await world.clock.advance(2_000);
      await server.update(LEASE, (lease) => (lease.spec.renewTime = renew(i)));
      assert.ok(!waiting.leads);
    }
    await world.clock.advance(5_100);
    assert.ok(waiting.leads, 'a lease that is not renewed is free, whatever its times say');
  });

  it('survives a label on its lease, and the loss of it', async () => {
    const first = await contender('first');
    first.manager.start();
    await world.clock.advance(5_000);
    const { server } = first;
    await server.update(LEASE, (lease) => (lease.metadata.labels = { seen: 'yes' }));
    await world.clock.advance(5_000);
    assert.ok(first.leads);
    await server.delete(LEASE);
    await world.clock.advance(5_000);
    assert.ok(first.leads);
    assert.equal(first.manager.status().terms, 1);
    assert.equal((await spec())['holderIdentity'], 'first');
  });

  it('does not wait for a dead process where no other one can be', async () => {
    const { store, mode } = breakable();
    const first = await contender('first', store);
    first.manager.start();
    await world.clock.advance(5_000);
    mode.is = 'hangs';
    const restarted = new Contender('restarted', await world.server(), true);
    contenders.push(restarted);
    restarted.manager.start();
    await world.clock.advance(0);
    assert.ok(restarted.probe.active);
    mode.is = 'well';
  });

  it('elects one, too, after a backup was restored in which the lease is older', async () => {
    const first = await contender('first');
    first.manager.start();
    await world.clock.advance(5_000);
    (await contender('second')).manager.start();
    const backup = world.store.revision;
    await world.clock.advance(20_000);
    world.store.restore(backup);
    await world.clock.advance(10_000);
    assert.equal(leaders().length, 1);
    const [leader] = leaders();
    const { renewTime } = await spec();
    await world.clock.advance(10_000);
    assert.deepEqual(leaders(), [leader]);
    assert.ok(String((await spec())['renewTime']) > String(renewTime));
  });

  it('elects one in spite of a lease that cannot be read', async () => {
    const key = 'coordination.cluster.io/leases/cluster-system/plinth-loops';
    await world.store.create(key, Buffer.from('damaged'));
    const first = await contender('first');
    first.manager.start();
    await world.clock.advance(5_000);
    assert.ok(first.leads);
    const { item } = await world.store.get(key);
    await world.store.update(key, Buffer.from('damaged again'), item!.revision);
    await world.clock.advance(10_000);
    assert.ok(first.leads);
    assert.equal((await spec())['holderIdentity'], 'first');
  });

  it('gives way when another holder is written into its lease', async () => {
    const first = await contender('first');
    first.manager.start();
    await world.clock.advance(5_000);
    await first.server.update(LEASE, (lease) => (lease.spec.holderIdentity = 'usurper'));
    await world.clock.advance(2_000);
    assert.ok(!first.leads && !first.probe.active);
  });

  it('takes over from one of many at the same moment without two winning', async () => {
    const { store, mode } = breakable();
    const first = await contender('first', store);
    first.manager.start();
    await world.clock.advance(5_000);
    for (let i = 0; i < 5; i++) (await contender(`c${i}`)).manager.start();
    await world.clock.advance(3_000);
    mode.is = 'hangs';
    for (let i = 0; i < 100; i++) {
      await world.clock.advance(100);
      assert.ok(leaders().length <= 2, 'the dead one and one other at most');
      assert.ok(contenders.filter((c) => c !== first && c.probe.active).length <= 1);
    }
    assert.equal(leaders().length, 1);
    mode.is = 'well';
  });
});
