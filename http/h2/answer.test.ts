import assert from 'node:assert/strict';
import {
  connect,
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { send } from '../send.ts';
import { Http2Answer } from './answer.ts';

/** More than a window holds: some of it waits when the answer breaks off. */
const PIECE = Buffer.alloc(128 * 1024, 'x');

async function* pieces(breaksAfter: number, count: number): AsyncGenerator<Buffer, void> {
  for (let i = 0; i < count; i++) {
    await Promise.resolve();
    if (i === breaksAfter) throw new Error('it cannot be read');
    yield PIECE;
  }
}

describe('an answer on a stream of HTTP/2', () => {
  let server: Http2Server;
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  /** How the client sees an answer whose body fails behind so many pieces of three. */
  async function seen(breaksAfter: number): Promise<{ code: number; bytes: number }> {
    server = createServer();
    let session: ServerHttp2Session | undefined;
    server.on('session', (opened) => (session = opened));
    server.on('stream', (stream) => {
      assert.ok(session);
      stream.on('error', () => undefined);
      const body = pieces(breaksAfter, 3);
      const request = { method: 'GET', complete: true, resume: () => undefined };
      void send(
        request,
        new Http2Answer(stream, session),
        { status: 200, headers: {}, body },
        { user: '' },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = client.request({ ':path': '/' });
    let bytes = 0;
    stream.on('data', (piece: Buffer) => (bytes += piece.length));
    stream.on('error', () => undefined);
    await new Promise((resolve) => stream.once('close', resolve));
    client.close();
    return { code: stream.rstCode, bytes };
  }

  it('ends when all of it was sent', async () => {
    assert.deepEqual(await seen(Infinity), {
      code: constants.NGHTTP2_NO_ERROR,
      bytes: 3 * PIECE.length,
    });
  });

  it('that breaks off is not taken for a whole one', async () => {
    assert.equal((await seen(2)).code, constants.NGHTTP2_INTERNAL_ERROR);
  });
});
