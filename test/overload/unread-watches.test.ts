import assert from 'node:assert/strict';
import { LoadClient } from '../../bench/load/client.ts';
import { residentMiB } from '../../bench/load/process.ts';
import { SilentWatcher } from '../../bench/load/silent-watcher.ts';
import { install } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';

const users = tokenUsers(['noisy', 'quiet']);
const MIB = 1024 * 1024;
const BYTES = 1.4 * MIB;
/** Of each kind: streams that begin with the state, streams of changes, plain reads. */
const UNREAD = 60;
const UPDATES = 4;
/** One copy of the object for each client that does not read. */
const COPIES_MIB = (3 * UNREAD * BYTES) / MIB;

describe('clients that do not read a large object', function () {
  let plinth: Plinth;
  let texts: string;
  const clients: { close(): void }[] = [];
  before(async () => {
    plinth = await Plinth.start({ args: users.args });
    texts = await install(plinth, { plural: 'texts', kind: 'Text' });
  });
  after(async () => {
    for (const client of clients) client.close();
    await plinth.dispose();
  });

  const endpoint = (user: string) => ({
    url: plinth.url,
    token: users.as(user).authorization.slice('Bearer '.length),
  });
  const unread = (path: string): Promise<unknown> =>
    Promise.all(
      Array.from({ length: UNREAD }, async () => {
        clients.push(await SilentWatcher.open(endpoint('noisy'), path));
      }),
    );
  const update = async (n: number): Promise<void> => {
    const text = `${n}:`.padEnd(BYTES, 'x');
    const patch = { 'content-type': 'application/merge-patch+json' };
    const { status } = await plinth.send('PATCH', `${texts}/large`, { spec: { text } }, patch);
    assert.equal(status, 200);
  };

  it('hold a bounded part of it each, and delay no reader, of their user or another', async () => {
    const object = { apiVersion: 'test.example.com/v1', kind: 'Text', metadata: { name: 'large' } };
    assert.equal((await plinth.send('POST', texts, object)).status, 201);
    await update(0);
    const seen: Record<string, string[]> = { noisy: [], quiet: [] };
    for (const [user, found] of Object.entries(seen)) {
      const client = new LoadClient(endpoint(user), 1);
      clients.push(client);
      await client.watch(`${texts}?watch=1`, (line) => {
        found.push(/"text":"(\d+):/.exec(line)?.[1] ?? line.slice(0, 100));
      });
    }
    await eventually(() => Object.values(seen).every((found) => found.length === 1), 'the state');
    const { resourceVersion } = (await plinth.get(`${texts}/large`)).json.metadata;
    const before = residentMiB(plinth.pid);
    await unread(`${texts}?watch=1`);
    await unread(`${texts}?watch=1&resourceVersion=${resourceVersion}`);
    await unread(`${texts}/large`);
    const expected = ['0'];
    for (let n = 1; n <= UPDATES; n++) {
      await update(n);
      expected.push(String(n));
      await eventually(() => Object.values(seen).every((found) => found.length > n), `update ${n}`);
    }
    assert.deepEqual(seen, { noisy: expected, quiet: expected });
    const growth = residentMiB(plinth.pid) - before;
    assert.ok(growth < COPIES_MIB / 2, `${growth} MiB, copies would be ${COPIES_MIB}`);
    const { text } = await plinth.get('/metrics');
    const held = Number(/^plinth_unsent_bytes (\d+)/m.exec(text)?.[1]);
    assert.ok(held > 0 && held <= 32 * MIB, `${held} unsent`);
  });
});
