import assert from 'node:assert/strict';
import { connect, type ClientHttp2Session } from 'node:http2';
import { createServer } from 'node:https';
import { makeAuthority, makeServingCertificate } from '../../access/pki/certificates.ts';
import { textResponse } from '../message.ts';
import { listen } from '../https-server.ts';
import { serveHttp2 } from './sessions.ts';

const CONNECTIONS = 8;
const STREAMS = 16;
/** Streams with heads of 20 KB that begin in one turn: 32 of heads that are short. */
const MOST = 4;

describe('HTTP/2 streams with long heads', () => {
  it('are fewer in each turn of the event loop', async () => {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    const server = createServer({ cert: certificate, key, ALPNProtocols: ['h2'] });
    let [begun, turn, most] = [0, 0, 0];
    serveHttp2(server, {
      ...{ maxStreams: 100, idleMs: 60_000 },
      handle: () => {
        if (turn === 0) setImmediate(() => (turn = 0));
        most = Math.max(most, ++turn);
        begun++;
        return textResponse(200, 'ok');
      },
      onDefect: (error) => assert.fail(String(error)),
    });
    const { port } = await listen(server, '127.0.0.1', 0);
    const clients = Array.from({ length: CONNECTIONS }, () =>
      connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }),
    );
    await Promise.all(clients.map(connected));
    const path = `/?labelSelector=${'a,'.repeat(10_000)}`;
    const ends = clients.flatMap((client) =>
      Array.from({ length: STREAMS }, () => {
        const stream = client.request({ ':path': path });
        return new Promise((resolve) => stream.resume().on('close', resolve));
      }),
    );
    await Promise.all(ends);
    assert.equal(begun, CONNECTIONS * STREAMS);
    // A turn is counted from its first stream on, so the count may reach into the next one.
    assert.ok(most <= 2 * MOST, `${most} began in one turn`);
    for (const client of clients) client.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

function connected(client: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => client.once('remoteSettings', () => resolve()));
}
