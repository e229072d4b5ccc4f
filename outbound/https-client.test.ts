import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Clock } from '../api/clock.ts';
import { CallError } from './call-error.ts';
import { HttpsClient } from './https-client.ts';
import { dnsResolver } from './service-resolver.ts';

const TIMEOUTS_PER_TURN = 8;
const CALLS = 10 * TIMEOUTS_PER_TURN;

describe('calls that time out together', () => {
  it('end a few in each turn of the event loop', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const timers: (() => void)[] = [];
    const clock: Clock = {
      now: () => 0,
      monotonic: () => 0,
      after: (_, callback) => {
        timers.push(callback);
        return () => undefined;
      },
    };
    const client = new HttpsClient({ resolver: dnsResolver, clock });
    const host = '127.0.0.1';
    const { port } = server.address() as AddressInfo;
    const common = { path: '/', insecure: true, service: undefined, authorities: undefined };
    const endpoint = { ...common, host, port, serverName: host };
    let [turn, most] = [0, 0];
    const failed = (error: unknown): void => {
      assert.ok(error instanceof CallError && error.kind === 'timeout', String(error));
      if (turn === 0) setImmediate(() => (turn = 0));
      most = Math.max(most, ++turn);
    };
    const calls = Array.from({ length: CALLS }, () =>
      client
        .call({
          ...{ method: 'POST', path: '/', headers: {}, timeoutMs: 1, maxBytes: 1 },
          endpoint,
        })
        .then(() => assert.fail('the server never answers'), failed),
    );
    assert.equal(timers.length, CALLS);
    for (const fire of timers) fire();
    await Promise.all(calls);
    assert.ok(most <= 2 * TIMEOUTS_PER_TURN, `${most} ended in one turn`);
    client.close();
    server.close();
  });
});
