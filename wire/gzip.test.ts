import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Entry } from '../watch/entry.ts';
import { acceptsGzip, gzipped } from './gzip.ts';
import { respondList } from './respond-list.ts';
import { respondObject } from './respond-object.ts';
import {
  bodyOf,
  entryOf,
  gadgets,
  listOf,
  testExchange,
  testParts,
  testRequest,
} from './testing.ts';

const GZIP = { 'accept-encoding': 'gzip' };
const resource = gadgets();
const target = { resource, namespace: '', name: '' };
const large = (i: number): Entry =>
  entryOf(resource, `n${i}`, 1n, { spec: { text: `${i} `.repeat(600) } });

describe('gzip', () => {
  it('is done for those who take it', () => {
    const accepts = (header: string): boolean =>
      acceptsGzip(testRequest({ headers: { 'accept-encoding': header } }));
    assert.equal(acceptsGzip(testRequest({})), false);
    for (const yes of ['gzip', 'deflate, gzip', 'br;q=1.0, gzip;q=0.5', ' GZIP ']) {
      assert.equal(accepts(yes), true, yes);
    }
    for (const no of ['', 'identity', 'gzip;q=0', 'gzip;q=0.0', 'x-gzip']) {
      assert.equal(accepts(no), false, no);
    }
  });

  it('is done above 128 KiB only', async () => {
    const small = await respondList(
      testExchange({ headers: GZIP }),
      testParts(),
      target,
      listOf([large(1)]),
    );
    assert.equal(small.headers['content-encoding'], undefined);
    assert.ok(Buffer.isBuffer(small.body));
    const { bytes } = entryOf(resource, 'a', 1n, { spec: { text: 'x'.repeat(130 * 1024) } });
    const object = await respondObject(testExchange({ headers: GZIP }), resource, bytes, 200);
    assert.equal(object.headers['content-encoding'], 'gzip');
    assert.equal(object.headers.vary, 'Accept-Encoding');
    assert.equal(object.headers['content-length'], undefined);
    assert.equal(gunzipSync(await bodyOf(object)).toString(), `${bytes.toString()}\n`);
    const plain = await respondObject(testExchange(), resource, bytes, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
  });

  it('gives the same list', async () => {
    const entries = Array.from({ length: 700 }, (_, i) => large(i));
    const plain = await respondList(testExchange(), testParts(), target, listOf(entries));
    const packed = await respondList(
      testExchange({ headers: GZIP }),
      testParts(),
      target,
      listOf(entries),
    );
    assert.equal(packed.headers['content-encoding'], 'gzip');
    const body = await bodyOf(packed);
    const expected = await bodyOf(plain);
    assert.ok(body.length < expected.length / 4);
    assert.ok(gunzipSync(body).equals(expected));
  });

  it('reads only a little ahead of what is taken, and lets go', async () => {
    let made = 0;
    let isReleased = false;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) {
          made++;
          yield await Promise.resolve(Buffer.from(crypto.getRandomValues(new Uint8Array(65536))));
        }
      } finally {
        isReleased = true;
      }
    }
    const pieces = gzipped(endless());
    for (let i = 0; i < 20; i++) await pieces.next();
    assert.ok(made < 40, String(made));
    await pieces.return();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isReleased, true);
  });

  it('ends with an error when its source fails', async () => {
    async function* failing(): AsyncGenerator<Buffer, void> {
      yield await Promise.resolve(Buffer.alloc(100_000));
      throw new Error('no more');
    }
    await assert.rejects(async () => {
      for await (const piece of gzipped(failing())) assert.ok(piece.length > 0);
    }, /no more/);
  });
});
