import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeClientCertificate,
  makePeerCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { makeChainAuthority } from '../support/authorities.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { userOf } from './user-of.ts';

const NAMES = ['127.0.0.1'];

describe('a file of authorities that holds one in the middle of a chain', function () {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-chains-'));
  let root: KeyPair;
  let middle: KeyPair;
  before(async () => {
    root = await makeChainAuthority('root');
    middle = await makeChainAuthority('middle', { above: root });
  });
  after(() => rmSync(dir, { recursive: true }));

  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const pairFiles = (name: string, { certificate, key }: KeyPair) => ({
    certFile: file(`${name}.crt`, certificate),
    keyFile: file(`${name}.key`, key),
  });
  const clientOf = (authority: KeyPair, name: string, groups: string[] = []): Promise<KeyPair> =>
    makeClientCertificate(authority, name, groups, Date.now());

  it('--client-ca-file: clients of that authority come in, with its certificate or without, others do not', async () => {
    const sibling = await makeChainAuthority('sibling', { above: root });
    const below = await makeChainAuthority('below', { above: middle });
    const plinth = await Plinth.start({
      args: ['--client-ca-file', file('client-ca.crt', middle.certificate)],
    });
    try {
      const carol = await clientOf(middle, 'carol');
      assert.equal(await userOf(plinth, carol), 'carol');
      assert.equal(await userOf(plinth, carol, [middle]), 'carol');
      assert.equal(await userOf(plinth, carol, [middle, root]), 'carol');
      const dora = await clientOf(below, 'dora');
      assert.equal(await userOf(plinth, dora, [below]), 'dora');
      assert.equal(await userOf(plinth, dora), undefined, 'what leads to the authority is missing');
      const emil = await clientOf(sibling, 'emil');
      assert.equal(await userOf(plinth, emil, [sibling, root]), undefined);
      assert.equal(await userOf(plinth, await clientOf(root, 'fritz'), [root]), undefined);
      file('client-ca.crt', sibling.certificate);
      await eventually(
        async () => (await userOf(plinth, emil)) === 'emil',
        'the authority that the file lists now',
      );
      assert.equal(await userOf(plinth, carol, [middle, root]), undefined);
    } finally {
      await plinth.dispose();
    }
  });

  it('--etcd-cafile: members of that authority are trusted, others are not', async () => {
    const member = pairFiles('member', await makePeerCertificate(middle, NAMES, Date.now()));
    const own = await clientOf(middle, 'plinth');
    const { certFile, keyFile } = pairFiles('plinth', own);
    const caFile = file('etcd-ca.crt', middle.certificate);
    const etcd = await TestEtcd.start({
      tls: {
        ...{ ...member, caFile },
        client: {
          ca: Buffer.from(middle.certificate),
          cert: Buffer.from(own.certificate),
          key: Buffer.from(own.key),
        },
      },
    });
    try {
      const args = ['--etcd-servers', etcd.url, '--etcd-certfile', certFile];
      const start = (ca: string): Promise<Plinth> =>
        Plinth.start({ args: [...args, '--etcd-keyfile', keyFile, '--etcd-cafile', ca] });
      const plinth = await start(caFile);
      const made = await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'tls' } });
      await plinth.dispose();
      assert.equal(made.status, 201, made.text);
      const sibling = await makeChainAuthority('sibling', { above: root });
      await assert.rejects(start(file('sibling.crt', sibling.certificate)), /of no authority in/);
    } finally {
      await etcd.dispose();
    }
  });
});
