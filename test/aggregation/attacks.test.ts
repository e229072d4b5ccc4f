import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { TlsServer } from '../support/tls-server.ts';

const GAUGE = `/apis/${EXTENSION_GROUP}/v1/namespaces/default/gauges/a`;
const UPGRADE = `POST ${GAUGE}/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`;

/** Classes of public vulnerabilities (docs/security.md) of servers in front of others. */
describe('attacks by way of aggregated servers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-aggregation-'));
  const endpoints = join(dir, 'endpoints');
  let plinth: Plinth;
  let extension: ExtensionServer;
  let elsewhere: TlsServer;

  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints] });
    extension = await ExtensionServer.start(plinth.dataDir);
    elsewhere = await TlsServer.start({ handler: (_, response) => void response.end() });
    writeEndpoints(endpoints, { metrics: extension.port });
    await plinth.send('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
  });
  afterEach(() => {
    extension.handler = undefined;
    extension.server.server.removeAllListeners('upgrade');
  });
  after(async () => {
    await extension.close();
    await elsewhere.close();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  /** A client that says `head`; what it receives, and whether its connection is over. */
  async function client(
    head: string,
  ): Promise<{ socket: TLSSocket; text: string; isOver: boolean }> {
    const port = Number(new URL(plinth.url).port);
    const socket = connect({ port, host: '127.0.0.1', ...plinth.tls });
    const seen = { socket, text: '', isOver: false };
    socket.on('data', (bytes: Buffer) => (seen.text += bytes.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => (seen.isOver = true));
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    socket.write(head);
    return seen;
  }

  /** How the server behind answers who asks it for another protocol; what it is sent after that. */
  function answerUpgrade(answer: string): { received: () => string; isOver: () => boolean } {
    let received = '';
    let isOver = false;
    const listener = (_: IncomingMessage, socket: Socket, head: Buffer): void => {
      received += head.toString();
      socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => (isOver = true));
      socket.write(answer);
    };
    extension.server.server.on('upgrade', listener);
    return { received: () => received, isOver: () => isOver };
  }

  for (const answer of [
    'HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnope',
    'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnope',
    'HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nnope\r\n0\r\n\r\n',
  ]) {
    const status = answer.slice('HTTP/1.1 '.length, answer.indexOf('\r\n'));
    it(`CVE-2018-1002105: after ${status} to an upgrade no byte goes through, and the connection ends`, async () => {
      const behind = answerUpgrade(answer);
      const seen = await client(UPGRADE);
      seen.socket.write(`GET ${GAUGE} HTTP/1.1\r\nHost: x\r\nX-Remote-User: root\r\n\r\n`);
      await eventually(() => seen.isOver, 'the end of the connection');
      assert.ok(seen.text.startsWith(`HTTP/1.1 ${status.slice(0, 3)} `), seen.text);
      assert.equal(seen.text.match(/HTTP\/1\.1 /g)?.length, 1, 'one answer');
      await eventually(() => behind.isOver(), 'the end of the connection behind');
      assert.equal(behind.received(), '');
    });
  }

  it('CVE-2018-1002105: rejects an unauthorized upgrade before it reaches the backend', async () => {
    const behind = answerUpgrade('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n');
    const before = extension.seen.length;
    const head = UPGRADE.replace('\r\n\r\n', '\r\nImpersonate-User: guest\r\n\r\n');
    const seen = await client(head);
    await eventually(() => seen.isOver, 'the end of the connection');
    assert.match(seen.text, /^HTTP\/1\.1 403 /);
    assert.equal(behind.received(), '');
    assert.equal(extension.seen.length, before);
  });

  it('CVE-2018-1002105: rejects a protocol change that the client did not ask for', async () => {
    extension.handler = (_, response) => {
      const { socket } = response;
      socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      );
    };
    const { status } = await plinth.get(GAUGE);
    assert.equal(status, 502);
    assert.equal((await plinth.get('/livez')).status, 200);
  });

  it('CVE-2018-1002102, CVE-2020-8559: redirects of an upgrade are not followed', async () => {
    answerUpgrade(
      `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}/stolen\r\nContent-Length: 0\r\n\r\n`,
    );
    const seen = await client(UPGRADE);
    await eventually(() => seen.isOver, 'the end of the connection');
    assert.match(seen.text, /^HTTP\/1\.1 502 /);
    assert.doesNotMatch(seen.text, /location|stolen/i);
    assert.equal(elsewhere.requests.length, 0);
  });

  it('CVE-2022-3172: redirects of an aggregated server are neither forwarded nor followed', async () => {
    for (const code of [301, 302, 303, 307, 308]) {
      extension.handler = (_, response) =>
        void response.writeHead(code, { location: `${elsewhere.url}/stolen` }).end('gone');
      for (const method of ['GET', 'POST']) {
        const reply = await plinth.send(method, GAUGE, method === 'POST' ? {} : undefined);
        assert.equal(reply.status, 502, `${method} ${code}`);
        assert.equal(reply.headers.location, undefined);
        assert.match(reply.text, /redirect/);
      }
    }
    assert.equal(elsewhere.requests.length, 0);
    extension.handler = (_, response) => void response.writeHead(304).end();
    assert.equal(
      (await plinth.get(GAUGE)).status,
      304,
      'answers other than redirects come through',
    );
  });

  it('a request that goes round in a loop is answered 508 after four servers', async () => {
    for (const [sent, seen] of [
      [undefined, '1'],
      ['1', '2'],
      ['3', '4'],
      ['x', '1'],
      ['-9', '1'],
    ]) {
      const before = extension.seen.length;
      const { status } = await plinth.get(
        GAUGE,
        sent === undefined ? {} : { 'x-plinth-hops': sent },
      );
      assert.equal(status, 200);
      assert.equal(extension.seen[before]?.headers['x-plinth-hops'], seen);
    }
    for (const path of [GAUGE, `${GAUGE}?watch=1`]) {
      const looping = await plinth.get(path, { 'x-plinth-hops': '4' });
      assert.equal(looping.status, 508);
      assert.match(looping.text, /in a loop/);
    }
  });

  it('interim answers without end are given up', async () => {
    const cases: [number, string][] = [
      [16, ''],
      [17, 'more than 16'],
    ];
    for (const [count, problem] of cases) {
      extension.handler = (_, response) => {
        response.socket?.write('HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n'.repeat(count));
        response.end('{}');
      };
      const reply = await plinth.get(GAUGE);
      assert.equal(reply.status, problem === '' ? 200 : 503);
      assert.ok(reply.text.includes(problem), reply.text);
    }
  });

  it('a status that does not exist, or content where none may be, is not sent on', async () => {
    const raw = (head: string): void => {
      extension.handler = (_, response) => void response.socket?.end(head);
    };
    for (const status of ['999', '099', '600']) {
      raw(`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nno`);
      assert.equal((await plinth.get(GAUGE)).status, 502, status);
    }
    for (const status of [204, 205]) {
      raw(`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nno`);
      const reply = await plinth.get(GAUGE);
      assert.equal(reply.status, status);
      assert.equal(reply.text, '');
      assert.notEqual(reply.headers['content-length'], '2');
    }
  });
});
