import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { webcrypto, X509Certificate } from 'node:crypto';
import { makeSigningRequest } from '../../access/certificates/signing-request.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { People, rule } from './people.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const GROUP = 'certificates.k8s.io';
const API_CLIENT = 'kubernetes.io/kube-apiserver-client';
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

interface Asked {
  name: string;
  user: string;
  groups?: string[];
  spec?: object;
}

const condition = (type: string): object => ({ type, status: 'True', reason: 'Test' });
const adding = (...conditions: object[]): object[] => [
  { op: 'add', path: '/status/conditions', value: conditions },
];

async function bodyOf({ name, user, groups = [], spec = {} }: Asked): Promise<object> {
  const made = await makeSigningRequest(user, groups);
  return {
    metadata: { name },
    spec: {
      request: Buffer.from(made.request).toString('base64'),
      signerName: API_CLIENT,
      usages: ['client auth'],
      ...spec,
    },
  };
}

describe('certificate signing requests', function () {
  let people: People;
  before(async () => {
    people = await People.start({ asker: [], approver: [], signer: [], stranger: [] });
    const requests = rule('create get list patch update', GROUP, 'certificatesigningrequests');
    const parts = 'certificatesigningrequests/approval certificatesigningrequests/status';
    const halves = rule('patch update', GROUP, parts);
    const signers = (verb: string, name: string): object => rule(verb, GROUP, 'signers', name);
    await people.clusterRole('asks', [requests, halves]);
    await people.clusterRole('approves', [requests, halves, signers('approve', API_CLIENT)]);
    await people.clusterRole('signs', [requests, halves, signers('sign', 'example.com/*')]);
    await people.grant('asker', 'asks');
    await people.grant('approver', 'approves');
    await people.grant('signer', 'signs');
  });
  after(() => people.dispose());

  const ask = async (asked: Asked, user = 'asker'): Promise<Reply> =>
    people.as(user, 'POST', REQUESTS, await bodyOf(asked));
  const decide = (user: string, name: string, part: string, ...types: string[]): Promise<Reply> =>
    people.as(
      user,
      'PATCH',
      `${REQUESTS}/${name}/${part}`,
      adding(...types.map(condition)),
      JSON_PATCH,
    );

  it('say who created them, whatever the body says', async () => {
    const { status, json } = await ask({
      name: 'whose',
      user: 'anna',
      spec: { username: 'admin', uid: '1', groups: ['system:masters'], extra: { a: ['b'] } },
    });
    assert.equal(status, 201);
    const { username, uid, groups, extra } = json.spec;
    assert.deepEqual(
      { username, uid, groups, extra },
      { username: 'asker', uid: 'uid-asker', groups: ['system:authenticated'], extra: undefined },
    );
    const changed = { ...json, spec: { ...json.spec, username: 'admin', usages: ['any'] } };
    const put = await people.as('asker', 'PUT', `${REQUESTS}/whose`, changed);
    assert.equal(put.status, 200);
    assert.deepEqual(put.json.spec, json.spec);
  });

  it('are approved only by those who may approve for the signer, and signed only by those who may sign', async () => {
    assert.equal((await ask({ name: 'rights', user: 'anna' })).status, 201);
    for (const user of ['asker', 'signer']) {
      const { status, json } = await decide(user, 'rights', 'approval', 'Approved');
      assert.equal(status, 403, user);
      assert.match(json.message, /not permitted to approve requests with signerName/);
    }
    const spec = { signerName: 'example.com/ours' };
    assert.equal((await ask({ name: 'ours', user: 'anna', spec })).status, 201);
    for (const [user, status] of Object.entries({ approver: 403, signer: 200 })) {
      assert.equal((await decide(user, 'ours', 'status', 'Failed')).status, status, user);
    }
    assert.equal((await decide('approver', 'rights', 'approval', 'Approved')).status, 200);
  });

  it('are never decided through the object itself or its status', async () => {
    const spec = { signerName: 'example.com/ours' };
    assert.equal((await ask({ name: 'ways', user: 'anna', spec })).status, 201);
    const whole = await people.as(
      'approver',
      'PATCH',
      `${REQUESTS}/ways`,
      adding(condition('Approved')),
      JSON_PATCH,
    );
    assert.deepEqual([whole.status, whole.json.status], [200, {}]);
    const status = await decide('signer', 'ways', 'status', 'Approved');
    assert.equal(status.status, 422);
    assert.match(status.json.message, /updates may not add a condition of type "Approved"/);
  });

  it('keep what is decided, and are not approved and denied at once', async () => {
    assert.equal((await ask({ name: 'kept', user: 'anna' })).status, 201);
    const both = await decide('approver', 'kept', 'approval', 'Approved', 'Denied');
    assert.match(both.json.message, /mutually exclusive/);
    assert.equal((await decide('approver', 'kept', 'approval', 'Denied')).status, 200);
    const back = await decide('approver', 'kept', 'approval', 'Other');
    assert.equal(back.status, 422);
    assert.match(back.json.message, /updates may not remove a condition of type "Denied"/);
  });

  it('are refused where they would make a superuser, are not signed by their key or cannot be read', async () => {
    const masters = await ask({ name: 'masters', user: 'anna', groups: ['system:masters'] });
    assert.equal(masters.status, 403);
    const [one, other] = await Promise.all([
      makeSigningRequest('anna', []),
      makeSigningRequest('anna', []),
    ]);
    const der = Buffer.from(x509.PemConverter.decode(one.request)[0]!);
    const foreign = Buffer.from(x509.PemConverter.decode(other.request)[0]!);
    const signature = new x509.Pkcs10CertificateRequest(der).signature.byteLength;
    foreign.copy(der, der.length - signature, foreign.length - signature);
    const unsigned = x509.PemConverter.encode(der, 'CERTIFICATE REQUEST');
    const inner = '-----BEGIN CERTIFICATE REQUEST-----\naGk=\n-----END CERTIFICATE REQUEST-----\n';
    for (const pem of [unsigned, inner, 'hello', '']) {
      const spec = { request: Buffer.from(pem).toString('base64') };
      const { status, json } = await ask({ name: 'bad', user: 'anna', spec });
      assert.equal(status, 422, pem);
      assert.equal(json.details.causes[0].field, 'spec.request');
    }
  });

  it('that are approved get a certificate, which signs in until it is revoked', async () => {
    const { request: pem, key } = await makeSigningRequest('anna', ['team-a', 'devs']);
    const spec = { request: Buffer.from(pem).toString('base64'), expirationSeconds: 3600 };
    assert.equal((await ask({ name: 'anna', user: '', spec })).status, 201);
    assert.equal((await decide('approver', 'anna', 'approval', 'Approved')).status, 200);
    const cert = await issued(people.plinth, 'anna');
    const { validTo } = new X509Certificate(cert);
    assert.ok(Date.parse(validTo) <= Date.now() + 3_600_000, validTo);
    assert.deepEqual(await whoIs(people.plinth, cert, key), {
      status: 201,
      username: 'anna',
      groups: ['team-a', 'devs', 'system:authenticated'],
    });
    const revoked = await people.as(
      'approver',
      'PATCH',
      `${REQUESTS}/anna/approval`,
      [{ op: 'add', path: '/status/conditions/-', value: condition('Revoked') }],
      JSON_PATCH,
    );
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await whoIs(people.plinth, cert, key)).status, 401);
    await people.make('DELETE', `${REQUESTS}/anna`);
    assert.equal(
      (await whoIs(people.plinth, cert, key)).status,
      401,
      'the record outlives a delete',
    );
  });

  it('that no signer can answer are Failed', async () => {
    const spec = { usages: ['server auth'] };
    assert.equal((await ask({ name: 'server', user: 'anna', spec })).status, 201);
    assert.equal((await decide('approver', 'server', 'approval', 'Approved')).status, 200);
    await eventually(async () => {
      const { json } = await people.plinth.get(`${REQUESTS}/server`);
      return json.status.conditions.some(({ type }: { type: string }) => type === 'Failed');
    }, 'the condition Failed');
  });
});

