import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FakeClock } from '../test/support/fake-clock.ts';
import type { Stretch } from '../watch/ordered-map.ts';
import { KeptRuns } from './kept-runs.ts';

const FORM = {};
const NOTHING = Buffer.alloc(0);
const LONG_MS = 60_000;

/** A leaf of texts, each of which is its own bytes. */
function leafOf(count: number, length: number): Stretch<string> {
  const values = Array.from({ length: count }, (_, i) =>
    String.fromCharCode(97 + (i % 26)).repeat(length),
  );
  return { values, from: 0, to: count };
}

function sourceOf(prefix = NOTHING, form: object = FORM) {
  return {
    prefix,
    form: () => form,
    bytesOf: (items: readonly string[]): Buffer[] =>
      items.map((item) => Buffer.concat([prefix, Buffer.from(item)])),
  };
}

describe('what is kept of lists', () => {
  it('are the items of any part of a leaf, behind commas (property)', () => {
    const arbitrary = fc.tuple(fc.nat(40_000), fc.nat(25), fc.nat(25), fc.boolean());
    fc.assert(
      fc.property(arbitrary, ([length, a, b, isBuiltin]) => {
        const kept = new KeptRuns();
        const clock = new FakeClock();
        const leaf = leafOf(25, length);
        const source = sourceOf(isBuiltin ? Buffer.from('{"kind":"Gadget",') : NOTHING);
        const part = { ...leaf, from: Math.min(a, b), to: Math.max(a, b) };
        assert.equal(kept.list(leaf, source, clock), undefined);
        const pieces = kept.list(part, source, clock);
        const expected = leaf.values
          .slice(part.from, part.to)
          .map((item) => (isBuiltin ? `,{${item}` : `,${item}`))
          .join('');
        if (25 * length < 30_000 || length > 40_000) return;
        assert.ok(pieces !== undefined && Buffer.concat([...pieces]).toString() === expected);
        assert.equal(kept.lengthOf([part, part], FORM), 2 * expected.length);
      }),
      { numRuns: 50 },
    );
  });

  it('are kept of leaves that are listed twice in a short time, in the same form', () => {
    const kept = new KeptRuns();
    const clock = new FakeClock();
    const leaf = leafOf(100, 1_000);
    assert.equal(kept.list(leaf, sourceOf(), clock), undefined);
    void clock.advance(LONG_MS);
    assert.equal(kept.list(leaf, sourceOf(), clock), undefined);
    assert.equal(kept.list(leaf, sourceOf(NOTHING, {}), clock), undefined);
    assert.equal(kept.list(leaf, sourceOf(), clock), undefined);
    assert.equal(kept.lengthOf([leaf], FORM), undefined);
    assert.notEqual(kept.list(leaf, sourceOf(), clock), undefined);
    void clock.advance(LONG_MS);
    assert.notEqual(kept.list(leaf, sourceOf(), clock), undefined);
    assert.equal(kept.lengthOf([leaf], {}), undefined);
    assert.equal(kept.list(leafOf(100, 1_000), sourceOf(), clock), undefined);
  });

  it('are neither small nor large leaves, nor those whose bytes have to be made', () => {
    const kept = new KeptRuns();
    const clock = new FakeClock();
    const unmade = { ...sourceOf(), bytesOf: () => undefined };
    for (const [leaf, source] of [
      [leafOf(10, 1_000), sourceOf()],
      [leafOf(20, 100_000), sourceOf()],
      [leafOf(100, 1_000), unmade],
    ] as const) {
      for (let i = 0; i < 3; i++) assert.equal(kept.list(leaf, source, clock), undefined);
    }
    assert.equal(kept.bytes, 0);
  });

  it('stay within their bound, and go only when they are out of use', () => {
    const MAX = 1_000_000;
    const kept = new KeptRuns(MAX);
    const clock = new FakeClock();
    const leaves = Array.from({ length: 30 }, () => leafOf(100, 1_000));
    const listAll = (some: readonly Stretch<string>[]): number[] =>
      some.flatMap((leaf, i) => (kept.list(leaf, sourceOf(), clock) === undefined ? [] : [i]));
    listAll(leaves);
    const first = listAll(leaves);
    assert.equal(first.length, Math.floor(MAX / (100 * 1_001)));
    for (let i = 0; i < 5; i++) {
      void clock.advance(5_000);
      assert.deepEqual(listAll(leaves), first);
      assert.ok(kept.bytes <= MAX);
    }
    void clock.advance(LONG_MS);
    const others = leaves.slice(first.length);
    listAll(others);
    assert.equal(listAll(others).length, first.length);
    assert.ok(kept.bytes <= MAX);
    assert.equal(kept.lengthOf(leaves.slice(0, 1), FORM), undefined);
  });
});
