import assert from 'node:assert/strict';
import { Ballast } from './ballast.ts';

const SLAB_BYTES = 256 * 1024;
/** 1.25 GiB, of which nothing is ever written to. */
const SLABS = 5_120;
/** What V8 lets buffers grow by before it begins a collection. */
const GROWTH_BYTES = 64 * 1024 * 1024;

const counted = (): number => process.memoryUsage().arrayBuffers;

describe('the ballast of a load', () => {
  it('leaves no buffer behind', () => {
    const before = counted();
    const ballast = new Ballast();
    for (let i = 0; i < 200; i++) ballast.loaded(SLAB_BYTES);
    const meanwhile = counted();
    ballast.end();
    const after = counted();
    assert.ok(meanwhile - before > 200 * 2 ** 20, `${meanwhile - before} bytes`);
    assert.ok(after - before < 2 ** 20, `${after - before} bytes`);
  });

  it('lets buffers that stay pass the bound of V8 four times and not twenty', () => {
    const ballast = new Ballast();
    const slabs: Buffer[] = [];
    let passed = 0;
    let low = counted();
    for (let i = 0; i < SLABS; i++) {
      slabs.push(Buffer.allocUnsafeSlow(SLAB_BYTES));
      ballast.loaded(SLAB_BYTES);
      const now = counted();
      if (now > low + GROWTH_BYTES) {
        passed++;
        low = now;
      }
      low = Math.min(low, now);
    }
    ballast.end();
    assert.equal(slabs.length, SLABS);
    assert.ok(passed <= 4, `${passed} times`);
  });
});
