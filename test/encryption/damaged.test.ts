import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openStore } from '../../storage/open.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const users = tokenUsers(['alice']);
const UNREAD = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

describe('unreadable values in the store', function () {
  let etcd: TestEtcd;
  let directory: string;
  const servers: Plinth[] = [];
  beforeEach(async () => {
    etcd = await TestEtcd.start();
    directory = mkdtempSync(join(tmpdir(), 'plinth-damaged-'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.dispose();
    await etcd.dispose();
    rmSync(directory, { recursive: true });
  });

  const start = async (...args: string[]): Promise<Plinth> => {
    const server = await Plinth.start({ args: ['--etcd-servers', etcd.url, ...args] });
    servers.push(server);
    return server;
  };

  it('behaviours 10.8: a damaged object answers 500, affects no other object, and only an administrator can remove it', async () => {
    const plinth = await start(...users.args);
    for (const name of ['well', 'damaged']) {
      await plinth.send('POST', LEASES, { metadata: { name, finalizers: ['example.com/hold'] } });
    }
    const store = await openStore({ kind: 'etcd', endpoints: [etcd.url], prefix: '/registry' });
    const key = 'coordination.cluster.io/leases/default/damaged';
    const { item } = await store.get(key);
    await store.update(key, Buffer.from('{"apiVersion": gibberish'), item!.revision);
    await eventually(
      async () => (await plinth.get(`${LEASES}/damaged`)).status === 500,
      'the damage',
    );
    const { json } = await plinth.get(`${LEASES}/damaged`);
    assert.equal(json.reason, 'StorageReadError');
    assert.doesNotMatch(JSON.stringify(json), /gibberish/);
    assert.equal((await plinth.get(`${LEASES}/well`)).status, 200);
    const list = await plinth.get(LEASES);
    assert.deepEqual(
      list.json.items.map((one: any) => one.metadata.name),
      ['well'],
    );
    assert.match(String(list.headers['warning']), /leases\/default\/damaged.*cannot be read/);
    assert.match((await plinth.get('/metrics')).text, /^plinth_unreadable_objects 1$/m);
    const remove = (query: string, headers?: Record<string, string>): Promise<number> =>
      plinth
        .send('DELETE', `${LEASES}/damaged?${query}`, undefined, headers)
        .then(({ status }) => status);
    assert.equal(await remove(''), 500);
    assert.equal(await remove(UNREAD, users.as('alice')), 500, 'alice is not an administrator');
    assert.equal(await remove(`${UNREAD}&dryRun=All`), 200);
    assert.ok((await store.get(key)).item !== undefined, 'a dry run removes nothing');
    assert.equal(await remove(UNREAD), 200);
    assert.equal((await store.get(key)).item, undefined);
    assert.equal((await plinth.get(`${LEASES}/damaged`)).status, 404);
    await plinth.send('DELETE', `${LEASES}/well?${UNREAD}`);
    assert.equal((await plinth.get(`${LEASES}/well`)).status, 200, 'what can be read is held');
    await store.close();
  });

  it('a server that lacks the key of another says that it is not ready, and serves on when it has it', async () => {
    const key = (name: string): object => ({ name, secret: randomBytes(32).toString('base64') });
    const [known, missing] = [key('known'), key('missing')];
    const configure = (file: string, ...keys: object[]): string => {
      const resources = [{ resources: ['*.*'], providers: [{ aesgcm: { keys } }] }];
      const config = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
      writeFileSync(join(directory, file), stringify({ ...config, resources }));
      return join(directory, file);
    };
    const one = await start('--encryption-provider-config', configure('one', known));
    const other = await start('--encryption-provider-config', configure('other', known));
    await one.send('POST', LEASES, { metadata: { name: 'before' } });
    assert.equal((await other.get(`${LEASES}/before`)).status, 200);
    configure('one', missing, known);
    await eventually(
      async () => (await other.get('/readyz')).status !== 200,
      'that it is not ready',
    );
    const { text } = await other.get('/readyz?verbose');
    assert.match(text, /\[-\]informer-sync failed/);
    assert.match(text, /\[\+\]etcd ok/, 'the store itself is well');
    assert.match(other.output, /no key of the encryption configuration can decrypt it/);
    assert.equal((await one.get('/readyz')).status, 200);
    const created = await one.send('POST', LEASES, { metadata: { name: 'after' } });
    assert.equal(created.status, 201, 'the first one goes on');
    configure('other', known, missing);
    await eventually(async () => (await other.get('/readyz')).status === 200, 'readiness');
    assert.equal((await other.get(`${LEASES}/after`)).status, 200);
  });
});
