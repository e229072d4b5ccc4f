import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import { Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const WATCH = `${LEASES}?watch=1&resourceVersion=0`;

describe('watches over WebSocket', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  function open(path: string, protocols: string[] = []): WebSocket {
    const url = `${plinth.url.replace('https', 'wss')}${path}`;
    return new WebSocket(url, protocols, plinth.tls);
  }

  /** Reads messages until `done` says that it has enough. */
  async function messages(socket: WebSocket, done: (texts: string[]) => boolean): Promise<any[]> {
    const texts: string[] = [];
    socket.on('message', (data) => texts.push((data as Buffer).toString()));
    while (!done(texts)) await once(socket, 'message');
    return texts.map((text) => JSON.parse(text));
  }

  const lease = (name: string): unknown => ({ metadata: { name }, spec: { holderIdentity: name } });

  it('send one message for each event, as long as the client likes', async () => {
    const socket = open(WATCH);
    await once(socket, 'open');
    const seen = messages(socket, (texts) => texts.length >= 2);
    await plinth.send('POST', LEASES, lease('one'));
    await plinth.send('DELETE', `${LEASES}/one`);
    assert.deepEqual(
      (await seen).map(({ type, object }) => [type, object.metadata.name]),
      [
        ['ADDED', 'one'],
        ['DELETED', 'one'],
      ],
    );
    socket.close();
    const [code] = await once(socket, 'close');
    assert.equal(code, 1000);
  });

  it('answer pings and agree on the first protocol', async () => {
    const socket = open(WATCH, ['base64.binary.k8s.io', 'other']);
    await once(socket, 'open');
    assert.equal(socket.protocol, 'base64.binary.k8s.io');
    const pong = once(socket, 'pong');
    socket.ping('still there?');
    assert.equal(String((await pong)[0]), 'still there?');
    socket.terminate();
  });

  it('end cleanly at their timeout', async () => {
    const socket = open(`${WATCH}&timeoutSeconds=1`);
    const [code] = await once(socket, 'close');
    assert.equal(code, 1000);
  });

  it('send a large initial state to a client that reads slowly, whole and in order', async () => {
    const big = 'x'.repeat(100_000);
    for (let i = 0; i < 60; i++) {
      await plinth.send('POST', LEASES, {
        metadata: { name: `big-${String(i).padStart(2, '0')}`, annotations: { big } },
      });
    }
    const socket = open(WATCH);
    await once(socket, 'open');
    const seen = messages(socket, (texts) => texts.length >= 60);
    socket.pause();
    // Meanwhile the server has had time enough to send more than the client takes.
    for (let i = 0; i < 20; i++) await plinth.get(LEASES);
    socket.resume();
    const names = (await seen).map(({ object }) => object.metadata.name);
    assert.deepEqual(names, [...names].sort());
    assert.equal(new Set(names).size, 60);
    socket.terminate();
  });

  it('are refused with a Status like any other request', async () => {
    for (const [path, code, reason] of [
      [`${LEASES}?watch=1&resourceVersion=nonsense`, 400, 'BadRequest'],
      ['/apis/coordination.cluster.io/v1/namespaces/default/nothings?watch=1', 404, 'NotFound'],
    ] as const) {
      const { status, json } = await upgrade('GET', path);
      assert.deepEqual([status, json.kind, json.reason], [code, 'Status', reason], path);
    }
  });

  it('ordinary requests that offer another protocol are answered as usual', async () => {
    const { status, json } = await upgrade('GET', '/api', { upgrade: 'h2c' });
    assert.deepEqual([status, json.kind], [200, 'APIVersions']);
  });

  it('an upgrade request with a body is refused before anything is done', async () => {
    await plinth.send('POST', LEASES, lease('kept'));
    const options = JSON.stringify({ preconditions: { uid: 'another' } });
    const { status } = await upgrade('DELETE', `${LEASES}/kept`, {}, options);
    assert.equal(status, 400);
    assert.equal((await plinth.get(`${LEASES}/kept`)).status, 200);
  });

  it('survive clients that reset the connection at once', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = open(WATCH);
      socket.on('error', () => undefined);
      await new Promise((resolve) => setTimeout(resolve, i));
      socket.terminate();
    }
    assert.equal((await plinth.get('/livez')).text, 'ok');
  });

  it('end when the server stops', async () => {
    const socket = open(WATCH);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await plinth.stop();
    assert.equal((await closed)[0], 1000);
    await plinth.start();
  });

  async function upgrade(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<{ status: number; json: any }> {
    const req = request(new URL(path, plinth.url), {
      ...plinth.tls,
      method,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...(body === '' ? {} : { 'content-length': String(body.length) }),
        ...headers,
      },
    });
    req.end(body);
    const [res] = await once(req, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    const json = JSON.parse(Buffer.concat(chunks).toString());
    return { status: res.statusCode, json };
  }
});
