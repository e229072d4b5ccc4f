import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Plinth } from '../support/plinth.ts';

/** The status of an answer, and whether its connection resumed a session of one before. */
interface Answer {
  readonly status: number | undefined;
  readonly isResumed: boolean;
}

describe('a resumed TLS session without a client certificate', function () {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  it('is answered as a full handshake is', async () => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false });
    const get = (): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const sent = request(new URL('/livez', plinth.url), { agent }, (response) => {
          const isResumed = (response.socket as TLSSocket).isSessionReused();
          response.resume().on('end', () => resolve({ status: response.statusCode, isResumed }));
        });
        sent.on('error', reject).end();
      });
    assert.deepEqual(await get(), { status: 200, isResumed: false });
    assert.deepEqual(await get(), { status: 200, isResumed: true });
  });
});
