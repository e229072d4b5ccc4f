import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ISSUER = 'https://tokens.example.com';

describe('tokens of service accounts', function () {
  let folder: string;
  let plinth: Plinth;
  const pem = (name: string): string => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const file = join(folder, name);
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return file;
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    const files = [
      '--service-account-signing-key-file',
      pem('signing'),
      '--service-account-key-file',
    ];
    plinth = await Plinth.start({
      args: [
        ...['--service-account-issuer', ISSUER, ...files, pem('before')],
        ...['--service-account-max-token-expiration', '2h'],
      ],
    });
  });
  after(async () => {
    await plinth.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const account = async (name: string): Promise<string> => {
    const { status, json, text } = await plinth.send('POST', ACCOUNTS, { metadata: { name } });
    assert.equal(status, 201, text);
    return json.metadata.uid;
  };
  const request = (name: string, spec: object, apiVersion?: string): Promise<Reply> =>
    plinth.send('POST', `${ACCOUNTS}/${name}/token`, {
      ...(apiVersion === undefined ? {} : { apiVersion, kind: 'TokenRequest' }),
      spec,
    });
  const tokenOf = async (name: string, spec: object = {}): Promise<string> => {
    const { status, json, text } = await request(name, spec);
    assert.equal(status, 201, text);
    return json.status.token;
  };
  const review = async (token: string, audiences: string[] = []): Promise<any> => {
    const path = '/apis/authentication.cluster.io/v1/tokenreviews';
    return (await plinth.send('POST', path, { spec: { token, audiences } })).json.status;
  };

  it('are those of the user and the groups of the account', async () => {
    const uid = await account('robot');
    const { json } = await request('robot', { expirationSeconds: 600 }, 'authentication.k8s.io/v1');
    assert.equal(json.apiVersion, 'authentication.k8s.io/v1');
    assert.deepEqual(json.spec, { audiences: [ISSUER], expirationSeconds: 600 });
    const claims = decodeJwt(json.status.token);
    assert.equal(claims.exp! - claims.iat!, 600);
    const { authenticated, user, audiences } = await review(json.status.token);
    assert.equal(authenticated, true);
    assert.deepEqual(audiences, [ISSUER]);
    assert.deepEqual(user, {
      username: 'system:serviceaccount:default:robot',
      uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] },
    });
  });

  it('kubectl create token issues a token that kubectl can sign in with', async () => {
    await account('kubectl');
    const run = (...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const admin = ['--kubeconfig', plinth.kubeconfig];
    const token = run(...admin, 'create', 'token', 'kubectl', '--duration=20m').trim();
    const config = join(folder, 'kubeconfig');
    writeFileSync(config, readFileSync(plinth.kubeconfig));
    run('--kubeconfig', config, 'config', 'set-credentials', 'robot', `--token=${token}`);
    const shown = run('--kubeconfig', config, '--user', 'robot', 'auth', 'whoami');
    assert.match(shown, /system:serviceaccount:default:kubectl/);
  });

  it('are accepted only for their audiences', async () => {
    await account('vault');
    const token = await tokenOf('vault', { audiences: ['vault', 'other'] });
    assert.equal((await review(token)).authenticated, undefined);
    assert.deepEqual((await review(token, ['vault', 'x'])).audiences, ['vault']);
    assert.equal((await review(token, ['x'])).authenticated, undefined);
  });

  it('end with the account, also when another one of its name comes', async () => {
    await account('short');
    const token = await tokenOf('short');
    assert.equal((await review(token)).authenticated, true);
    await plinth.send('DELETE', `${ACCOUNTS}/short`);
    assert.equal((await review(token)).authenticated, undefined);
    await account('short');
    assert.equal((await review(token)).authenticated, undefined);
  });

  it('expire with the object they are bound to', async () => {
    await account('bound');
    const secrets = '/api/v1/namespaces/default/secrets';
    await plinth.send('POST', secrets, { metadata: { name: 'holder' } });
    const holder = { apiVersion: 'v1', kind: 'Secret', name: 'holder' };
    const token = await tokenOf('bound', { boundObjectRef: holder });
    assert.equal((await review(token)).authenticated, true);
    await plinth.send('DELETE', `${secrets}/holder`);
    assert.equal((await review(token)).authenticated, undefined);
    assert.equal((await request('bound', { boundObjectRef: holder })).status, 404);
    const wrong = { ...holder, kind: 'Pod' };
    assert.equal((await request('bound', { boundObjectRef: wrong })).status, 400);
  });

  it('are refused for invalid requests', async () => {
    assert.equal((await request('missing', {})).status, 404);
    await account('strict');
    const short = await request('strict', { expirationSeconds: 599 });
    assert.equal(short.status, 422);
    assert.match(short.text, /may not specify a duration less than 10 minutes/);
    for (const group of ['authentication.cluster.io', 'authentication.k8s.io']) {
      const { json } = await request('strict', { expirationSeconds: 599 }, `${group}/v1`);
      assert.equal(json.details.group, group);
      assert.match(json.message, new RegExp(`^TokenRequest\\.${group} "strict" is invalid`));
    }
    assert.equal((await plinth.get(`${ACCOUNTS}/strict/token`)).status, 405);
    const forged = `${(await tokenOf('strict')).slice(0, -6)}AAAAAA`;
    assert.equal((await review(forged)).authenticated, undefined);
  });

  it('live no longer than the server allows, with a warning for longer requests', async () => {
    await account('long');
    const { headers, json } = await request('long', { expirationSeconds: 7201 });
    assert.equal(json.spec.expirationSeconds, 7200);
    assert.match(String(headers['warning']), /expiration of 7201 seconds shortened to 7200/);
    const claims = decodeJwt(json.status.token);
    assert.equal(claims.exp! - claims.iat!, 7200);
    const allowed = await request('long', { expirationSeconds: 7200 });
    assert.equal(allowed.headers['warning'], undefined);
  });

  it('can be checked by others with the published keys', async () => {
    const token = await tokenOf('robot');
    const { json: configuration } = await plinth.get('/.well-known/openid-configuration');
    assert.equal(configuration.issuer, ISSUER);
    assert.deepEqual(configuration.id_token_signing_alg_values_supported, ['ES256']);
    const { json: keys } = await plinth.get(new URL(configuration.jwks_uri).pathname);
    assert.equal(keys.keys.length, 2);
    for (const key of keys.keys) assert.equal(key.d, undefined, 'no private key is published');
    const options = { issuer: ISSUER, audience: ISSUER };
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), options);
    assert.equal(payload.sub, 'system:serviceaccount:default:robot');
  });

  it('of the previous key stay valid when the signing key is replaced', async () => {
    const token = await tokenOf('robot');
    const { kid: before } = await firstKey();
    writeFileSync(join(folder, 'before'), readFileSync(join(folder, 'signing')));
    pem('signing');
    await eventually(async () => (await firstKey()).kid !== before, 'the new key');
    await eventually(async () => (await review(token)).authenticated === true, 'the old key');
    assert.equal((await review(await tokenOf('robot'))).authenticated, true);
  });

  async function firstKey(): Promise<{ kid: string }> {
    return (await plinth.get('/openid/v1/jwks')).json.keys[0];
  }
});
