import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstSeen, scrollTo, scrollToTop, windowOf } from './window.ts';

describe('the window of a long table', () => {
  it('covers the visible rows and a small margin', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(70_000_000), (count, scrollTop) => {
        const { first, end, offset, height } = windowOf(count, 32, scrollTop, 600);
        assert.ok(end - first <= 600 / 32 + 2 * 12 + 2);
        const top = Math.min(scrollTop, Math.max(0, height - 600));
        const drawn = offset + (end - first) * 32;
        assert.ok(first === 0 || offset <= top + 1, 'drawn above');
        assert.ok(end === count || drawn >= top + 600 - 1, 'drawn below');
      }),
    );
  });

  it('reaches the first and last row, also in a table beyond the height limit of browsers', () => {
    assert.equal(windowOf(5_000_000, 32, 0, 600).first, 0);
    const { height } = windowOf(5_000_000, 32, 0, 600);
    assert.ok(height <= 15_000_000);
    assert.equal(windowOf(5_000_000, 32, height - 600, 600).end, 5_000_000);
  });

  it('follows the row selected by keyboard', () => {
    assert.equal(scrollTo(5, 100, 32, 0, 600), undefined);
    assert.equal(scrollTo(50, 100, 32, 0, 600), 51 * 32 - 600);
    assert.equal(scrollTo(2, 100, 32, 640, 600), 64);
    const far = scrollTo(4_999_999, 5_000_000, 32, 0, 600) ?? 0;
    assert.equal(windowOf(5_000_000, 32, far, 600).end, 5_000_000);
  });

  it('comes back to a row and the part of it that was hidden, in tables of any height', () => {
    for (const count of [100, 5_000_000]) {
      const top = scrollToTop(17.25, count, 32, 600);
      assert.ok(Math.abs(firstSeen(count, 32, top, 600) - 17.25) < 1e-6);
    }
  });
});
