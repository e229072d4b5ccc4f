import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import {
  makeAuthority,
  makeClientCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { eventually } from '../support/plinth.ts';
import { People, tokenOf } from './people.ts';

const WHOAMI = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
const SPOOFED = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' };

/** Certificates, and proxies that show one of their own authority and name the user in headers. */
describe('identity header spoofing', () => {
  let directory: string;
  let people: People;
  let clients: KeyPair;
  let proxies: KeyPair;

  const clientFile = (): string => join(directory, 'clients.pem');
  const proxyFile = (): string => join(directory, 'proxies.pem');
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-proxy-'));
    [clients, proxies] = (await Promise.all(
      ['clients', 'proxies'].map((name) => makeAuthority(name, Date.now())),
    )) as [KeyPair, KeyPair];
    writeFileSync(clientFile(), clients.certificate);
    writeFileSync(proxyFile(), proxies.certificate);
    people = await People.start(
      { alice: [] },
      {
        args: [
          ...['--client-ca-file', clientFile(), '--requestheader-client-ca-file', proxyFile()],
          ...['--requestheader-allowed-names', 'front,side'],
          ...['--requestheader-username-headers', 'X-Remote-User,X-Person'],
          ...['--requestheader-extra-headers-prefix', 'X-Remote-Extra-,X-About-'],
        ],
      },
    );
  });
  after(async () => {
    await people.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  const certificate = (authority: KeyPair, name: string, groups: string[] = []): Promise<KeyPair> =>
    makeClientCertificate(authority, name, groups, Date.now());

  /** The user of a connection with this certificate; undefined when it has none. */
  const whoami = async (
    pair: KeyPair | undefined,
    headers: Record<string, string | string[]> = {},
  ): Promise<any> => {
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(
        new URL(WHOAMI, people.plinth.url),
        {
          method: 'POST',
          agent: false,
          rejectUnauthorized: false,
          headers: { 'content-type': 'application/json', ...headers },
          ...(pair === undefined ? {} : { cert: pair.certificate, key: pair.key }),
        },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (body += chunk));
          response.on('end', () => resolve(body));
        },
      );
      sent.on('error', reject);
      sent.end('{}');
    });
    const answer = JSON.parse(text);
    if (answer.code === 401) return undefined;
    return answer.status.userInfo;
  };

  it('a certificate of the authority of clients is its common name and organizations', async () => {
    assert.deepEqual(await whoami(await certificate(clients, 'carol', ['a', 'b'])), {
      username: 'carol',
      groups: ['a', 'b', 'system:authenticated'],
    });
    const stranger = await makeAuthority('clients', Date.now());
    assert.equal(await whoami(await certificate(stranger, 'carol')), undefined);
  });

  it('a certificate may hold a uid', async () => {
    const uid = { '1.3.6.1.4.1.57683.2': ['uid-7'] };
    const pair = await certificateOf(clients, [{ CN: ['carol'] }, { O: ['a'] }, uid]);
    assert.deepEqual(await whoami(pair), {
      username: 'carol',
      uid: 'uid-7',
      groups: ['a', 'system:authenticated'],
    });
  });

  it('a proxy names the user, with groups, uid and more', async () => {
    const user = await whoami(await certificate(proxies, 'front'), {
      'x-remote-user': 'dora',
      'x-remote-group': ['g1', 'g2'],
      'x-remote-uid': '7',
      'x-remote-extra-example.com%2fscope': 'a',
      'x-about-team': ['b', 'c'],
    });
    assert.deepEqual(user, {
      username: 'dora',
      uid: '7',
      groups: ['g1', 'g2', 'system:authenticated'],
      extra: { 'example.com/scope': ['a'], team: ['b', 'c'] },
    });
    const byOther = await whoami(await certificate(proxies, 'side'), { 'x-person': 'emil' });
    assert.equal(byOther.username, 'emil');
  });

  it('the certificate of a proxy does not make it a user', async () => {
    assert.equal(await whoami(await certificate(proxies, 'front', ['system:masters'])), undefined);
    assert.equal(await whoami(await certificate(proxies, 'admin', ['system:masters'])), undefined);
  });

  it('identity header spoofing: headers count only from the proxy: not without a certificate, with one of a client, or under another name', async () => {
    assert.equal(await whoami(undefined, SPOOFED), undefined);
    assert.equal(await whoami(await certificate(proxies, 'back'), SPOOFED), undefined);
    const client = await whoami(await certificate(clients, 'front'), SPOOFED);
    assert.deepEqual([client.username, client.groups], ['front', ['system:authenticated']]);
    const token = { authorization: `Bearer ${tokenOf('alice')}` };
    const alice = await whoami(undefined, { ...SPOOFED, 'x-person': 'root', ...token });
    assert.deepEqual([alice.username, alice.groups], ['alice', ['system:authenticated']]);
  });

  it('identity header spoofing, NCC-E003660-YVU: headers that Connection lists are not dropped on the way to a decision', async () => {
    const token = { authorization: `Bearer ${tokenOf('alice')}` };
    const reply = await people.plinth.send(
      'POST',
      WHOAMI,
      {},
      {
        ...token,
        connection: 'close, Impersonate-User',
        'impersonate-user': 'root',
      },
    );
    assert.equal(reply.status, 403);
  });

  it('another authority of clients counts when its file changes', async () => {
    const other = await makeAuthority('others', Date.now());
    const known = await certificate(clients, 'carol');
    assert.ok(await whoami(known));
    // Handshakes take the authorities of the start; what they vouch for is read again.
    writeFileSync(clientFile(), other.certificate);
    await eventually(async () => (await whoami(known)) === undefined, 'the end of the trust');
  });
});

/** A client certificate with any subject. */
async function certificateOf(authority: KeyPair, subject: x509.JsonName): Promise<KeyPair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [der] = x509.PemConverter.decode(authority.key);
  const { subtle } = webcrypto;
  const signingKey = await subtle.importKey('pkcs8', der!, algorithm, false, ['sign']);
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '07',
    subject,
    issuer: new x509.X509Certificate(authority.certificate).subject,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  const key = x509.PemConverter.encode(
    await subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  return { certificate: certificate.toString('pem'), key };
}
