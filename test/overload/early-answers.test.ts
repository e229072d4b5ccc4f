import assert from 'node:assert/strict';
import { request } from 'node:https';
import { eventually, Plinth } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;
const users = tokenUsers(['alice']);
/** Large enough that it does not fit into the buffers on the way. */
const BODY = Buffer.alloc(8 * MIB, ' ');

/** An answer that comes before the body of its request has, on a connection that ends with it. */
describe('answers before the end of a body', () => {
  let plinth: Plinth;
  const clients: RawClient[] = [];
  before(async () => {
    plinth = await Plinth.start({ args: users.args });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  after(() => plinth.dispose());

  /** The status of an upload, or what ended it. */
  function upload(path: string, headers: Record<string, string>): Promise<number | string> {
    const { hostname, port } = new URL(plinth.url);
    const options = { hostname, port, path, method: 'POST', rejectUnauthorized: false };
    return new Promise((resolve) => {
      const sent = request({
        ...options,
        agent: false,
        headers: { ...headers, connection: 'close' },
      });
      sent.on('response', (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(BODY);
    });
  }

  const open = async (): Promise<RawClient> => {
    const client = await RawClient.open(plinth.url);
    clients.push(client);
    // the end of the server's side is not that of the client's
    client.socket.allowHalfOpen = true;
    client.send(head('POST', MAPS, { connection: 'close' }, BODY.length * 100));
    await eventually(() => client.status === 401, 'it is answered');
    return client;
  };

  it('arrive, with and without credentials', async () => {
    for (const [headers, status] of [
      [{}, 401],
      [users.as('alice'), 413],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => upload(MAPS, headers)));
      assert.deepEqual([...new Set(answers)], [status]);
    }
  });

  it('end a connection that sends on after 16 MiB', async () => {
    const client = await open();
    const most = 16 * MIB + BODY.length;
    let taken = 0;
    while (!client.socket.destroyed && taken <= most) {
      await new Promise<void>((resolve) => {
        client.socket.write(BODY.subarray(0, MIB), () => resolve());
      });
      taken += MIB;
    }
    assert.ok(taken <= most, `${taken} bytes`);
  });

  it('end a connection that sends slowly after some seconds', async () => {
    const { socket } = await open();
    const isClosed = (): boolean => {
      if (!socket.destroyed) socket.write(' ');
      return socket.destroyed;
    };
    await eventually(isClosed, 'it is closed');
  });
});
