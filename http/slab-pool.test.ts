import assert from 'node:assert/strict';
import { SlabPool } from './slab-pool.ts';

describe('SlabPool', () => {
  it('reuses a returned slab', () => {
    const pool = new SlabPool();
    const slab = pool.lend();
    pool.giveBack(slab.subarray(10, 20));
    assert.equal(pool.lend().buffer, slab.buffer);
  });

  it('never lends a slab twice at a time', () => {
    const pool = new SlabPool();
    const slab = pool.lend();
    assert.notEqual(pool.lend().buffer, slab.buffer);
    pool.giveBack(slab);
    pool.giveBack(slab);
    assert.notEqual(pool.lend().buffer, pool.lend().buffer);
  });

  it('refuses memory that it did not lend', () => {
    const pool = new SlabPool();
    const other = new SlabPool().lend();
    pool.giveBack(other);
    pool.giveBack(Buffer.from('other'));
    assert.notEqual(pool.lend().buffer, other.buffer);
  });

  it('keeps no more than 8 MiB', () => {
    const pool = new SlabPool();
    const slabs = Array.from({ length: 100 }, () => pool.lend());
    for (const slab of slabs) pool.giveBack(slab);
    const again = Array.from({ length: 100 }, () => pool.lend());
    const known = new Set(slabs.map(({ buffer }) => buffer));
    assert.equal(again.filter(({ buffer }) => known.has(buffer)).length, 64);
  });
});
