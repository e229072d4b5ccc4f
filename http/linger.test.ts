import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:https';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { FakeClock } from '../test/support/fake-clock.ts';
import { head, RawClient } from '../test/support/raw-client.ts';
import { expressApplication } from './express-adapter.ts';
import { createHttpsServer, listen } from './https-server.ts';
import { TlsContexts } from './tls-contexts.ts';

const MINUTE = 60_000;

describe('the last answer of a connection that is to rest', () => {
  let server: Server;
  let port: number;
  before(async () => {
    const authority = await makeAuthority('test', Date.now());
    const serving = await makeServingCertificate(authority, ['127.0.0.1'], Date.now());
    const tls = new TlsContexts({
      ...{ ...serving, clientAuthorities: [], minVersion: 'TLSv1.2', ciphers: [], named: [] },
    });
    const application = expressApplication(
      ({ rest }) => {
        rest?.(() => undefined);
        return { status: 429, headers: { 'content-length': '0' }, body: Buffer.alloc(0) };
      },
      (error) => assert.ifError(error),
    );
    server = createHttpsServer(
      {
        ...{ tls, clock: new FakeClock(), requestTimeoutMs: MINUTE },
        onHandshakeError: () => undefined,
        onProblem: () => undefined,
      },
      application,
    );
    ({ port } = await listen(server, '127.0.0.1', 0));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('arrives at a client that reads only when all of its request is sent', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024);
    const client = await RawClient.open(`https://127.0.0.1:${port}`);
    client.socket.pause();
    client.send(head('POST', '/', { connection: 'close' }, body.length));
    await new Promise<void>((resolve, reject) => {
      client.socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    client.socket.resume();
    await once(client.socket, 'end');
    assert.equal(client.status, 429);
    client.close();
  });
});
