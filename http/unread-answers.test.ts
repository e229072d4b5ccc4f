import assert from 'node:assert/strict';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { eventually } from '../test/support/plinth.ts';
import { head, RawClient } from '../test/support/raw-client.ts';
import { systemClock } from '../api/clock.ts';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import { expressApplication } from './express-adapter.ts';
import { createHttpsServer, listen } from './https-server.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { TlsContexts } from './tls-contexts.ts';

const LONG = 3_600_000;
/** Several pieces of 16 KB, in which TLS hands on what it has read. */
const SENT = 'x'.repeat(60_000);
/** More than a socket holds before it wants to be waited for. */
const ANSWER = Buffer.from(`${'y'.repeat(60_000)}z`);
const MAX_BODY = 8 * 1024 * 1024;

describe('a request that comes while an answer is on its way out', () => {
  let server: Server;
  let url: string;
  let client: RawClient;
  let answer = ANSWER;
  let handled: number[] = [];
  let socket: Socket | undefined;

  async function handle(request: ApiRequest): Promise<ApiResponse> {
    const { length } = await request.body(MAX_BODY);
    handled.push(length);
    return { status: 200, headers: { 'content-length': String(answer.length) }, body: answer };
  }
  const answers = (): number => client.received.split('z').length - 1;
  const post = (body: string): string => head('POST', '/', {}, body.length) + body;

  before(async () => {
    const authority = await makeAuthority('ca', Date.now());
    const serving = await makeServingCertificate(authority, ['127.0.0.1'], Date.now());
    const parts = { clientAuthorities: [], ciphers: [], named: [] };
    const tls = new TlsContexts({ ...serving, ...parts, minVersion: 'TLSv1.2' });
    server = createHttpsServer(
      {
        ...{ tls, requestTimeoutMs: LONG, clock: systemClock },
        ...{ onHandshakeError: () => undefined, onProblem: () => undefined },
      },
      expressApplication(handle, (error) => assert.ifError(error)),
    );
    server.on('secureConnection', (secure: Socket) => (socket = secure));
    url = `https://127.0.0.1:${(await listen(server, '127.0.0.1', 0)).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    answer = ANSWER;
    handled = [];
    client = await RawClient.open(url);
  });
  afterEach(() => client.close());

  it('is answered, however large it is', async () => {
    const count = 20;
    client.send(head('GET', '/', {}) + post(SENT).repeat(count));
    await eventually(() => answers() === count + 1 || client.ended !== undefined, 'all answers');
    assert.deepEqual(handled, [0, ...Array<number>(count).fill(SENT.length)]);
    assert.equal(client.ended, undefined);
  });

  it('is read no further before the client reads the answer, and then lacks nothing', async () => {
    answer = Buffer.from(`${'y'.repeat(MAX_BODY)}z`);
    client.socket.pause();
    client.send(head('GET', '/', {}));
    // Between two pieces of an answer that is still moving, the socket waits for nothing.
    let [sent, still] = [0, 0];
    const stands = (): boolean => {
      const now = socket?.bytesWritten ?? 0;
      still = now === sent ? still + 1 : 0;
      sent = now;
      return still > 10 && socket?.writableNeedDrain === true;
    };
    await eventually(stands, 'an answer that is not read');
    const before = socket?.bytesRead ?? 0;
    const large = 'x'.repeat(MAX_BODY);
    client.send(post(large));
    await eventually(() => (socket?.bytesRead ?? 0) > before, 'the beginning');
    // Another connection's whole request is served meanwhile: the loop has had its turns.
    const theirs = socket;
    for (let i = 0; i < 3; i++) {
      const other = await RawClient.open(url);
      other.send(head('GET', '/', {}));
      await eventually(() => other.received.endsWith('z'), 'the other answer');
      other.close();
    }
    const read = (theirs?.bytesRead ?? 0) - before;
    assert.ok(read < large.length / 8, `${read} bytes`);
    client.socket.resume();
    await eventually(() => answers() === 2, 'both answers');
    assert.equal(handled.at(-1), large.length);
  });
});
