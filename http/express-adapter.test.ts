import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expressApplication } from './express-adapter.ts';
import type { ApiResponse } from './message.ts';

async function answerTo(
  response: ApiResponse,
): Promise<{ message: IncomingMessage | undefined; defects: unknown[] }> {
  const defects: unknown[] = [];
  const { listener, messages } = expressApplication(
    () => Promise.resolve(response),
    (error) => defects.push(error),
  );
  const server = createServer({ ...messages }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const message = await once(request, 'response').then(
    ([first]) => (first as IncomingMessage).resume(),
    () => undefined,
  );
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  return { message, defects };
}

describe('the Express application', () => {
  it('sends the response of the pipeline without headers of Express', async () => {
    const headers = { 'x-own': 'yes' };
    const { message, defects } = await answerTo({ status: 204, headers, body: Buffer.alloc(0) });
    assert.equal(message?.statusCode, 204);
    assert.equal(message.headers['x-own'], 'yes');
    assert.equal(message.headers['x-powered-by'], undefined);
    assert.deepEqual(defects, []);
  });

  it('never sends the text of its own errors to a client', async () => {
    const headers = { 'x-broken': 'a\nb' };
    const { message, defects } = await answerTo({ status: 200, headers, body: Buffer.alloc(0) });
    assert.equal(message, undefined, 'the connection ends without an answer');
    assert.equal(defects.length, 1);
  });
});
