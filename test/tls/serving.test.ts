import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type PeerCertificate } from 'node:tls';
import {
  makeAuthority,
  makeClientCertificate,
  makeServingCertificate,
  type KeyPair,
} from '../../access/pki/certificates.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const dir = mkdtempSync(join(tmpdir(), 'plinth-tls-'));
const now = Date.now();

/** Replaces files as a mounted secret is replaced: by renaming. */
function write(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  return file;
}

function writePair(name: string, pair: KeyPair): string[] {
  const key = write(`${name}.key`, pair.key);
  return [write(`${name}.crt`, pair.certificate), key];
}

interface Session {
  certificate: PeerCertificate;
  protocol: string | null;
  cipher: string;
}

/** Shakes hands; rejects when the server refuses. */
function handshake(url: string, options: ConnectionOptions = {}): Promise<Session> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, port: Number(port), rejectUnauthorized: false, ...options },
      () => {
        resolve({
          certificate: socket.getPeerCertificate(),
          protocol: socket.getProtocol(),
          cipher: socket.getCipher().name,
        });
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

const whoAmI = (url: string, { certificate: cert, key }: KeyPair): Promise<number> =>
  statusBy(url, { cert, key, rejectUnauthorized: false, agent: false });

const statusBy = (url: string, options: RequestOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const req = request(new URL('/version', url), options, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode ?? 0));
    });
    req.on('error', reject);
    req.end();
  });

