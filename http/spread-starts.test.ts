import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { eventually } from '../test/support/plinth.ts';
import { listen } from './https-server.ts';
import { spreadStarts } from './spread-starts.ts';

const STARTS_PER_TURN = 8;
const HANDSHAKE_MS = 60_000;

describe('starts of connections', () => {
  let server: Server;
  let address: AddressInfo;
  /** Connections that TLS has taken, and the most of them in one turn. */
  let taken: number;
  let most: number;
  /** Connections that ended before they had a session. */
  let failed: number;

  async function start(handshakeMs: number): Promise<void> {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    server = createServer({ cert: certificate, key }, (_, res) => res.end('here'));
    [taken, most, failed] = [0, 0, 0];
    server.on('tlsClientError', () => failed++);
    let turn = 0;
    server.prependListener('connection', () => {
      if (turn === 0) setImmediate(() => (turn = 0));
      most = Math.max(most, ++turn);
      taken++;
    });
    spreadStarts(server, handshakeMs);
    address = await listen(server, '127.0.0.1', 0);
  }

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function opened(): Promise<Socket> {
    const socket = connect(address.port, address.address);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

  it('are spread over turns of the event loop when all clients begin at once', async () => {
    await start(HANDSHAKE_MS);
    const clients: Socket[] = [];
    for (let i = 0; i < 8 * STARTS_PER_TURN; i++) clients.push(await opened());
    await eventually(async () => (await connections()) === clients.length, 'all are accepted');
    assert.equal(taken, 0, 'a connection that has sent nothing is not taken');
    for (const client of clients) client.write('not TLS');
    await eventually(() => taken === clients.length, 'all are taken');
    assert.ok(most <= 2 * STARTS_PER_TURN, `${most} began in one turn`);
    await eventually(async () => (await connections()) === 0, 'all are refused');
  });

  it('lose no byte that came before TLS has taken them', async () => {
    await start(HANDSHAKE_MS);
    const through = await opened();
    const client = connectTls({ socket: through, rejectUnauthorized: false });
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const part of client.setEncoding('utf8')) answer += part as string;
    assert.match(answer, /here$/);
  });

  it('do without clients that go before they have said anything', async () => {
    await start(HANDSHAKE_MS);
    const [ended, reset] = [await opened(), await opened()];
    ended.end();
    reset.resetAndDestroy();
    await eventually(async () => (await connections()) === 0, 'both are closed');
    assert.deepEqual([taken, failed], [0, 2]);
  });

  it('end a connection that says nothing for as long as a handshake may take', async () => {
    await start(1);
    const silent = await opened();
    silent.resume();
    await once(silent, 'close');
    assert.deepEqual([taken, failed], [0, 1]);
  });
});
