import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';

const ROOT = `/apis/${EXTENSION_GROUP}/v1`;
const GAUGES = `${ROOT}/namespaces/default/gauges`;

describe('requests that another server answers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-aggregation-'));
  const endpoints = join(dir, 'endpoints');
  let plinth: Plinth;
  let extension: ExtensionServer;

  before(async () => {
    writeEndpoints(endpoints, {});
    const tokens = join(dir, 'tokens.csv');
    writeFileSync(tokens, 'ann-token,ann,uid-ann,"system:masters,team a"\n');
    plinth = await Plinth.start({
      args: ['--service-endpoints-file', endpoints, '--token-auth-file', tokens],
    });
    extension = await ExtensionServer.start(plinth.dataDir);
    writeEndpoints(endpoints, { metrics: extension.port });
    await plinth.send('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
  });

  after(async () => {
    await extension.close();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  beforeEach(() => void extension.seen.splice(0));
  afterEach(() => {
    extension.handler = undefined;
  });

  it('arrive as they were sent, and their answers come back', async () => {
    extension.handler = (_, response, body) => {
      response.setHeader('x-own', 'yes');
      answerJson(response, { echo: JSON.parse(body) }, 201);
    };
    const reply = await plinth.send('POST', `${GAUGES}?dryRun=All&fieldManager=a%20b`, { a: 1 });
    assert.deepEqual([reply.status, reply.json], [201, { echo: { a: 1 } }]);
    assert.equal(reply.headers['x-own'], 'yes');
    const [seen] = extension.seen;
    assert.deepEqual(
      [seen!.method, seen!.url, seen!.headers['content-type']],
      ['POST', `${GAUGES}?dryRun=All&fieldManager=a+b`, 'application/json'],
    );
  });

  it('drop cookies and CORS headers of the other server', async () => {
    const dropped = {
      'set-cookie': ['session=evil', 'b=c'],
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': '*',
      'strict-transport-security': 'max-age=1',
      'clear-site-data': '"*"',
      'www-authenticate': 'Basic realm="evil"',
      'cross-origin-resource-policy': 'cross-origin',
      refresh: '0; url=https://evil.example.com',
    };
    extension.handler = (request, response) => {
      for (const [name, value] of Object.entries(dropped)) response.setHeader(name, value);
      response.setHeader('x-own', 'yes');
      if (request.url?.includes('watch') === true) response.end('{}\n');
      else answerJson(response, {}, request.url?.endsWith('refused') === true ? 401 : 200);
    };
    const origin = { origin: 'https://evil.example.com' };
    for (const path of [GAUGES, `${GAUGES}/refused`, `${GAUGES}?watch=1`]) {
      const reply = await plinth.get(path, origin);
      assert.equal(reply.headers['x-own'], 'yes', path);
      const back = Object.keys(dropped).filter((name) => name in reply.headers);
      // what this server says of itself is its own
      const foreign = back.filter(
        (name) => String(reply.headers[name]) === String(dropped[name as keyof typeof dropped]),
      );
      assert.deepEqual(foreign, [], path);
    }
  });

  it('have no scripts run at the origin of the console', async () => {
    for (const [policy, expected] of [
      [undefined, 'sandbox'],
      ["script-src 'unsafe-inline'", "sandbox, script-src 'unsafe-inline'"],
    ]) {
      extension.handler = (_, response) => {
        if (policy !== undefined) response.setHeader('content-security-policy', policy);
        response.setHeader('content-type', 'text/html').end('<script>steal()</script>');
      };
      for (const path of [GAUGES, `${GAUGES}?watch=1`]) {
        const { headers } = await plinth.get(path);
        assert.equal(headers['content-security-policy'], expected, path);
        assert.equal(headers['x-content-type-options'], 'nosniff', path);
      }
    }
  });

  it("carry the user in headers, with the proxy's client certificate", async () => {
    await plinth.get(`${GAUGES}/a`, { authorization: 'Bearer ann-token' });
    const [{ headers, proxy } = assert.fail()] = extension.seen;
    assert.equal(proxy, 'front-proxy-client');
    assert.equal(headers['x-remote-user'], 'ann');
    assert.equal(headers['x-remote-uid'], 'uid-ann');
    assert.equal(headers['x-remote-group'], 'system:masters, team a, system:authenticated');
    assert.match(String(headers['x-forwarded-for']), /127\.0\.0\.1/);
    assert.ok(headers['audit-id']);
  });

  it('carry the impersonated user', async () => {
    await plinth.get(`${GAUGES}/a`, {
      authorization: 'Bearer ann-token',
      ...{ 'impersonate-user': 'bób', 'impersonate-group': 'system:masters' },
      'impersonate-extra-example.com%2fscope': 'x',
    });
    const [{ headers } = assert.fail()] = extension.seen;
    assert.equal(Buffer.from(String(headers['x-remote-user']), 'latin1').toString(), 'bób');
    assert.equal(headers['x-remote-extra-example.com%2fscope'], 'x');
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('impersonate-')),
      [],
    );
  });

  it('credential leaks to aggregated servers: neither credentials nor forged identity headers are forwarded', async () => {
    await plinth.get(`${GAUGES}/a`, {
      ...{ authorization: 'Bearer ann-token', cookie: 'session=secret' },
      ...{ 'proxy-authorization': 'Basic c2VjcmV0', 'x-remote-user': 'root' },
      ...{ 'x-remote-group': 'secret-group', 'x-remote-extra-secret': 'secret' },
      ...{ x_remote_user: 'secret', 'x-forwarded-for': '6.6.6.6' },
      ...{ connection: 'keep-alive, x-hop', 'x-hop': 'secret' },
    });
    const [{ headers } = assert.fail()] = extension.seen;
    assert.equal(headers['x-remote-user'], 'ann');
    assert.ok(!JSON.stringify(headers).includes('secret'), JSON.stringify(headers));
    assert.ok(!JSON.stringify(headers).includes('6.6.6.6'));
  });

  it('are authorized before they are forwarded', async () => {
    const { status } = await plinth.get(`${GAUGES}/a`, {
      ...{ authorization: 'Bearer ann-token', 'impersonate-user': 'guest' },
    });
    assert.equal(status, 403);
    assert.equal(extension.seen.length, 0);
  });

  it('keep their path as it was authorized', async () => {
    await plinth.get(`${GAUGES}/a%2Fscale`);
    await plinth.get(`${GAUGES}/a:b@c%20d%3F`);
    assert.deepEqual(
      extension.seen.map(({ url }) => url),
      [`${GAUGES}/a/scale`, `${GAUGES}/a:b@c%20d%3F`],
    );
    for (const trick of [`${GAUGES}/%2e%2e/secrets`, `${GAUGES}/..%2fsecrets`]) {
      const socket = await ask(plinth, `GET ${trick} HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.match(
        await read(socket, (text) => text.includes('\r\n\r\n')),
        /^HTTP\/1.1 400/,
        trick,
      );
      socket.destroy();
    }
    assert.equal(extension.seen.length, 2);
  });

  it('stream their answers', async () => {
    let more: (text: string) => void = () => undefined;
    let isClosed = false;
    extension.handler = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      more = (text) => void response.write(text);
      request.on('close', () => (isClosed = true));
    };
    const frames: any[] = [];
    const watch = await plinth.watch(`${GAUGES}?watch=1`, (frame) => frames.push(frame));
    for (let i = 0; i < 3; i++) {
      more(`{"type":"ADDED","n":${i}}\n`);
      await eventually(() => frames.length === i + 1, `frame ${i}`);
    }
    watch.close();
    await eventually(() => isClosed, 'the end of the stream behind');
  });

  it('are aborted when the response is aborted', async () => {
    extension.handler = (request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => request.socket.destroy(), 50);
    };
    await assert.rejects(plinth.get(`${GAUGES}/a`));
  });

  it('pass on long bodies whole, in both directions', async () => {
    const blob = 'x'.repeat(2_000_000);
    extension.handler = (_, response, body) => void response.end(`${body}${body}`);
    const { text } = await plinth.send('PUT', `${GAUGES}/a`, { blob });
    const sent = JSON.stringify({ blob });
    assert.equal(hash(text), hash(sent + sent));
    const tooLong = await plinth.send('PUT', `${GAUGES}/a`, { blob: 'x'.repeat(20_000_000) });
    assert.equal(tooLong.status, 413);
  });

  it('become other protocols', async () => {
    extension.server.server.on('upgrade', (request, socket: Socket, head: Buffer) => {
      const { headers, url } = request;
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\nX-User: ${String(headers['x-remote-user'])} ${url}\r\n\r\n`,
      );
      socket.write(head);
      socket.on('error', () => undefined);
      socket.pipe(socket);
    });
    const socket = await upgrade(plinth, `${GAUGES}/a/exec?command=ls`);
    const answer = await read(socket, (text) => text.includes('\r\n\r\n'));
    assert.match(answer, /^HTTP\/1\.1 101 /);
    assert.match(answer, /upgrade: spdy\/3\.1/i);
    assert.match(answer, new RegExp(`x-user: admin ${GAUGES}/a/exec\\?command=ls`, 'i'));
    socket.write('hello');
    assert.equal(await read(socket, (text) => text.length >= 5), 'hello');
    const much = 'y'.repeat(3_000_000);
    const echoed = read(socket, (text) => text.length >= much.length);
    socket.write(much);
    assert.equal(hash(await echoed), hash(much));
    socket.destroy();
    extension.server.server.removeAllListeners('upgrade');
  });

  it('are counted', async () => {
    await plinth.get(`${GAUGES}/a`);
    const { text } = await plinth.get('/metrics');
    const name = `name="v1.${EXTENSION_GROUP}"`;
    assert.match(
      text,
      new RegExp(`^plinth_aggregator_requests_total{${name},code="200"} [1-9]`, 'm'),
    );
    assert.match(text, new RegExp(`^aggregator_unavailable_apiservice{${name}} 0$`, 'm'));
  });

  it('that ask for another protocol may be refused', async () => {
    extension.server.server.on('upgrade', (_, socket: Socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnope');
    });
    const socket = await upgrade(plinth, `${GAUGES}/a/exec`);
    const answer = await read(socket, (text) => text.endsWith('nope'));
    assert.match(answer, /^HTTP\/1\.1 403 /);
    socket.destroy();
    extension.server.server.removeAllListeners('upgrade');
  });
});

function upgrade(plinth: Plinth, path: string): Promise<TLSSocket> {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`;
  return ask(plinth, head);
}

/** Paths go out as they are. */
function ask(plinth: Plinth, head: string): Promise<TLSSocket> {
  const port = Number(new URL(plinth.url).port);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ...plinth.tls }, () => {
      socket.write(head);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

function read(socket: TLSSocket, isWhole: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (bytes: Buffer): void => {
      text += bytes.toString('latin1');
      if (!isWhole(text)) return;
      socket.off('data', onData);
      resolve(text);
    };
    socket.on('data', onData);
    socket.once('close', () => reject(new Error(`closed after ${text.slice(0, 200)}`)));
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
