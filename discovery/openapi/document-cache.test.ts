import assert from 'node:assert/strict';
import { DocumentCache } from './document-cache.ts';

describe('cached documents', () => {
  const [a, b, c] = [{ n: 'a' }, { n: 'b' }, { n: 'c' }];
  const made: string[] = [];
  const make = (key: { n: string }, size: number) => () => {
    made.push(key.n);
    return Promise.resolve({ bytes: Buffer.alloc(size), isCompressed: false });
  };

  it('stay within their memory, the one not asked for longest goes', async () => {
    const cache = new DocumentCache<object>(100);
    for (const key of [a, b, a, c, a, b]) await cache.get(key, make(key, 40));
    assert.deepEqual(made.splice(0), ['a', 'b', 'c', 'b']);
    assert.equal(cache.bytes, 80);
    await cache.get({}, make(c, 101));
    assert.equal(cache.bytes, 80, 'what is too large is never kept');
    made.length = 0;
  });

  it('are built again after a failure', async () => {
    const cache = new DocumentCache<object>();
    await assert.rejects(
      cache.get(a, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal((await cache.get(a, make(a, 3))).bytes.length, 3);
  });
});
