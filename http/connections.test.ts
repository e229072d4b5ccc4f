import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eventually } from '../test/support/plinth.ts';
import { head, RawClient } from '../test/support/raw-client.ts';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { Connections } from './connections.ts';

/** More than the buffers of the operating system take. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');

describe('connections of a server that stops', () => {
  let server: Server;
  let connections: Connections;
  let url: string;
  const clients: RawClient[] = [];

  before(async () => {
    const authority = await makeAuthority('test', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    server = createServer({ cert: certificate, key }, (req, res) => {
      res.end(req.url === '/large' ? LARGE : 'small');
    });
    connections = new Connections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => clients.splice(0).forEach((client) => client.close()));
  after(() => server.close());

  async function asking(path: string): Promise<RawClient> {
    const client = await RawClient.open(url);
    clients.push(client);
    client.send(head('GET', path, {}));
    return client;
  }

  it('closes an idle connection without a reset', async () => {
    const client = await asking('/small');
    await eventually(() => client.received.endsWith('small'), 'the answer');
    await connections.end();
    await eventually(() => client.ended !== undefined, 'the end');
    assert.equal(client.ended, 'end');
  });

  it('sends a large response completely to a client that reads slowly', async () => {
    const client = await asking('/large');
    client.socket.pause();
    await once(server, 'request');
    const ended = connections.end();
    client.socket.resume();
    await ended;
    await eventually(() => client.ended !== undefined, 'the end');
    const body = client.received.slice(client.received.indexOf('\r\n\r\n') + 4);
    assert.equal(body.length, LARGE.length);
  });
});
