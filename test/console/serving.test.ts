import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:https';
import { Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { eventually } from '../support/plinth.ts';

interface File {
  readonly path: string;
  readonly isImmutable: boolean;
}

const FILES = JSON.parse(readFileSync('dist/console/manifest.json', 'utf8')) as File[];
const MAIN = FILES.find(({ path }) => /^assets\/main-.*\.js$/.test(path))!.path;

describe('the console', () => {
  let plinth: Plinth;
  before(async () => (plinth = await Plinth.start()));
  after(() => plinth.dispose());

  /** Without credentials, and without looking at the body. */
  const fetched = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<{ status: number; headers: any; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const options = { method, headers, rejectUnauthorized: false, agent: false as const };
      const sent = request(new URL(path, plinth.url), options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });

  it('answers its page at /console and at every link into it, to everyone', async () => {
    const page = readFileSync('dist/console/index.html', 'utf8');
    for (const path of ['/console', '/console/', '/console/kinds/leases?x=1', '/console/a.b/c']) {
      const { status, headers, body } = await fetched(path);
      assert.deepEqual([status, body.toString()], [200, page], path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
    }
  });

  it('lets pages run nothing but its own files, and no other page show them', async () => {
    for (const path of ['/console', `/console/${MAIN}`, '/console/assets/none.js']) {
      const { headers } = await fetched(path);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|http|\*/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
    const page = readFileSync('dist/console/index.html', 'utf8');
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|style=|\son\w+=|https?:/);
  });

  it('names no other server in what it has built', () => {
    for (const { path } of FILES.filter(({ path }) => /\.(js|css|html)$/.test(path))) {
      const text = readFileSync(`dist/console/${path}`, 'utf8');
      assert.doesNotMatch(text, /(?:src|href)="https?:|@import|url\(["']?(?:https?:)?\/\//, path);
    }
  });

  it('has files whose name changes with their content kept for a year', async () => {
    for (const { path, isImmutable } of FILES) {
      assert.equal(isImmutable, path !== 'index.html', path);
      if (isImmutable) assert.match(path, /-[A-Z0-9]{8}\.\w+$/);
    }
    const { status, headers } = await fetched(`/console/${MAIN}`);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  });

  it('sends Brotli, gzip or the file itself, as the client accepts', async () => {
    const plain = readFileSync(`dist/console/${MAIN}`);
    const brotli = await fetched(`/console/${MAIN}`, { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.ok(brotliDecompressSync(brotli.body).equals(plain));
    const gzip = await fetched(`/console/${MAIN}`, { 'accept-encoding': 'br;q=0, gzip' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(gzip.body).equals(plain));
    const none = await fetched(`/console/${MAIN}`);
    assert.equal(none.headers['content-encoding'], undefined);
    assert.ok(none.body.equals(plain));
    const tags = [brotli, gzip, none].map(({ headers }) => headers.etag as string);
    assert.equal(new Set(tags).size, 3);
    for (const { headers } of [brotli, gzip, none]) assert.equal(headers.vary, 'Accept-Encoding');
    const again = await fetched(`/console/${MAIN}`, { 'if-none-match': tags[2]! });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
  });

  it('is only read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      assert.equal((await fetched('/console', {}, method)).status, 405, method);
    }
    const { status, body } = await fetched('/console', {}, 'HEAD');
    assert.deepEqual([status, body.length], [200, 0]);
  });

  const ways = [
    '/console/../server/main.js',
    '/console/assets/../../server/main.js',
    '/console/assets/..%2f..%2fserver%2fmain.js',
    '/console/assets/%2e%2e/%2e%2e/server/main.js',
    '/console/assets/..\\..\\server\\main.js',
    '/console//etc/passwd',
    '/console/assets//etc/passwd',
    `/console/assets/${'../'.repeat(12)}etc/passwd`,
    '/console/manifest.json',
    `/console/${MAIN}.br`,
    '/console/assets/__proto__',
    `/console/${MAIN}%00.html`,
  ];
  for (const path of ways) {
    it(`gives away no other file: GET ${path}`, async () => {
      // no library that tidies the path
      const client = await RawClient.open(plinth.url);
      client.send(head('GET', path, { connection: 'close' }));
      await eventually(() => client.ended !== undefined, 'an answer');
      const page = readFileSync('dist/console/index.html', 'utf8');
      assert.ok(client.status === 404 || client.received.includes(page), client.received);
      client.close();
    });
  }

  it('puts nothing of the request into a header', async () => {
    const path = '/console/%0d%0aset-cookie:%20a=b';
    const { status, headers } = await fetched(path);
    assert.deepEqual([status, headers['set-cookie']], [200, undefined]);
  });
});

describe('--console', () => {
  const cases = [
    [['--bind-address', '127.0.0.1'], 200],
    [['--bind-address', '0.0.0.0'], 404],
    [['--bind-address', '0.0.0.0', '--console'], 200],
    [['--console', 'false'], 404],
  ] as const;
  for (const [args, status] of cases) {
    it(`${args.join(' ')}: ${status}`, async () => {
      const plinth = await Plinth.start({ args: [...args] });
      try {
        assert.equal((await plinth.get('/console')).status, status);
      } finally {
        await plinth.dispose();
      }
    });
  }
});
