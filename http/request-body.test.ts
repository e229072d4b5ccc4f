import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { ApiError } from '../api/api-error.ts';
import { expressApplication } from './express-adapter.ts';
import type { ApiRequest, ApiResponse } from './message.ts';

const MAX_BYTES = 20;

/** A server that answers with the body, or with what kept it from that. */
async function withServer(
  read: (request: ApiRequest) => Promise<Buffer>,
  act: (socket: Socket, told: string[]) => Promise<void>,
  see: (req: IncomingMessage) => void = () => undefined,
): Promise<void> {
  const told: string[] = [];
  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    const text = await read(request).then(String, (error: unknown) =>
      error instanceof ApiError ? `${error.code} ${error.message}` : String(error),
    );
    told.push(text);
    return { status: 200, headers: {}, body: Buffer.from(`<${text}>`) };
  };
  const { listener, messages } = expressApplication(handle, (error) => told.push(String(error)));
  const server = createServer({ ...messages }, (req, res) => {
    see(req);
    listener(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    await act(socket, told);
  } finally {
    socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/** Resolves when the answers contain the text. */
async function answered(socket: Socket, text: string): Promise<void> {
  let all = '';
  for await (const [chunk] of on(socket)) if ((all += String(chunk)).includes(text)) return;
}

async function* on(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, 'data')) as [Buffer];
}

const post = (length: number, body: string): string =>
  `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n${body}`;
const chunked = (...chunks: string[]): string =>
  `POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunks.map((c) => `${c.length.toString(16)}\r\n${c}\r\n`).join('')}`;

describe('the body of a request', () => {
  const atOnce = (request: ApiRequest): Promise<Buffer> => request.body(MAX_BYTES);
  const later = async (request: ApiRequest): Promise<Buffer> => {
    await new Promise(setImmediate);
    return request.body(MAX_BYTES);
  };

  for (const [when, read] of Object.entries({ 'at once': atOnce, later })) {
    it(`comes whole where it is asked for ${when}, for each request of a connection`, async () => {
      await withServer(read, async (socket, told) => {
        socket.write(post(5, 'whole'));
        await answered(socket, '<whole>');
        socket.write(post(6, 'in '));
        await new Promise(setImmediate);
        socket.write('two');
        await answered(socket, '<in two>');
        socket.write(chunked('several', ' chunks', ''));
        await answered(socket, '<several chunks>');
        socket.write(post(0, ''));
        await answered(socket, '<>');
        assert.deepEqual(told, ['whole', 'in two', 'several chunks', '']);
      });
    });

    it(`is refused beyond its limit where it is asked for ${when}, and the next one read`, async () => {
      await withServer(read, async (socket) => {
        socket.write(chunked('x'.repeat(MAX_BYTES), 'y'));
        await answered(socket, '<413 ');
        socket.write(`5\r\nagain\r\n0\r\n\r\n${post(4, 'next')}`);
        await answered(socket, '<next>');
      });
    });

    it(`is incomplete when its client goes where it is asked for ${when}`, async () => {
      const settled = new Promise<string>((resolve, reject) => {
        let begin = (): void => undefined;
        const begun = new Promise<void>((resolveBegun) => (begin = resolveBegun));
        const tell = (request: ApiRequest): Promise<Buffer> => {
          begin();
          return read(request).catch((error: unknown) => {
            resolve(String(error));
            throw error;
          });
        };
        withServer(tell, async (socket) => {
          socket.write(post(10, 'half'));
          await begun;
          socket.destroy();
          await settled;
        }).catch(reject);
      });
      assert.match(await settled, /the request body is incomplete/);
    });
  }

  it('does not go through the stream of its request where it is asked for at once', async () => {
    const flowing: unknown[] = [];
    const read = async (request: ApiRequest): Promise<Buffer> => {
      const body = await atOnce(request);
      flowing.push(seen.at(-1)?.readableFlowing);
      return body;
    };
    const seen: IncomingMessage[] = [];
    await withServer(
      read,
      async (socket) => {
        socket.write(post(5, 'whole'));
        await answered(socket, '<whole>');
      },
      (req) => seen.push(req),
    );
    assert.deepEqual(flowing, [null]);
  });
});
