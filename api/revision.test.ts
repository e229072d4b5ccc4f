import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxRevision, nextRevision, parseRevision, revisionOf } from './revision.ts';

describe('Revision', () => {
  it('reads what clients send as a resourceVersion', () => {
    assert.equal(parseRevision('0'), 0n);
    assert.equal(parseRevision('18446744073709551615'), 2n ** 64n - 1n);
    assert.equal(parseRevision('007'), 7n);
    for (const bad of [
      '',
      '-1',
      '+1',
      '1.0',
      '1e3',
      ' 1',
      '0x1',
      'latest',
      '18446744073709551616',
      '0'.repeat(41),
      '9'.repeat(1e6),
    ]) {
      assert.equal(parseRevision(bad), undefined, bad.slice(0, 30));
    }
  });

  it('keeps every digit (property)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n }), (n) => {
        const revision = revisionOf(n);
        assert.equal(parseRevision(revision.toString()), n);
        assert.equal(nextRevision(revision), n + 1n);
        assert.equal(maxRevision(revision, nextRevision(revision)), n + 1n);
        assert.equal(maxRevision(nextRevision(revision), revision), n + 1n);
        assert.equal(revisionOf(n.toString()), revision);
      }),
    );
  });
});
