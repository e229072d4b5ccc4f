import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { constants } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { Http2Client } from '../support/http2-client.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = { 'content-type': 'application/json' };
/** As many as the server lets a connection have open. */
const MAX_STREAMS = 250;

function mapOf(name: string, data: Record<string, string> = {}): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}

/** The protocol that a server chooses of those that a client offers. */
function chosen(plinth: Plinth, ALPNProtocols: string[]): Promise<string | false | null> {
  const { hostname, port } = new URL(plinth.url);
  const options = { ...plinth.tls, host: hostname, port: Number(port), ALPNProtocols };
  return new Promise((resolve, reject) => {
    const socket = connectTls(options, () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

async function openWatches(plinth: Plinth): Promise<number> {
  const { text } = await plinth.get('/metrics');
  const lines = text.match(/^apiserver_longrunning_requests\{.*\} \d+$/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('HTTP/2', () => {
  let plinth: Plinth;
  let client: Http2Client;
  before(async () => {
    plinth = await Plinth.start();
  });
  beforeEach(async () => {
    client = await Http2Client.open(plinth);
  });
  afterEach(() => client.close());
  after(() => plinth.dispose());

  it('is chosen by ALPN, and HTTP/1.1 by clients that do not offer it', async () => {
    assert.equal(await chosen(plinth, ['h2', 'http/1.1']), 'h2');
    assert.equal(await chosen(plinth, ['http/1.1', 'h2']), 'h2');
    assert.equal(await chosen(plinth, ['http/1.1']), 'http/1.1');
  });

  it('answers as HTTP/1.1 does, without headers of the connection', async () => {
    const before = await plinth.get('/api/v1/namespaces/default');
    const { status, text, headers } = await client.get('/api/v1/namespaces/default');
    assert.equal(status, 200);
    assert.equal(text, before.text);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['connection'], undefined);
    const missing = await client.get(`${MAPS}/missing`);
    assert.equal(missing.status, 404);
    assert.equal(JSON.parse(missing.text).reason, 'NotFound');
    const { status: noMethod } = await client.send('TRACE', '/api');
    assert.equal(noMethod, 405);
  });

  it('refuses a Host header that is not the authority, as two Host headers', async () => {
    const ask = (host: string): Promise<{ status: number; text: string }> =>
      client.send('GET', '/version', undefined, { ':authority': 'a.example', host });
    assert.equal((await ask('a.example')).status, 200);
    const { status, text } = await ask('b.example');
    assert.equal(status, 400, text);
    assert.match(text, /several Host headers/);
  });

  it('a deletion whose head is all of the request is answered', async () => {
    await client.send('POST', MAPS, mapOf('headed', { of: 'headed' }), JSON_TYPE);
    for (const query of ['filter=true', 'orderBy=data.of', 'fieldSelector=data.of%3Dheaded']) {
      const { status, text } = await client.send(
        'DELETE',
        `${MAPS}?dryRun=All&labelSelector=!kept&${query}`,
        undefined,
        {},
        true,
      );
      assert.equal(status, 200, `${query}: ${text}`);
    }
  });

  it('answers HEAD without a body', async () => {
    const { status, text } = await client.send('HEAD', '/version');
    assert.deepEqual({ status, text }, { status: 200, text: '' });
  });

  it('takes bodies larger than a window, and refuses those beyond the limit', async () => {
    const large = mapOf('large', { a: 'x'.repeat(900_000) });
    const created = await client.send('POST', MAPS, large, JSON_TYPE);
    assert.equal(created.status, 201, created.text);
    const read = await client.get(`${MAPS}/large`);
    assert.equal(JSON.parse(read.text).data.a.length, 900_000);
    const tooLarge = mapOf('larger', { a: 'x'.repeat(4_000_000) });
    const refused = await client.send('POST', MAPS, tooLarge, JSON_TYPE).catch(() => undefined);
    assert.ok(refused === undefined || refused.status === 413, refused?.text);
    assert.equal((await client.get('/livez')).status, 200, 'the connection goes on');
  });

  it('asks a client that waits for it for the body, and not where it refuses without', async () => {
    const ask = async (type: string): Promise<string[]> => {
      const headers = { ':method': 'POST', expect: '100-continue', 'content-type': type };
      const stream = client.stream(MAPS, headers);
      const told: string[] = [];
      stream.on('continue', () => {
        told.push('continue');
        stream.end(mapOf('asked'));
      });
      stream.on('response', (answer) => told.push(String(answer[':status'])));
      stream.resume();
      await eventually(() => Number(told.at(-1)) >= 200, 'an answer');
      stream.close();
      return told;
    };
    assert.deepEqual(await ask('image/png'), ['415']);
    assert.deepEqual(await ask('application/json'), ['continue', '201']);
  });

  it('carries many watches, each of which ends by itself', async () => {
    const open = await openWatches(plinth);
    const watches = Array.from({ length: 30 }, () => {
      const stream = client.stream(`${MAPS}?watch=1&fieldSelector=metadata.name%3Dseen`);
      const watch = { stream, text: '' };
      stream.on('data', (piece: Buffer) => (watch.text += piece.toString()));
      return watch;
    });
    await eventually(async () => (await openWatches(plinth)) === open + 30, '30 watches');
    const created = await client.send('POST', MAPS, mapOf('seen'), JSON_TYPE);
    assert.equal(created.status, 201, created.text);
    await eventually(() => watches.every(({ text }) => text.includes('"ADDED"')), 'each event');
    for (const { stream } of watches.slice(0, 10)) stream.close();
    await eventually(async () => (await openWatches(plinth)) === open + 20, '20 watches');
    client.close();
    await eventually(async () => (await openWatches(plinth)) === open, 'none is left');
  });

  it('a client may ask for more at one time than a connection may have open', async () => {
    const replies = await Promise.all(
      Array.from({ length: 4 * MAX_STREAMS }, () => client.get('/version')),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  });

  it('a stream that is not read delays no other one of its connection', async () => {
    const unread = client.stream(`${MAPS}?watch=1&resourceVersion=0`);
    unread.pause();
    const list = client.stream(MAPS);
    list.pause();
    for (let i = 0; i < 5; i++) assert.equal((await client.get('/version')).status, 200);
  });

  it('kubectl speaks it', async () => {
    const env = { ...process.env, GODEBUG: 'http2debug=1', HOME: plinth.dataDir };
    const args = ['--kubeconfig', plinth.kubeconfig, 'get', 'namespaces'];
    const { stdout, stderr } = await promisify(execFile)('kubectl', args, { env });
    assert.match(stdout, /^default +Active/m);
    assert.match(stderr, /http2: Transport received HEADERS/);
  });

  describe('under attack', () => {
    afterEach(async () => {
      assert.equal((await plinth.get('/livez')).status, 200, 'the server goes on');
    });

    it('CVE-2023-44487: streams that are opened and reset at once end the connection', async () => {
      // More than it forgives, of which a few are forgiven each second.
      for (let opened = 0; opened < 10_000 && !client.goneAway; opened += MAX_STREAMS) {
        for (let i = 0; i < MAX_STREAMS && !client.session.destroyed; i++) {
          client.stream(MAPS).close(constants.NGHTTP2_CANCEL);
        }
        assert.equal((await plinth.get('/livez')).status, 200);
      }
      await eventually(() => client.goneAway, 'the server ends the connection');
    });

    it('a head without end is refused', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`x-${i}`, 'y'.repeat(100)]),
      );
      const stream = client.stream('/version', many);
      let status: unknown;
      stream.on('response', (head) => (status = head[':status']));
      await new Promise((resolve) => stream.once('close', resolve));
      assert.notEqual(status, 200);
    });

    it('pings do not delay others', async () => {
      for (let i = 0; i < 1_000 && !client.session.destroyed; i++) client.session.ping(() => {});
      assert.equal((await plinth.get('/version')).status, 200);
    });

    it('watches that are reset before they are answered leave nothing behind', async () => {
      for (const code of [constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL]) {
        for (let round = 0; round < 10; round++) {
          const other = await Http2Client.open(plinth);
          const streams = Array.from(
            { length: MAX_STREAMS - 1 },
            () => other.stream(`${MAPS}?watch=1`).resume(), // one that was answered closes when it is read
          );
          const closed = streams.map((stream) => new Promise((done) => stream.once('close', done)));
          await new Promise((resolve) => other.session.ping(resolve)); // they have arrived
          for (const stream of streams) stream.close(code);
          await Promise.all(closed);
          other.close();
        }
        await eventually(async () => (await openWatches(plinth)) === 0, `none is open: ${code}`);
      }
    });

    it('watches that are not read hold no more than the budget', async () => {
      const large = mapOf('unread', { a: 'x'.repeat(900_000) });
      await plinth.send('POST', MAPS, large, JSON_TYPE);
      const held = async (): Promise<number> => {
        const { text } = await plinth.get('/metrics');
        return Number(/^plinth_unsent_bytes (\S+)$/m.exec(text)?.[1]);
      };
      // that of the metrics themselves
      const before = await held();
      for (let i = 0; i < 40; i++) {
        client.stream(`${MAPS}?watch=1&resourceVersion=0`).pause();
      }
      await eventually(async () => (await held()) > before, 'bytes wait');
      assert.ok((await held()) <= 32 * 1024 * 1024);
      client.close();
      await eventually(async () => (await held()) <= before, 'they are given back');
    });
  });

  it('a stop says so on each connection, ends watches and finishes what runs', async () => {
    const watch = client.stream(`${MAPS}?watch=1`);
    let text = '';
    watch.on('data', (piece: Buffer) => (text += piece.toString()));
    const ended = new Promise((resolve) => watch.once('end', resolve));
    await new Promise((resolve) => watch.once('response', resolve));
    const stopped = plinth.stop();
    await ended;
    assert.equal(watch.rstCode, 0, 'the watch ends without an error');
    assert.equal(await stopped, 0);
    assert.ok(client.goneAway);
    await plinth.start();
  });
});

describe('--disable-http2-serving', () => {
  it('offers HTTP/1.1 only', async () => {
    const plinth = await Plinth.start({ args: ['--disable-http2-serving'] });
    try {
      assert.notEqual(await chosen(plinth, ['http/1.1', 'h2']), 'h2');
    } finally {
      await plinth.dispose();
    }
  });
});
