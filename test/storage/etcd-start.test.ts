import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEtcdStore, type EtcdOptions } from '../../storage/etcd/open.ts';
import { openStore } from '../../storage/open.ts';
import {
  bytes,
  create,
  eventually,
  following,
  rejectsWith,
  WatchReader,
} from '../contract/store-kit.ts';
import { administer, enableAuth, GUEST, ROOT, WRITER } from '../support/etcd-admin.ts';
import { EtcdImpostor } from '../support/etcd-impostor.ts';
import { makeCertificates, type TestCertificates } from '../support/etcd-tls.ts';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';
import { startAll } from '../support/start-all.ts';

async function refusal(options: EtcdOptions): Promise<string> {
  const error = await rejectsWith(openEtcdStore(options), 'unavailable', 'denied', 'timeout');
  assert.doesNotMatch(error.message, /\n/, 'the reason is one line');
  return error.message;
}

describe('etcd: opening', () => {
  it('reports an address where no server listens', async () => {
    const [port] = await freePorts(1);
    const endpoint = `http://127.0.0.1:${port}`;
    const message = await refusal({ endpoints: [endpoint] });
    assert.match(message, new RegExp(`^etcd is not reachable at ${endpoint}: .*ECONNREFUSED`));
  });

  it('reports an invalid address', async () => {
    assert.match(await refusal({ endpoints: [] }), /no etcd endpoint/);
    assert.match(await refusal({ endpoints: ['localhost:2379'] }), /not an http\(s\) URL/);
    const mixed = ['http://127.0.0.1:1', 'https://127.0.0.1:2'];
    assert.match(await refusal({ endpoints: mixed }), /mix http and https/);
  });

  it('refuses an etcd that is too old, in one line', async () => {
    for (const version of ['3.4.22', '3.3.27', '3.2.0', '2.3.8']) {
      const old = await EtcdImpostor.start(version);
      assert.equal(
        await refusal({ endpoints: [old.url] }),
        `etcd at ${old.url} is version ${version}; Plinth needs 3.4.23 or newer`,
      );
      await old.close();
    }
  });

  it('keeps registries with other prefixes apart, and leaves nothing outside its own', async () => {
    const etcd = await TestEtcd.start();
    const [a, b] = await Promise.all([
      openStore({ kind: 'etcd', endpoints: [etcd.url], prefix: '/a' }),
      openStore({ kind: 'etcd', endpoints: [etcd.url], prefix: '/a/b/' }),
    ]);
    await create(a, 'x', 'in a');
    await create(b, 'x', 'in b');
    assert.equal((await a.get('x')).item!.value.toString(), 'in a');
    assert.equal((await b.get('x')).item!.value.toString(), 'in b');
    assert.deepEqual(
      (await b.list({ prefix: '' })).items.map(({ key }) => key),
      ['x'],
    );
    const everything = { key: Buffer.from([0]), range_end: Buffer.from([0]), keys_only: true };
    const { kvs } = await administer(etcd, (client) => client.kv.range(everything));
    for (const { key } of kvs) assert.match(key.toString(), /^\/a\//);
    await Promise.all([a.close(), b.close()]);
    await etcd.dispose();
  });

  it('refuses members of different clusters', async () => {
    const [one, two] = await startAll([TestEtcd.start(), TestEtcd.start({ token: 'other' })]);
    assert.match(await refusal({ endpoints: [one.url, two.url] }), /belong to different clusters/);
    await Promise.all([one.dispose(), two.dispose()]);
  });
});

describe('etcd: passwords', () => {
  let etcd: TestEtcd;

  before(async () => {
    etcd = await TestEtcd.start();
    await enableAuth(etcd);
  });
  after(() => etcd.dispose());

  it('are needed, and checked', async () => {
    const endpoints = [etcd.url];
    assert.match(await refusal({ endpoints }), /user name is empty/);
    const wrong = { ...WRITER, password: 'wrong' };
    assert.match(await refusal({ endpoints, auth: wrong }), /authentication failed/);
    assert.match(await refusal({ endpoints, auth: GUEST }), /permission denied/);
  });

  it('let a user work that may touch nothing but the prefix', async () => {
    const store = await openEtcdStore({ endpoints: [etcd.url], auth: WRITER });
    const watch = new WatchReader(store, '', await following(store));
    await create(store, 'a');
    await watch.until(1);
    await store.checkHealth();
    assert.equal((await store.list({ prefix: '' })).items.length, 1);
    await watch.close();
    await store.close();
    const elsewhere = { endpoints: [etcd.url], auth: WRITER, prefix: '/elsewhere' };
    assert.match(await refusal(elsewhere), /permission denied/);
  });

  it('are used again when etcd has forgotten its tokens', async () => {
    const store = await openEtcdStore({ endpoints: [etcd.url], auth: ROOT });
    const watch = new WatchReader(store, 'again', await following(store));
    await create(store, 'again/1');
    await watch.until(1);
    await etcd.restart();
    await create(store, 'again/2');
    await watch.until(2);
    await watch.close();
    await store.close();
  });
});

describe('etcd: certificates', () => {
  let certificates: TestCertificates;
  let etcd: TestEtcd;

  before(async () => {
    certificates = await makeCertificates();
    etcd = await TestEtcd.start({ tls: { ...certificates, client: certificates } });
  });
  after(async () => {
    await etcd.dispose();
    await rm(certificates.directory, { recursive: true });
  });

  it('secure the connection at both ends', async () => {
    const { caFile, certFile, keyFile } = certificates;
    const endpoints = [etcd.url];
    const store = await openEtcdStore({ endpoints, tls: { caFile, certFile, keyFile } });
    const watch = new WatchReader(store, 'a', await following(store));
    await create(store, 'a');
    await watch.until(1);
    await watch.close();
    await store.close();
  });

  it('are read again for each connection, and stay what they were while they do not fit', async () => {
    const others = await makeCertificates();
    const own = { caFile: '', certFile: '', keyFile: '' };
    for (const file of ['caFile', 'certFile', 'keyFile'] as const) {
      own[file] = `${certificates[file]}.own`;
      await copyFile(certificates[file], own[file]);
    }
    const store = await openEtcdStore({ endpoints: [etcd.url], tls: own });
    const works = (key: string): Promise<unknown> =>
      eventually(`${key} is written`, () => store.create(key, bytes(key)).catch(() => undefined));
    await copyFile(others.keyFile, own.keyFile);
    await etcd.restart();
    await works('half-replaced');
    for (const file of ['caFile', 'certFile', 'keyFile'] as const) {
      await copyFile(others[file], certificates[file]);
      await copyFile(others[file], own[file]);
    }
    await etcd.restart();
    await works('replaced');
    await store.close();
    await rm(others.directory, { recursive: true });
  });

  it('are reported when they are missing or wrong', async () => {
    const { caFile, certFile, keyFile, directory } = certificates;
    const endpoints = [etcd.url];
    const unreachable = new RegExp(`^etcd is not reachable at ${etcd.url}: `);
    assert.match(await refusal({ endpoints }), unreachable);
    assert.match(await refusal({ endpoints, tls: { certFile, keyFile } }), unreachable);
    assert.match(await refusal({ endpoints, tls: { caFile } }), unreachable);
    const nowhere = join(directory, 'nowhere');
    const missing = { endpoints, tls: { caFile: nowhere } };
    assert.equal(await refusal(missing), `cannot read ${nowhere}: ENOENT`);
    assert.match(await refusal({ endpoints, tls: { caFile, certFile } }), /needs its key/);
    const plain = { endpoints: ['http://127.0.0.1:1'], tls: { caFile } };
    assert.match(await refusal(plain), /not https/);
  });

  it('do not help when the server has another name', async () => {
    const others = await makeCertificates();
    const message = await refusal({ endpoints: [etcd.url], tls: { caFile: others.caFile } });
    assert.match(message, /not reachable/);
    await rm(others.directory, { recursive: true });
  });
});

describe('etcd: leases', () => {
  it('are shared by keys that want about the same time to live', async () => {
    const etcd = await TestEtcd.start();
    const store = await openEtcdStore({ endpoints: [etcd.url] });
    const value = Buffer.from('x');
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => store.create(`e/${i}`, value, { ttlSeconds: 3_600 })),
    );
    await store.create('other', value, { ttlSeconds: 7_200 });
    const request = { key: Buffer.from('/registry/'), range_end: Buffer.from('/registry0') };
    const { kvs } = await administer(etcd, (client) => client.kv.range(request));
    const leases = new Set(kvs.map(({ lease }) => lease).filter((lease) => lease !== '0'));
    assert.equal(leases.size, 2);
    await store.close();
    await etcd.dispose();
  });

  it('are granted again when etcd has lost them', async () => {
    const etcd = await TestEtcd.start();
    const store = await openEtcdStore({ endpoints: [etcd.url] });
    await store.create('a', Buffer.from('x'), { ttlSeconds: 3_600 });
    await etcd.replace();
    await eventually('the store has noticed', async () => {
      return store.currentRevision().catch(() => undefined);
    });
    const outcome = await store.create('a', Buffer.from('x'), { ttlSeconds: 3_600 });
    assert.equal(outcome.outcome, 'ok');
    await store.close();
    await etcd.dispose();
  });
});
