import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeySpace } from './key-space.ts';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((one) => !one.includes('\u0000'));

function contains({ key, rangeEnd }: { key: Buffer; rangeEnd: Buffer }, one: Buffer): boolean {
  return Buffer.compare(one, key) >= 0 && Buffer.compare(one, rangeEnd) < 0;
}

describe('key space', () => {
  const keys = new KeySpace('/registry/');

  it('lies below the prefix', () => {
    assert.equal(keys.key('a/b').toString(), '/registry/a/b');
    assert.equal(keys.relative(keys.key('a/é')), 'a/é');
    for (const wrong of ['', 'a\u0000']) assert.throws(() => keys.key(wrong), /not a key/);
  });

  it('has ranges that hold exactly the keys under a prefix', () => {
    fc.assert(
      fc.property(text, text, (prefix, key) => {
        assert.equal(contains(keys.range(prefix), keys.key(key)), key.startsWith(prefix));
        assert.ok(contains(keys.range(''), keys.key(key)));
      }),
    );
  });

  it('goes on behind a key, in the order of bytes', () => {
    fc.assert(
      fc.property(text, text, text, (prefix, after, key) => {
        const behind = Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
        const expected = key.startsWith(prefix) && behind;
        assert.equal(contains(keys.range(prefix, after), keys.key(key)), expected);
      }),
    );
  });

  it('ends at a key, in the order of bytes', () => {
    fc.assert(
      fc.property(text, text, text, (prefix, upTo, key) => {
        const within = Buffer.compare(Buffer.from(key), Buffer.from(upTo)) <= 0;
        const expected = key.startsWith(prefix) && within;
        assert.equal(contains(keys.range(prefix, undefined, upTo), keys.key(key)), expected);
      }),
    );
  });

  it('keeps its own keys out of ranges, and one of them in the watch of everything', () => {
    for (const own of [keys.author, keys.epoch]) {
      assert.ok(keys.isOwn(own));
      assert.ok(own.toString().startsWith('/registry/'));
      assert.equal(contains(keys.range(''), own), false);
      assert.equal(contains(keys.watchRange('a'), own), false);
    }
    assert.equal(contains(keys.watchRange(''), keys.epoch), true);
    assert.equal(contains(keys.watchRange(''), keys.author), false);
    assert.equal(keys.isOwn(keys.key('a')), false);
  });

  it('has no neighbour in common with a prefix that begins alike', () => {
    const other = new KeySpace('/registry2');
    assert.equal(contains(keys.range(''), other.key('a')), false);
    assert.equal(contains(new KeySpace('').range(''), keys.key('a')), true);
  });
});
