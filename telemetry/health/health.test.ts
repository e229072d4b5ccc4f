import assert from 'node:assert/strict';
import { systemClock, type Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../../storage/errors.ts';
import type { Store } from '../../storage/interface.ts';
import { requestOf, type RequestInit } from '../../discovery/testing/definitions.ts';
import {
  FOLLOWING_GRACE_MS,
  logCheck,
  replicaCheck,
  shutdownCheck,
  startHookCheck,
  storeCheck,
  storeReadinessCheck,
} from './checks.ts';
import { HealthChecks, PING, type HealthCheck } from './health-checks.ts';
import { Health } from './health.ts';

/** Time that moves only when the test says so. */
class ManualClock implements Clock {
  #now = 0;
  #timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#now;
  }
  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((t) => t !== timer));
  }
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { callback } of due) callback();
  }
  get pending(): number {
    return this.#timers.length;
  }
}

function broken(why: string): () => void {
  return () => {
    throw new Error(why);
  };
}

function healthOf(checks: HealthCheck[], clock: Clock = systemClock): Health {
  const registry = new HealthChecks(clock);
  for (const check of checks) registry.add(check);
  return new Health({ checks: registry });
}

async function ask(health: Health, url: string, init?: RequestInit): Promise<[number, string]> {
  const response = await health.handle(requestOf(url, init));
  if (response === undefined) return [404, ''];
  assert.equal(response.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  return [response.status, (response.body as Buffer).toString()];
}

describe('health', () => {
  const well = [PING, { name: 'etcd', check: () => Promise.resolve() }];
  const ill = [PING, { name: 'etcd', check: broken('no route to host') }];
  const grouped = [PING, { name: 'a', group: 'g', check: broken('x') }, { ...PING, name: 'b' }];

  const table: [what: string, checks: HealthCheck[], url: string, status: number, text: string][] =
    [
      ['all well', well, '/livez', 200, 'ok'],
      ['nothing to check', [], '/healthz', 200, 'ok'],
      ['verbose', well, '/readyz?verbose', 200, '[+]ping ok\n[+]etcd ok\nreadyz check passed\n'],
      [
        'a failure is always verbose, without its reason',
        ill,
        '/healthz',
        500,
        '[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n',
      ],
      [
        'what is excluded is not checked',
        ill,
        '/livez?verbose=true&exclude=etcd',
        200,
        '[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n',
      ],
      [
        'a group is excluded',
        grouped,
        '/livez?verbose&exclude=g&exclude=b',
        200,
        '[+]ping ok\n[+]a excluded with g: ok\n[+]b excluded: ok\nlivez check passed\n',
      ],
      [
        'what cannot be excluded is said',
        well,
        '/livez?verbose&exclude=zz&exclude=mm',
        200,
        '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "mm","zz"\nlivez check passed\n',
      ],
      ['one check', well, '/readyz/etcd', 200, 'ok'],
      [
        'one check that fails says why',
        ill,
        '/readyz/etcd',
        500,
        'internal server error: no route to host\n',
      ],
      ['a check that does not exist', well, '/readyz/none', 404, ''],
      ['a slash at the end', well, '/readyz/', 404, ''],
      ['another path', well, '/healthzz', 404, ''],
    ];
  for (const [what, checks, url, status, text] of table) {
    it(what, async () => {
      assert.deepEqual(await ask(healthOf(checks), url), [status, text]);
    });
  }

  it('answers HEAD, and no method that changes things', async () => {
    assert.equal((await ask(healthOf(well), '/livez', { method: 'HEAD' }))[0], 200);
    assert.equal((await ask(healthOf(well), '/livez', { method: 'POST' }))[0], 405);
  });

  it('counts a check only where it belongs', async () => {
    const health = healthOf([PING, { name: 'r', endpoints: ['readyz'], check: broken('x') }]);
    assert.deepEqual(await ask(health, '/livez/r'), [404, '']);
    assert.deepEqual(await ask(health, '/livez'), [200, 'ok']);
    assert.equal((await ask(health, '/readyz'))[0], 500);
    assert.deepEqual(health.paths(), [
      '/healthz',
      '/healthz/ping',
      '/livez',
      '/livez/ping',
      '/readyz',
      '/readyz/ping',
      '/readyz/r',
    ]);
  });

  it('does not take two checks of one name', () => {
    assert.throws(() => healthOf([PING, PING]), /ping already/);
  });

  it('gives up on a check that hangs, and never runs it twice at a time', async () => {
    const clock = new ManualClock();
    let runs = 0;
    let aborted = false;
    let finish = (): void => undefined;
    const check: HealthCheck = {
      name: 'slow',
      timeoutMs: 100,
      check: (signal) => {
        runs++;
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise((resolve) => (finish = resolve));
      },
    };
    const health = healthOf([check], clock);
    const first = [ask(health, '/livez'), ask(health, '/livez/slow')];
    clock.advance(100);
    assert.deepEqual(await Promise.all(first), [
      [500, '[-]slow failed: reason withheld\nlivez check failed\n'],
      [500, 'internal server error: no result within 100 ms\n'],
    ]);
    assert.equal(aborted, true);
    const second = ask(health, '/livez');
    assert.equal(runs, 1);
    finish();
    assert.deepEqual(await second, [200, 'ok']);
    const third = ask(health, '/livez');
    assert.equal(runs, 2);
    finish();
    await third;
    assert.equal(clock.pending, 0);
  });

  it('tells results and failures to those who count and log them', async () => {
    const checks = new HealthChecks(systemClock);
    checks.add(PING);
    checks.add({ name: 'etcd', check: broken('down') });
    const told: unknown[] = [];
    const health = new Health({
      checks,
      onResult: (endpoint, name, isWell) => told.push([endpoint, name, isWell]),
      onFailure: (endpoint, name, error) => told.push([endpoint, name, error.message]),
    });
    await ask(health, '/livez?exclude=ping');
    await ask(health, '/readyz/ping');
    assert.deepEqual(told, [
      ['livez', 'etcd', false],
      ['livez', 'etcd', 'down'],
      ['readyz', 'ping', true],
    ]);
  });

  describe('the checks of the server', () => {
    async function outcome(check: HealthCheck): Promise<string> {
      const checks = new HealthChecks(systemClock);
      return (await checks.run(check)).error?.message ?? 'ok';
    }

    it('asks the store', async () => {
      const store = (checkHealth: Store['checkHealth']): Store =>
        ({ checkHealth }) as Partial<Store> as Store;
      const down = store(() => Promise.reject(new StoreError('unavailable', 'etcd is away')));
      assert.equal(await outcome(storeCheck(down, 100)), 'etcd is away');
      assert.equal(
        await outcome(
          storeReadinessCheck(
            store(() => Promise.resolve({ writesRefused: undefined })),
            100,
          ),
        ),
        'ok',
      );
    });

    it('passes while the store refuses writes, and says so', async () => {
      let writesRefused: string | undefined = 'the disk is full';
      const store = { checkHealth: () => Promise.resolve({ writesRefused }) } as Partial<Store>;
      const told: (string | undefined)[] = [];
      const health = healthOf([
        storeCheck(store as Store, 100, { onRefusal: (reason) => told.push(reason) }),
      ]);
      const warned = '[+]etcd ok\nwarn: etcd: the store refuses writes\nlivez check passed\n';
      assert.deepEqual(await ask(health, '/livez?verbose'), [200, warned]);
      assert.deepEqual(await ask(health, '/livez'), [200, 'ok']);
      writesRefused = undefined;
      assert.deepEqual(await ask(health, '/livez?verbose'), [
        200,
        '[+]etcd ok\nlivez check passed\n',
      ]);
      assert.deepEqual(told, ['the disk is full', undefined]);
    });

    it('waits for the replica', async () => {
      const clock = new ManualClock();
      const replica = {
        ready: false,
        failingSince: undefined as number | undefined,
        revision: 1n as Revision,
      };
      let catchesUp = false;
      const check = replicaCheck(replica, {
        clock,
        currentRevision: () => Promise.resolve(1n as Revision),
        catchesUp: () => Promise.resolve(catchesUp),
        timeoutMs: 1_000,
      });
      assert.match(await outcome(check), /not loaded/);
      replica.ready = true;
      assert.equal(await outcome(check), 'ok');
      replica.failingSince = clock.monotonic();
      clock.advance(FOLLOWING_GRACE_MS - 1);
      assert.equal(await outcome(check), 'ok', 'it may heal by itself');
      clock.advance(1);
      assert.match(await outcome(check), /does not follow/);
      catchesUp = true;
      assert.equal(await outcome(check), 'ok', 'it was only quiet');
      catchesUp = false;
      replica.failingSince = clock.monotonic();
      assert.equal(await outcome(check), 'ok', 'it has followed meanwhile');
    });

    it('detects a replica that stopped without an error', async () => {
      const clock = new ManualClock();
      const replica = { ready: true, failingSince: undefined, revision: 5n as Revision };
      let newest = 5n as Revision;
      const check = replicaCheck(replica, {
        clock,
        currentRevision: () => Promise.resolve(newest),
        catchesUp: () => Promise.resolve(replica.revision >= newest),
        timeoutMs: 1_000,
      });
      const later = (ms: number): Promise<string> => {
        clock.advance(ms);
        return outcome(check);
      };
      assert.equal(await later(0), 'ok');
      newest = 7n as Revision;
      assert.equal(await later(FOLLOWING_GRACE_MS), 'ok', 'it is behind since now');
      assert.equal(await later(FOLLOWING_GRACE_MS - 1), 'ok');
      assert.match(await later(1), /does not follow/);
      replica.revision = 7n as Revision;
      assert.equal(await later(1), 'ok');
      // One that is always a little behind moves on, and is well.
      for (newest = 8n as Revision; newest < 12n; newest++) {
        assert.equal(await later(FOLLOWING_GRACE_MS), 'ok');
        replica.revision = newest;
      }
    });

    it('fails when a shutdown begins', async () => {
      const stopping = new AbortController();
      const check = shutdownCheck(stopping.signal);
      assert.equal(await outcome(check), 'ok');
      stopping.abort();
      assert.equal(await outcome(check), 'process is shutting down');
    });

    it('waits for the tasks that run once after the start', async () => {
      const check = startHookCheck('x', Promise.resolve());
      assert.equal(check.name, 'poststarthook/x');
      assert.equal(
        await outcome(startHookCheck('y', new Promise(() => undefined))),
        'not finished',
      );
      assert.equal(await outcome(check), 'ok');
      const failed = Promise.reject(new Error('no'));
      const failing = startHookCheck('z', failed);
      await assert.rejects(failed);
      assert.equal(await outcome(failing), 'no');
      const health = healthOf([check]);
      assert.deepEqual(await ask(health, '/readyz/poststarthook/x'), [200, 'ok']);
    });

    it('fails when logging is blocked', async () => {
      assert.equal(await outcome(logCheck(() => true)), 'logging blocked');
      assert.equal(await outcome(logCheck(() => false)), 'ok');
    });
  });
});
