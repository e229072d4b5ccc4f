import assert from 'node:assert/strict';
import { assertTextsGo } from '../test/support/kept-texts.ts';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  let made: string[];
  const make = (key: string): string => {
    made.push(key);
    return key;
  };
  beforeEach(() => {
    made = [];
  });

  it('keeps frequently used entries and evicts others', () => {
    const cache = new BoundedCache<string>(10);
    for (let i = 0; i < 1_000; i++) {
      assert.equal(cache.get('often', make), 'often');
      cache.get(`once${i}`, make);
    }
    assert.deepEqual(
      made.filter((key) => key === 'often'),
      ['often'],
    );
    cache.get('once0', make);
    assert.equal(made.at(-1), 'once0');
  });

  it('holds no more than twice its limit, by weight', () => {
    const cache = new BoundedCache<string>(100, (value) => value.length);
    for (let i = 10; i < 100; i++) cache.get(`ten chars${i}`.slice(-10), make);
    made = [];
    for (let i = 99; i >= 10; i--) cache.get(`ten chars${i}`.slice(-10), make);
    assert.ok(made.length >= 90 - 20 && made.length < 90, String(made.length));
  });

  it('does not store an entry above its limit, and evicts nothing for it', () => {
    const cache = new BoundedCache<string>(10, (value) => value.length);
    cache.get('small', make);
    cache.get('much too large', make);
    cache.get('much too large', make);
    cache.get('small', make);
    assert.deepEqual(made, ['small', 'much too large', 'much too large']);
  });

  it('caches undefined results', () => {
    const cache = new BoundedCache<undefined>(2);
    for (const key of ['nothing', 'nothing', 'a', 'b', 'nothing']) {
      cache.get(key, () => {
        made.push(key);
      });
    }
    assert.deepEqual(made, ['nothing', 'a', 'b']);
  });

  it('tells texts apart that no encoding but UTF-16 has', () => {
    const cache = new BoundedCache<string>(10);
    for (const key of ['\ud800', '\ufffd', '\ud800']) assert.equal(cache.get(key, make), key);
    assert.deepEqual(made, ['\ud800', '\ufffd']);
  });

  it('does not keep the texts alive that its keys were cut out of', () => {
    const cache = new BoundedCache<string>(10_000);
    assertTextsGo(
      (i) => `key-of-a-long-body-${i}`,
      (key) => cache.get(key, (own) => `made of ${own}`),
    );
  });
});
