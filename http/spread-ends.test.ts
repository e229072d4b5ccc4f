import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { eventually } from '../test/support/plinth.ts';
import { RawClient } from '../test/support/raw-client.ts';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { listen } from './https-server.ts';
import { spreadEnds } from './spread-ends.ts';

const ENDS_PER_TURN = 16;
const CONNECTIONS = 4 * ENDS_PER_TURN;

describe('ends of connections', () => {
  for (const [how, end] of [
    ['clients that close', (client: RawClient) => client.close()],
    ['clients that end', (client: RawClient) => void client.socket.end()],
  ] as const) {
    it(`are spread over turns of the event loop: ${how}`, async () => {
      const authority = await makeAuthority('ca', Date.now());
      const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
      const server = createServer({ cert: certificate, key });
      spreadEnds(server);
      let [opened, turn, most, ends, closed] = [0, 0, 0, 0, 0];
      const count = (): void => {
        if (turn === 0) setImmediate(() => (turn = 0));
        most = Math.max(most, ++turn);
      };
      server.on('secureConnection', (socket: Socket) => {
        opened++;
        socket.on('end', () => ends++);
        socket.on('end', count);
        socket.on('close', () => closed++);
        socket.on('close', count);
      });
      const { port } = await listen(server, '127.0.0.1', 0);
      const clients: RawClient[] = [];
      for (let i = 0; i < CONNECTIONS; i++) {
        clients.push(await RawClient.open(`https://127.0.0.1:${port}`));
      }
      await eventually(() => opened === CONNECTIONS, 'the server has seen all handshakes end');
      for (const client of clients) end(client);
      await eventually(() => closed === CONNECTIONS, 'all are closed');
      assert.equal(ends, CONNECTIONS);
      assert.ok(most <= 2 * ENDS_PER_TURN, `${most} ended in one turn`);
      await new Promise((resolve) => server.close(resolve));
    });
  }

  it('are one in a turn where connections speak HTTP/2, for each has many streams', async () => {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    const server = createServer({ cert: certificate, key, ALPNProtocols: ['h2'] });
    server.removeAllListeners('secureConnection');
    spreadEnds(server);
    let [opened, turn, most, closed] = [0, 0, 0, 0];
    server.on('secureConnection', (socket: TLSSocket) => {
      assert.equal(socket.alpnProtocol, 'h2');
      opened++;
      socket.on('end', () => {
        if (turn === 0) setImmediate(() => (turn = 0));
        most = Math.max(most, ++turn);
      });
      socket.on('close', () => closed++);
    });
    const { port } = await listen(server, '127.0.0.1', 0);
    const clients = Array.from({ length: CONNECTIONS }, () =>
      connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false }),
    );
    await eventually(() => opened === CONNECTIONS, 'the server has seen all handshakes end');
    for (const client of clients) client.end();
    await eventually(() => closed === CONNECTIONS, 'all are closed');
    // As above: twice as many, because turns are counted from the first end.
    assert.ok(most <= 2, `${most} ended in one turn`);
    await new Promise((resolve) => server.close(resolve));
  });

  it('are handled on connections that are not read, as in HTTP/2', async () => {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    const server = createServer({ cert: certificate, key });
    // those of Node's HTTP/1.1 read
    server.removeAllListeners('secureConnection');
    spreadEnds(server);
    let [opened, ends] = [0, 0];
    server.on('secureConnection', (socket: Socket) => {
      opened++;
      socket.on('end', () => ends++);
    });
    const { port } = await listen(server, '127.0.0.1', 0);
    const clients: RawClient[] = [];
    for (let i = 0; i < CONNECTIONS; i++) {
      clients.push(await RawClient.open(`https://127.0.0.1:${port}`));
    }
    await eventually(() => opened === CONNECTIONS, 'the server has seen all handshakes end');
    for (const client of clients) client.socket.end();
    await eventually(() => ends === CONNECTIONS, 'all have ended');
    for (const client of clients) client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('go well while the client goes on sending', async () => {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    const server = createServer({ cert: certificate, key, ALPNProtocols: ['h2'] });
    server.removeAllListeners('secureConnection');
    spreadEnds(server);
    let [opened, closed] = [0, 0];
    server.on('secureConnection', (socket: Socket) => {
      opened++;
      socket.on('data', () => socket.destroy());
      socket.on('close', () => closed++);
    });
    const { port } = await listen(server, '127.0.0.1', 0);
    const clients = Array.from({ length: CONNECTIONS }, () =>
      connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false }),
    );
    for (const client of clients) client.on('error', () => undefined);
    await eventually(() => opened === CONNECTIONS, 'the server has seen all handshakes end');
    // TLS hands it on in pieces of 16 KiB, the last ones of them after the end
    for (const client of clients) client.write(Buffer.alloc(1024 * 1024));
    await eventually(() => closed === CONNECTIONS, 'all are closed');
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
