import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeAuthority,
  makeClientCertificate,
  makePeerCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';
import { TlsServer } from '../support/tls-server.ts';

/** A process that serves never ends; one that ends needs a fraction of this. */
const HANGS_MS = 60_000;
/** How the end is told of what the client has shown depends on the version of etcd, and on what came first. */
const JUDGED = / \(ERR_SSL_\w+\)|the peer hung up: perhaps /;
const NOW = Date.now();
const LONG_AGO = Date.parse('2005-06-07T08:09:10Z');
const NAMES = ['127.0.0.1'];

describe('etcd that asks for client certificates', function () {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-etcd-tls-'));
  const file = (name: string): string => join(dir, name);
  let authority: KeyPair;
  let etcd: TestEtcd;
  before(async () => {
    authority = await makeAuthority('etcd', NOW);
    const others = await makeAuthority('others', NOW);
    const files: Record<string, string> = {
      'ca.crt': authority.certificate,
      'others-ca.crt': others.certificate,
      text: 'a text\n',
    };
    const pairs = {
      member: await makePeerCertificate(authority, NAMES, NOW),
      client: await makeClientCertificate(authority, 'plinth', [], NOW),
      old: await makeClientCertificate(authority, 'plinth', [], LONG_AGO),
      foreign: await makeClientCertificate(others, 'plinth', [], NOW),
    };
    for (const [name, { certificate, key }] of Object.entries(pairs)) {
      files[`${name}.crt`] = certificate;
      files[`${name}.key`] = key;
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(file(name), text);
    const { certificate, key } = pairs.member;
    const client = {
      ca: Buffer.from(authority.certificate),
      cert: Buffer.from(certificate),
      key: Buffer.from(key),
    };
    etcd = await TestEtcd.start({
      tls: {
        ...{ certFile: file('member.crt'), keyFile: file('member.key'), caFile: file('ca.crt') },
        client,
      },
    });
  });
  after(async () => {
    await etcd.dispose();
    rmSync(dir, { recursive: true });
  });

  interface Flags {
    readonly url?: string;
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  }
  const flags = ({ url = etcd.url, ca = 'ca.crt', cert, key }: Flags): string[] => [
    ...['--etcd-servers', url, '--etcd-cafile', file(ca)],
    ...(cert === undefined ? [] : ['--etcd-certfile', file(cert)]),
    ...(key === undefined ? [] : ['--etcd-keyfile', file(key)]),
  ];
  /** Starts a server that is to end with 1 and exactly this line. */
  const refuses = async (use: Flags, line: string): Promise<void> => {
    const args = ['dist/server/main.js', '--data-dir', file('data'), '--secure-port', '0'];
    const child = spawn(process.execPath, [...args, ...flags(use)]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => (output += text.toString()));
    }
    // One that serves would not end by itself.
    const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    assert.deepEqual([code, output.replace(JUDGED, '')], [1, `plinth: ${line}\n`]);
  };
  const OWN = { cert: 'client.crt', key: 'client.key' };

  it('is served with the right one: writes, reads and watches', async () => {
    const plinth = await Plinth.start({ args: flags(OWN) });
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

  it('with a certificate of another authority: the start exits with 1 and names the file of authorities', async () => {
    await refuses(
      { ...OWN, ca: 'others-ca.crt' },
      `etcd is not reachable at ${etcd.url}: its certificate is of no authority in ${file('others-ca.crt')} (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)`,
    );
  });

  it('with an expired certificate: the start exits with 1 and names the member', async () => {
    const { certificate, key } = await makePeerCertificate(authority, NAMES, LONG_AGO);
    const old = await TlsServer.start({
      handler: () => undefined,
      tls: { cert: certificate, key, ALPNProtocols: ['h2'] },
    });
    try {
      const { url } = old;
      await refuses(
        { ...OWN, url },
        `etcd is not reachable at ${url}: its certificate, or that of its authority, has expired (CERT_HAS_EXPIRED)`,
      );
    } finally {
      await old.close();
    }
  });

  it('and is shown none, a foreign or an expired one: the start ends with 1 and names the file', async () => {
    const where = `etcd is not reachable at ${etcd.url}: it`;
    await refuses({}, `${where} wants a client certificate`);
    for (const [name, more] of [
      ['foreign', ''],
      ['old', ', which has expired'],
    ] as const) {
      await refuses(
        { cert: `${name}.crt`, key: `${name}.key` },
        `${where} refuses the client certificate in ${file(`${name}.crt`)}${more}`,
      );
    }
  });

  it('and is to be shown what is not a certificate or key: the start ends with 1 and names the file', async () => {
    await refuses({ ...OWN, ca: 'text' }, `${file('text')} holds no certificate`);
    await refuses({ ...OWN, cert: 'text' }, `${file('text')} holds no certificate`);
    await refuses(
      { ...OWN, key: 'text' },
      `${file('text')} holds no private key, or one that needs a password`,
    );
    await refuses(
      { ...OWN, key: 'foreign.key' },
      `the key in ${file('foreign.key')} is not that of the certificate in ${file('client.crt')}`,
    );
  });
});
