import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/fake-clock.ts';
import type { Cluster } from './cluster.ts';
import { LeasePool } from './lease-pool.ts';

interface Grant {
  readonly id: bigint;
  readonly ends: number;
}

describe('lease pool', () => {
  let clock: FakeClock;
  let grants: Grant[];
  let pool: LeasePool;

  beforeEach(() => {
    clock = new FakeClock();
    grants = [];
    const cluster = {
      read(_method: string, { ttlSeconds }: { ttlSeconds: number }): Promise<{ id: bigint }> {
        const id = BigInt(grants.length + 1);
        grants.push({ id, ends: clock.monotonic() + ttlSeconds * 1_000 });
        return Promise.resolve({ id });
      },
    };
    pool = new LeasePool(cluster as unknown as Cluster, clock);
  });

  const endOf = (id: bigint): number => grants.find((grant) => grant.id === id)!.ends;

  it('never shortens a time to live, and lengthens it by little', async () => {
    for (const ttl of [1, 10, 60, 3_600, 86_400]) {
      for (let i = 0; i < 40; i++) {
        const wanted = clock.monotonic() + ttl * 1_000;
        const ends = endOf(await pool.lease(ttl));
        assert.ok(ends >= wanted, `${ttl} s were shortened`);
        assert.ok(
          ends <= wanted + Math.max(1_000, Math.min(60_000, ttl * 50)),
          `${ttl} s got too long`,
        );
        await clock.advance(ttl * 13);
      }
    }
  });

  it('shares leases between keys, up to a bound', async () => {
    const ids = await Promise.all(Array.from({ length: 2_500 }, () => pool.lease(3_600)));
    const counts = new Map<bigint, number>();
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    assert.equal(counts.size, 3);
    assert.ok([...counts.values()].every((count) => count <= 1_000));
  });

  it('forgets what etcd has lost, and what is too old to remember', async () => {
    const first = await pool.lease(60);
    pool.forget(first);
    assert.notEqual(await pool.lease(60), first);
    for (let ttl = 100; ttl < 200; ttl++) await pool.lease(ttl);
    const before = grants.length;
    await pool.lease(199);
    assert.equal(grants.length, before);
    await pool.lease(100);
    assert.equal(grants.length, before + 1);
  });
});
