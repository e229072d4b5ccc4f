import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClientCertificate, type KeyPair } from '../../access/pki/certificates.ts';
import { makeChainAuthority } from '../support/authorities.ts';
import { Plinth } from '../support/plinth.ts';
import { userOf } from './user-of.ts';

describe('a forged chain leads a certificate to no other authority', function () {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-forged-'));
  let clients: KeyPair;
  let proxies: KeyPair;
  let plinth: Plinth;
  const file = (name: string, { certificate }: KeyPair): string => {
    writeFileSync(join(dir, name), certificate);
    return join(dir, name);
  };
  before(async () => {
    clients = await makeChainAuthority('clients');
    proxies = await makeChainAuthority('proxies');
    plinth = await Plinth.start({
      args: [
        ...['--client-ca-file', file('clients.crt', clients)],
        ...['--requestheader-client-ca-file', file('proxies.crt', proxies)],
      ],
    });
  });
  after(async () => {
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  /** It has the name and the key identifier of the one, and names the other as its issuer. */
  const forged = (like: KeyPair, name: string, issuer: KeyPair): Promise<KeyPair> =>
    makeChainAuthority(name, {
      pretends: { issuer: issuer.certificate, subjectKeyOf: like.certificate },
    });

  it('that of a proxy names no user by itself', async () => {
    const groups = ['system:masters'];
    const front = await makeClientCertificate(proxies, 'front', groups, Date.now());
    const link = await forged(proxies, 'proxies', clients);
    for (const chain of [[], [link], [link, clients]]) {
      assert.equal(await userOf(plinth, front, chain), undefined);
    }
  });

  it('that of a user does not count as that of a proxy', async () => {
    const spoofed = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };
    const front = await makeClientCertificate(clients, 'front', [], Date.now());
    assert.equal(await userOf(plinth, front, [], spoofed), 'front');
    const link = await forged(clients, 'clients', proxies);
    for (const chain of [[link], [link, proxies]]) {
      assert.equal(await userOf(plinth, front, chain, spoofed), undefined);
    }
  });
});
