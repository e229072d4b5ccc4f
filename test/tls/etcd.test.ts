import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, makeClientCertificate } from '../../access/pki/certificates.ts';
import { makeCertificates, type TestCertificates } from '../support/etcd-tls.ts';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';

describe('etcd that asks for client certificates', () => {
  let etcd: TestEtcd;
  let files: TestCertificates;
  before(async () => {
    files = await makeCertificates();
    const { certFile, keyFile, caFile } = files;
    etcd = await TestEtcd.start({ tls: { certFile, keyFile, caFile, client: files } });
  });
  after(() => etcd.dispose());

  const flags = (...more: string[]): string[] => [
    ...['--etcd-servers', etcd.url.replace('http:', 'https:'), '--etcd-cafile', files.caFile],
    ...more,
  ];

  it('is served with the right one: writes, reads and watches', async () => {
    const args = flags('--etcd-certfile', files.certFile, '--etcd-keyfile', files.keyFile);
    const plinth = await Plinth.start({ args });
    try {
      const seen: string[] = [];
      const watch = await plinth.watch('/api/v1/namespaces?watch=1', ({ object }) =>
        seen.push(object.metadata.name),
      );
      const made = await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'tls' } });
      assert.equal(made.status, 201);
      assert.equal((await plinth.get('/api/v1/namespaces/tls')).status, 200);
      while (!seen.includes('tls')) await new Promise((resolve) => setTimeout(resolve, 20));
      watch.close();
    } finally {
      await plinth.dispose();
    }
  });

  it('refuses to start without, or with one of another authority, in one line', async () => {
    const now = Date.now();
    const other = await makeClientCertificate(await makeAuthority('other', now), 'x', [], now);
    const dir = mkdtempSync(join(tmpdir(), 'plinth-etcd-tls-'));
    writeFileSync(join(dir, 'crt'), other.certificate);
    writeFileSync(join(dir, 'key'), other.key);
    const wrong = ['--etcd-certfile', join(dir, 'crt'), '--etcd-keyfile', join(dir, 'key')];
    for (const more of [[], wrong]) {
      await assert.rejects(Plinth.start({ args: flags(...more) }), /plinth: .+\n$/);
    }
  });
});