describe('the signing authority of the operator', function () {
  it('may have an RSA key', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'plinth-signer-'));
    const { certificate, key } = await rsaAuthority();
    const [certFile, keyFile] = [join(directory, 'ca.crt'), join(directory, 'ca.key')];
    writeFileSync(certFile, certificate);
    writeFileSync(keyFile, key);
    const plinth = await Plinth.start({
      args: [
        ...['--cluster-signing-cert-file', certFile, '--cluster-signing-key-file', keyFile],
        ...['--client-ca-file', certFile, '--cluster-signing-duration', '600'],
      ],
    });
    try {
      const { request: pem, key: own } = await makeSigningRequest('bob', []);
      const spec = { request: Buffer.from(pem).toString('base64') };
      await plinth.send('POST', REQUESTS, await bodyOf({ name: 'bob', user: '', spec }));
      const approve = adding(condition('Approved'));
      await plinth.send('PATCH', `${REQUESTS}/bob/approval`, approve, JSON_PATCH);
      const cert = await issued(plinth, 'bob');
      assert.equal((await whoIs(plinth, cert, own)).username, 'bob');
      assert.ok(Date.parse(new X509Certificate(cert).validTo) <= Date.now() + 600_000);
    } finally {
      await plinth.dispose();
      rmSync(directory, { recursive: true });
    }
  });
});

async function issued(plinth: Plinth, name: string): Promise<string> {
  let certificate = '';
  await eventually(async () => {
    const { json } = await plinth.get(`${REQUESTS}/${name}`);
    certificate = json.status.certificate ?? '';
    return certificate !== '';
  }, 'the certificate');
  return Buffer.from(certificate, 'base64').toString();
}

/** Asks the server who the holder of a certificate is, on a connection of its own. */
function whoIs(
  plinth: Plinth,
  cert: string,
  key: string,
): Promise<{ status: number; username?: string; groups?: string[] }> {
  return new Promise((resolve, reject) => {
    const path = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...{ ca: plinth.tls.ca, cert, key, agent: false as const },
    };
    const req = request(new URL(path, plinth.url), options, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (text += chunk));
      res.on('end', () => {
        const { username, groups } = JSON.parse(text).status?.userInfo ?? {};
        resolve({ status: res.statusCode ?? 0, ...(username && { username, groups }) });
      });
    });
    req.on('error', reject);
    req.end('{}');
  });
}

async function rsaAuthority(): Promise<{ certificate: string; key: string }> {
  const algorithm = {
    ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 },
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=ours', serialNumber: '01', keys, signingAlgorithm: algorithm },
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(der, 'PRIVATE KEY'),
  };
}
