import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

  it('lets those that waited for one go on in turns of the event loop', async () => {
    const waiting = 64;
    const perTurn = 16;
    const cache = new DocumentCache<object>();
    const key = {};
    const document = { bytes: Buffer.alloc(1), isCompressed: false };
    let finish = (): void => undefined;
    const made = new Promise<typeof document>((resolve) => (finish = () => resolve(document)));
    let goneOn = 0;
    const all = Array.from({ length: waiting }, () =>
      cache.get(key, () => made).then(() => goneOn++),
    );
    finish();
    let [before, most] = [0, 0];
    while (goneOn < waiting) {
      await nextTurn();
      most = Math.max(most, goneOn - before);
      before = goneOn;
    }
    await Promise.all(all);
    assert.ok(most <= perTurn, `${most} in one turn`);
  });
});
