import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SLAB_BYTES } from '../http/slab-pool.ts';
import { SlabWriter } from './slab-writer.ts';

describe('SlabWriter', () => {
  const part = fc.oneof(
    { weight: 10, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    fc.nat(SLAB_BYTES + 100).map((length) => Buffer.alloc(length, 'x')),
    fc.nat(3 * SLAB_BYTES).map((length) => Buffer.alloc(length, 'y')),
  );

  it('gives back every byte in order, in pieces of at most a slab or a part (property)', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(7), (parts, start) => {
        const slabs = new SlabWriter();
        const expected: Buffer[] = [];
        const pieces: Buffer[] = [];
        for (const each of parts) {
          if (typeof each === 'string') {
            slabs.text(each);
            expected.push(Buffer.from(each));
          } else {
            const from = Math.min(start, each.length);
            slabs.bytes(each, from);
            expected.push(each.subarray(from));
          }
          if (slabs.hasFull) pieces.push(...slabs.takeFull());
        }
        pieces.push(...slabs.takeRest());
        assert.ok(Buffer.concat(pieces).equals(Buffer.concat(expected)));
        const largest = Math.max(SLAB_BYTES, ...expected.map(({ length }) => length));
        for (const { length } of pieces) assert.ok(length <= largest);
        assert.deepEqual(slabs.takeRest(), []);
      }),
      { numRuns: 200 },
    );
  });

  it('writes items that begin alike as if each were written by itself (property)', () => {
    const lengths = fc.array(
      fc.oneof({ weight: 30, arbitrary: fc.nat(1500) }, fc.nat(SLAB_BYTES + 100)),
      { maxLength: 300 },
    );
    const prefixes = fc.constantFrom('', '{"a":1,', '{"kind":"x","and":"more"}');
    fc.assert(
      fc.property(lengths, prefixes, fc.nat(20_000), (all, prefix, before) => {
        const items = all.map((length, i) => Buffer.from(`${prefix}${String(i).repeat(length)}.`));
        const slabs = new SlabWriter();
        const pieces: Buffer[] = [];
        slabs.bytes(Buffer.alloc(before, '-'));
        let expected = '-'.repeat(before);
        for (let at = 0; at < items.length; at++) {
          const next = slabs.items(items, at, Buffer.from(prefix));
          const isAlone = next === at;
          if (isAlone) {
            slabs.text(prefix === '' ? ',' : ',{');
            slabs.bytes(items[at]!, prefix.length);
          }
          for (; at < (isAlone ? next + 1 : next); at++) {
            expected += `${prefix === '' ? ',' : ',{'}${items[at]!.toString().slice(prefix.length)}`;
          }
          at--;
          pieces.push(...slabs.takeFull());
        }
        pieces.push(...slabs.takeRest());
        assert.ok(Buffer.concat(pieces).toString() === expected);
      }),
      { numRuns: 200 },
    );
  });

  it('makes few large pieces of many small parts', () => {
    const slabs = new SlabWriter();
    const item = Buffer.alloc(1400, 'z');
    const pieces: Buffer[] = [];
    for (let i = 0; i < 10_000; i++) {
      slabs.text(',');
      slabs.bytes(item);
      pieces.push(...slabs.takeFull());
    }
    pieces.push(...slabs.takeRest());
    assert.equal(pieces.length, Math.ceil((10_000 * 1401) / (SLAB_BYTES - 1400)) - 1);
  });
});
