import assert from 'node:assert/strict';
import { connect } from 'node:tls';
import { eventually, Plinth } from '../support/plinth.ts';
import { RawClient } from '../support/raw-client.ts';

describe('connections and how requests are framed', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  const requests = {
    'two Host headers': 'GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
    'a transfer coding other than chunked':
      'POST /livez HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  };
  for (const [what, text] of Object.entries(requests)) {
    it(`${what}: 400, and the connection is closed`, async () => {
      const client = await RawClient.open(plinth.url);
      client.send(text);
      await eventually(() => client.ended !== undefined, 'the end');
      assert.equal(client.status, 400, client.received);
      client.close();
    });
  }

  it('a suite with CBC and SHA-1 is refused, one with GCM is taken', async () => {
    const { hostname, port } = new URL(plinth.url);
    const handshake = (ciphers: string): Promise<string> =>
      new Promise((resolve) => {
        const options = { host: hostname, port: Number(port), rejectUnauthorized: false };
        const socket = connect({ ...options, ciphers, maxVersion: 'TLSv1.2' });
        socket.once('error', () => resolve('refused'));
        socket.once('secureConnect', () => {
          resolve(socket.getCipher().name);
          socket.destroy();
        });
      });
    const suite = 'ECDHE-ECDSA-AES128';
    assert.equal(await handshake(`${suite}-SHA:${suite}-SHA256`), 'refused');
    assert.equal(await handshake(`${suite}-GCM-SHA256`), `${suite}-GCM-SHA256`);
  });
});
