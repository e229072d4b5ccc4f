import assert from 'node:assert/strict';
import type { Server } from 'node:https';
import { connect } from 'node:net';
import { expressApplication } from '../../http/express-adapter.ts';
import { createHttpsServer, listen, type ConnectionLimits } from '../../http/https-server.ts';
import { TlsContexts } from '../../http/tls-contexts.ts';
import {
  makeAuthority,
  makeServingCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { eventually } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';

const LONG = 3_600_000;

/** The limits of one connection and of all, by the server's own HTTPS with less patience. */
describe('limits of connections', () => {
  let serving: KeyPair;
  let server: Server;
  let url: string;
  let handshakeErrors = 0;
  let problems: string[] = [];
  let clock: FakeClock;
  let clients: RawClient[] = [];
  /** Answers of `/slow` wait for it. */
  let release: () => void;

  before(async () => {
    const authority = await makeAuthority('test', Date.now());
    serving = await makeServingCertificate(authority, ['127.0.0.1'], Date.now());
  });
  afterEach(() => {
    for (const client of clients) client.close();
    clients = [];
    server.closeAllConnections();
    server.close();
  });

  async function start(limits: Partial<ConnectionLimits>): Promise<void> {
    const until = new Promise<void>((resolve) => (release = resolve));
    const application = expressApplication(
      async ({ rawPath }) => {
        if (rawPath === '/slow') await until;
        const length = { 'content-length': String(rawPath.length) };
        return { status: 200, headers: length, body: Buffer.from(rawPath) };
      },
      (error) => assert.ifError(error),
    );
    const tls = new TlsContexts({
      ...{ ...serving, clientAuthorities: [], minVersion: 'TLSv1.2', ciphers: [], named: [] },
    });
    handshakeErrors = 0;
    problems = [];
    clock = new FakeClock();
    server = createHttpsServer(
      {
        ...{ tls, clock, requestTimeoutMs: LONG, onHandshakeError: () => (handshakeErrors += 1) },
        onProblem: (message) => void problems.push(message),
      },
      application,
      { handshakeMs: LONG, headersMs: LONG, idleMs: LONG, ...limits },
    );
    url = `https://127.0.0.1:${(await listen(server, '127.0.0.1', 0)).port}`;
  }

  const open = async (): Promise<RawClient> => {
    const client = await RawClient.open(url);
    clients.push(client);
    return client;
  };
  const ask = async (client: RawClient, path: string): Promise<void> => {
    client.received = '';
    client.send(head('GET', path, {}));
    await eventually(() => client.received.endsWith(path), `the answer to ${path}`);
  };

  it('GHSA-6vch-q96h-7gc3: a handshake that never comes ends the connection', async () => {
    await start({ handshakeMs: 300 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    let isClosed = false;
    socket.on('close', () => (isClosed = true));
    await eventually(() => isClosed, 'the end');
    assert.equal(handshakeErrors, 1);
  });

  it('CVE-2018-12122: headers that take too long end it, also those of a second request', async () => {
    await start({ headersMs: 1_500 });
    const [silent, first, second] = [await open(), await open(), await open()];
    first.send('GET / HTTP/1.1\r\nx-slow: ');
    await ask(second, '/one');
    second.received = '';
    second.send('GET /two HTTP/1.1\r\nx-slow: ');
    for (const client of [silent, first, second]) {
      await eventually(() => client.ended !== undefined, 'the end');
    }
    assert.deepEqual([first.status, second.status], [408, 408]);
  });

  it('an idle connection is closed after a while, a used one stays open', async () => {
    await start({ idleMs: 400 });
    const [idle, busy] = [await open(), await open()];
    await ask(idle, '/one');
    busy.send(head('GET', '/slow', {}));
    await eventually(() => idle.ended !== undefined, 'the end of the idle one');
    assert.equal(busy.ended, undefined);
    release();
    await eventually(() => busy.received.endsWith('/slow'), 'the answer');
  });

  it('the idle time starts over with each request, as the answer says', async () => {
    const idleMs = 1_500;
    await start({ idleMs });
    const [idle, client] = [await open(), await open()];
    await ask(idle, '/once');
    while (idle.ended === undefined) {
      await ask(client, '/again');
      assert.match(client.received, /\r\nkeep-alive: timeout=1\r\n/i);
    }
    assert.equal(client.ended, undefined);
    await eventually(() => client.ended !== undefined, 'the end');
  });

  it('requests of a connection are not counted, and answered in their order', async () => {
    await start({});
    const client = await open();
    const paths = Array.from({ length: 500 }, (_, i) => `/${i}`);
    client.send(paths.map((path) => head('GET', path, {})).join(''));
    await eventually(() => client.received.endsWith('/499'), 'the last answer');
    assert.deepEqual(client.received.match(/(?<=\r\n\r\n)\/\d+/g), paths);
    assert.equal(client.ended, undefined);
  });

  it('at the connection limit, new connections replace idle ones', async () => {
    await start({ bound: { connections: 4 } });
    const idle = [await open(), await open(), await open()];
    for (const client of idle) await ask(client, '/');
    const busy = await open();
    busy.send(head('GET', '/slow', {}));
    await eventually(async () => {
      await open().catch(() => undefined);
      return idle.every(({ ended }) => ended !== undefined);
    }, 'the end of idle connections');
    const late = await open();
    await ask(late, '/late');
    release();
    await eventually(() => busy.received.endsWith('/slow'), 'the answer of before');
  });

  it('at their highest number new ones are refused while all are in use', async () => {
    await start({ bound: { connections: 2, openFiles: 66 } });
    const busy = await open();
    busy.send(head('GET', '/slow', {}));
    await open(); // and says nothing
    await assert.rejects(open());
    await assert.rejects(open());
    const why = '(the system lets this process open 66 files)';
    const told = [
      `no more than 2 connections are taken at a time ${why}`,
      `new connections refused (1): 2 are open, as many as may be ${why}`,
    ];
    assert.deepEqual(problems, told, 'once in a minute');
    await clock.advance(60_000);
    await assert.rejects(open());
    assert.deepEqual(problems.slice(2), [told[1]!.replace('(1)', '(2)')]);
    server.headersTimeout = 1; // its time has come
    const isLetIn = async (): Promise<boolean> =>
      (await open().catch(() => undefined)) !== undefined;
    await eventually(isLetIn, 'room');
    release();
    await eventually(() => busy.received.endsWith('/slow'), 'the answer');
  });
});