describe('TLS of the server', () => {
  let authority: KeyPair;
  let plinth: Plinth;
  before(async () => {
    authority = await makeAuthority('test', now);
  });
  afterEach(() => plinth.dispose());

  it('--tls-min-version and --tls-cipher-suites bind clients', async () => {
    plinth = await Plinth.start({
      args: ['--tls-cipher-suites', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
    });
    const old = { maxVersion: 'TLSv1.2' } as const;
    await assert.rejects(
      handshake(plinth.url, { ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }),
    );
    assert.equal((await handshake(plinth.url, old)).cipher, 'ECDHE-ECDSA-AES256-GCM-SHA384');
    assert.equal((await handshake(plinth.url)).protocol, 'TLSv1.3');
    await assert.rejects(
      handshake(plinth.url, {
        minVersion: 'TLSv1.1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL@SECLEVEL=0',
      }),
    );
    await plinth.dispose();
    plinth = await Plinth.start({ args: ['--tls-min-version', 'VersionTLS13'] });
    await assert.rejects(handshake(plinth.url, old));
    assert.equal((await handshake(plinth.url)).protocol, 'TLSv1.3');
  });

  it('--tls-sni-cert-key: the certificate of the name that is asked for', async () => {
    const named = async (file: string, names: string[]) =>
      writePair(file, await makeServingCertificate(authority, names, now)).join(',');
    plinth = await Plinth.start({
      args: [
        ...['--tls-sni-cert-key', await named('own', ['own.example.com'])],
        ...['--tls-sni-cert-key', `${await named('wild', ['wild.test'])}:*.wild.test,wild.test`],
      ],
    });
    const shown = async (servername: string) =>
      (await handshake(plinth.url, { servername })).certificate.subjectaltname;
    assert.equal(await shown('own.example.com'), 'DNS:own.example.com');
    assert.equal(await shown('wild.test'), 'DNS:wild.test');
    assert.equal(await shown('a.wild.test'), 'DNS:wild.test');
    assert.match((await shown('a.b.wild.test'))!, /localhost/);
    assert.match((await shown('other.example.com'))!, /localhost/);
  });

  it('certificates and client authorities are read again when their files change', async () => {
    const serving = (name: string) => makeServingCertificate(authority, ['localhost', name], now);
    const [cert, key] = writePair('serving', await serving('first.test'));
    const [named, namedKey] = writePair('named', await serving('named-first.test'));
    const clients = [await makeAuthority('clients', now), await makeAuthority('later', now)];
    const ca = write('clients.crt', clients[0]!.certificate);
    const users = await Promise.all(
      clients.map((of) => makeClientCertificate(of, 'admin', ['system:masters'], now)),
    );
    plinth = await Plinth.start({
      args: [
        ...['--tls-cert-file', cert!, '--tls-private-key-file', key!],
        ...['--tls-sni-cert-key', `${named},${namedKey}:named.test`, '--client-ca-file', ca],
      ],
    });
    const shown = async (servername = 'localhost') =>
      (await handshake(plinth.url, { servername })).certificate.subjectaltname ?? '';
    assert.match(await shown(), /first\.test/);
    assert.match(await shown('named.test'), /named-first\.test/);
    assert.equal(await whoAmI(plinth.url, users[0]!), 200);
    assert.equal(await whoAmI(plinth.url, users[1]!), 401);

    writePair('serving', await serving('second.test'));
    writePair('named', await serving('named-second.test'));
    write('clients.crt', clients.map(({ certificate }) => certificate).join('\n'));
    await eventually(async () => (await shown()).includes('second.test'), 'the new certificate');
    assert.match(await shown('named.test'), /named-second\.test/);
    await eventually(
      async () => (await whoAmI(plinth.url, users[1]!)) === 200,
      'the new authority',
    );

    write('serving.crt', 'this is not a certificate');
    await eventually(() => plinth.output.includes('what was read before stays'), 'the complaint');
    assert.match(await shown(), /second\.test/);
  });

  it('a certificate is valid until it expires, also on existing connections', async () => {
    const [ca, year] = [await makeAuthority('clients', now), 365 * 24 * 3600 * 1000];
    const admin = (from: number) => makeClientCertificate(ca, 'admin', ['system:masters'], from);
    plinth = await Plinth.start({ args: ['--client-ca-file', write('ends.crt', ca.certificate)] });
    const lives = Date.now() + 4_000;
    const { certificate: cert, key } = await admin(lives - year);
    const options = { cert, key, rejectUnauthorized: false };
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ...options });
    assert.equal(await statusBy(plinth.url, { agent }), 200);
    await eventually(async () => (await statusBy(plinth.url, { agent })) === 401, 'its end');
    assert.ok(Date.now() >= lives - 1_000);
    assert.equal(await statusBy(plinth.url, { ...options, agent: false }), 401);
    agent.destroy();
    const serving = await makeServingCertificate(ca, ['admin'], now);
    assert.equal(await whoAmI(plinth.url, serving), 401, 'the certificate of a server');
  });

  it('--client-ca-file alone: added authorities count at once, removed ones no longer', async () => {
    const [first, second] = [await makeAuthority('first', now), await makeAuthority('second', now)];
    const userOf = (of: KeyPair) => makeClientCertificate(of, 'admin', ['system:masters'], now);
    const [old, fresh] = [await userOf(first), await userOf(second)];
    const ca = write('only.crt', first.certificate);
    plinth = await Plinth.start({ args: ['--client-ca-file', ca] });
    const { certificate: cert, key } = old;
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 1,
      cert,
      key,
      rejectUnauthorized: false,
    });
    const onOldConnection = (): Promise<number> => statusBy(plinth.url, { agent });
    assert.equal(await onOldConnection(), 200);
    assert.equal(await whoAmI(plinth.url, fresh), 401);

    write('only.crt', second.certificate);
    await eventually(async () => (await whoAmI(plinth.url, fresh)) === 200, 'the new authority');
    assert.equal(await whoAmI(plinth.url, old), 401);
    assert.equal(await onOldConnection(), 401, 'an old connection does not let the client in');
    agent.destroy();

    write('only.crt', 'no certificate');
    // what is trusted in handshakes, and what vouches for users, are read by themselves
    const complaints = (): number => plinth.output.split('what was read before stays').length - 1;
    await eventually(() => complaints() === 2, 'both complaints');
    assert.equal(await whoAmI(plinth.url, fresh), 200);
  });
});
