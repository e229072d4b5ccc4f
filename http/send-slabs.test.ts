import assert from 'node:assert/strict';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect as connectPlain, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { testAuthority } from '../test/support/tls-server.ts';
import { makeServingCertificate } from '../access/pki/certificates.ts';
import { serve } from './send.ts';
import { SLAB_BYTES, slabPool } from './slab-pool.ts';

/** More than the buffers of a connection hold. */
const SLABS = 120;
/** So long a slow client does not read. */
const PAUSE_MS = 200;

/** An answer of `SLABS` slabs that are full of the letter that the path names. */
async function* letters(letter: string): AsyncGenerator<Buffer, void> {
  for (let i = 0; i < SLABS; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield slabPool.lend().fill(letter);
  }
}

const listener: RequestListener = (req, res) =>
  void serve(
    ({ rawPath }) =>
      Promise.resolve({ status: 200, headers: {}, body: letters(rawPath.slice(1, 2)) }),
    req,
    res,
  );

describe('memory of answers in pieces', () => {
  for (const kind of ['plain', 'TLS']) {
    it(`is not used again before it has left (${kind} connections, slow and broken ones among them)`, async () => {
      const signer = await testAuthority();
      const pair = await makeServingCertificate(signer, ['127.0.0.1'], Date.now());
      const server: Server =
        kind === 'TLS'
          ? createSecure({ cert: pair.certificate, key: pair.key }, listener)
          : createPlain(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const open = (): Socket =>
        kind === 'TLS'
          ? connectSecure({ port, host: '127.0.0.1', rejectUnauthorized: false })
          : connectPlain(port, '127.0.0.1');
      try {
        const wrong = await Promise.all(
          Array.from({ length: 12 }, (_, i) => {
            const letter = String.fromCharCode(97 + (i % 26));
            return wrongPieces(open(), letter, i % 3);
          }),
        );
        assert.deepEqual(
          wrong.filter((count) => count !== 0),
          [],
        );
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  }
});

/** Reads an answer: 0 fast, 1 after a pause, 2 until it breaks off. Returns how many pieces of it were another one's. */
function wrongPieces(socket: Socket, letter: string, manner: number): Promise<number> {
  const expected = Buffer.alloc(SLAB_BYTES, letter);
  let wrong = 0;
  let size = 0;
  let isHead = true;
  socket.write(`GET /${letter} HTTP/1.0\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const body = isHead ? chunk.subarray(chunk.indexOf('\r\n\r\n') + 4) : chunk;
      isHead = false;
      size += body.length;
      if (!body.equals(expected.subarray(0, body.length))) wrong++;
      if (manner === 2 && size > SLAB_BYTES) socket.destroy();
    });
    if (manner === 1) {
      socket.pause();
      setTimeout(() => socket.resume(), PAUSE_MS);
    }
    socket.on('error', reject);
    socket.on('close', () => {
      if (manner !== 2) assert.equal(size, SLABS * SLAB_BYTES);
      resolve(wrong);
    });
  });
}
