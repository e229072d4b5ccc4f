import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { RawClient } from '../test/support/raw-client.ts';
import { makeAuthority, makeServingCertificate } from '../access/pki/certificates.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { serve } from './send.ts';

const BODY = 'x'.repeat(10_000);
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const POST = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

describe('connections that rest', () => {
  let server: Server;
  let client: RawClient;
  const handled: string[] = [];
  const resumes: (() => void)[] = [];

  async function handle(request: ApiRequest): Promise<ApiResponse> {
    const { length } = await request.body(BODY.length);
    handled.push(`${request.method} ${length}`);
    request.rest?.((resume) => resumes.push(resume));
    return { status: 200, headers: {}, body: Buffer.from('answer') };
  }

  const until = async (probe: () => boolean, what: string): Promise<void> => {
    for (let i = 0; i < 500 && !probe(); i++) await new Promise((r) => setTimeout(r, 5));
    assert.ok(probe(), what);
  };
  const answers = (): number => client.received.split('HTTP/1.1 200').length - 1;

  before(async () => {
    const authority = await makeAuthority('ca', Date.now());
    const { certificate, key } = await makeServingCertificate(authority, ['x'], Date.now());
    server = createServer({ cert: certificate, key }, (req, res) => void serve(handle, req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    handled.length = 0;
    resumes.length = 0;
    client = await RawClient.open(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(() => client.close());

  for (const [name, ask, seen] of [
    ['gets', GET, 'GET 0'],
    ['bodies', POST, `POST ${BODY.length}`],
  ] as const) {
    it(`are not read while paused, and lose no data: ${name}`, async () => {
      client.send(ask);
      await until(() => resumes.length === 1, 'it rests');
      await until(() => answers() === 1, 'what was asked before is answered');
      client.send(ask);
      // Another connection's whole request is served meanwhile: the loop has had its turns.
      const other = await RawClient.open(
        `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      );
      other.send(GET);
      await until(() => resumes.length === 2, 'the other one is answered');
      other.close();
      assert.deepEqual(handled, [seen, 'GET 0']);
      resumes[0]?.();
      await until(() => answers() === 2, 'the second answer');
      assert.deepEqual(handled, [seen, 'GET 0', seen]);
    });
  }

  it('may end while they are paused', async () => {
    client.send(GET);
    await until(() => resumes.length === 1, 'it rests');
    client.close();
    resumes[0]?.();
    await until(() => client.ended !== undefined, 'it has ended');
  });
});
