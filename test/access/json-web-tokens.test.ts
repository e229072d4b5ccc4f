import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base64url, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { stringify } from 'yaml';
import { HttpsClient } from '../../outbound/https-client.ts';
import { dnsResolver } from '../../outbound/service-resolver.ts';
import type { UserInfo } from '../../api/user.ts';
import { CredentialError } from '../../access/authentication/authenticator.ts';
import type { JwtConfiguration } from '../../access/authentication/jwt/configuration.ts';
import { JwtAuthenticator } from '../../access/authentication/jwt/jwt-authenticator.ts';
import { KEYS_MAX_AGE_MS, KEYS_MIN_AGE_MS } from '../../access/authentication/jwt/key-set.ts';
import { makeAuthority } from '../../access/pki/certificates.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { eventually } from '../support/plinth.ts';
import { Issuer } from './issuer.ts';
import { People } from './people.ts';

describe('JSON Web Tokens', () => {
  let issuer: Issuer;
  let clock: FakeClock;
  let client: HttpsClient;
  let jwt: JwtAuthenticator;

  beforeEach(async () => {
    issuer = await Issuer.start();
    clock = new FakeClock();
    client = new HttpsClient({ resolver: dnsResolver, clock });
    jwt = new JwtAuthenticator(client, clock);
  });
  afterEach(async () => {
    client.close();
    await issuer.close();
  });

  const trust = (more: Partial<JwtConfiguration> = {}): void =>
    jwt.trust([
      {
        issuer: { url: issuer.url, audiences: ['plinth'], certificateAuthority: issuer.authority },
        claimMappings: { username: { claim: 'sub', prefix: 'test:' } },
        ...more,
      },
    ]);
  const ownerOf = async (token: string): Promise<UserInfo | undefined> =>
    (await jwt.authenticateToken(token, []))?.user;
  const userOf = async (claims: object): Promise<UserInfo | undefined> =>
    ownerOf(await issuer.token({ sub: 'alice', ...claims }, clock.now()));
  const refused = (attempt: Promise<unknown>, why: RegExp): Promise<void> =>
    assert.rejects(attempt, (error) => {
      assert.ok(error instanceof CredentialError, String(error));
      assert.match(error.message, why);
      return true;
    });

  it('name a user by a claim with a prefix', async () => {
    trust();
    assert.deepEqual(await userOf({}), {
      name: 'test:alice',
      uid: '',
      groups: ['system:authenticated'],
      extra: {},
    });
  });

  it('name groups, uid and more, by claims and expressions', async () => {
    trust({
      claimMappings: {
        username: { expression: 'claims.sub + "@" + claims.org.name' },
        groups: { claim: 'roles', prefix: 'test:' },
        uid: { claim: 'sub' },
        extra: [{ key: 'example.com/org', valueExpression: 'claims.org.units' }],
      },
    });
    const user = await userOf({ roles: ['a', 'b'], org: { name: 'x', units: ['u', 'v'] } });
    assert.deepEqual(user, {
      name: 'alice@x',
      uid: 'alice',
      groups: ['test:a', 'test:b', 'system:authenticated'],
      extra: { 'example.com/org': ['u', 'v'] },
    });
    await refused(userOf({ org: {} }), /claimMappings\.username\.expression/);
    await refused(userOf({ org: { name: 'x', units: [] }, roles: [1] }), /groups/);
  });

  it('that are altered, expired, not yet valid or from another issuer are refused', async () => {
    trust();
    const token = await issuer.token({ sub: 'alice' }, clock.now());
    const [header = '', payload = '', signature = ''] = token.split('.');
    const forged = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = base64url.encode(JSON.stringify({ ...forged, sub: 'admin' }));
    await refused(ownerOf([header, other, signature].join('.')), /signature/);
    await refused(userOf({ exp: clock.now() / 1000 - 1 }), /exp/);
    await refused(userOf({ nbf: clock.now() / 1000 + 60 }), /nbf/);
    await refused(userOf({ exp: undefined }), /exp/);
    await refused(userOf({ aud: 'another' }), /aud/);
    await refused(userOf({ sub: '' }), /no user name/);
    await clock.advance(301_000);
    await refused(ownerOf(token), /exp/);
  });

  it('without a signature, or with one that a public key cannot check, are refused', async () => {
    trust();
    const claims = { iss: issuer.url, aud: 'plinth', sub: 'admin', exp: clock.now() / 1000 + 60 };
    await refused(ownerOf(new UnsecuredJWT(claims).encode()), /not valid/);
    const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
    await refused(ownerOf(await shared.sign(Buffer.from(issuer.authority))), /alg/);
    const { privateKey } = await generateKeyPair('ES256');
    const stranger = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'unknown' });
    await refused(ownerOf(await stranger.sign(privateKey)), /not valid/);
  });

  it('of unknown issuers are left to other authenticators', async () => {
    trust();
    assert.equal(await ownerOf('opaque'), undefined);
    assert.equal(await ownerOf('a.b.c'), undefined);
    assert.equal(await ownerOf(await issuer.token({ iss: 'https://example.com' })), undefined);
  });

  it('must satisfy the rules on claims and users', async () => {
    trust({
      claimValidationRules: [
        { claim: 'tenant', requiredValue: 'a' },
        { expression: 'claims.exp - claims.iat <= 300', message: 'lives too long' },
      ],
      userValidationRules: [
        { expression: "!user.username.startsWith('test:system')", message: 'reserved' },
        { expression: "user.groups.all(g, g != 'system:masters')" },
      ],
      claimMappings: {
        username: { claim: 'sub', prefix: 'test:' },
        groups: { claim: 'roles', prefix: '' },
      },
    });
    assert.equal((await userOf({ tenant: 'a' }))?.name, 'test:alice');
    await refused(userOf({ tenant: 'b' }), /tenant/);
    await refused(userOf({}), /tenant/);
    await refused(userOf({ tenant: 'a', iat: clock.now() / 1000 - 9 }), /lives too long/);
    await refused(userOf({ tenant: 'a', sub: 'system:x' }), /reserved/);
    await refused(userOf({ tenant: 'a', roles: 'system:masters' }), /system:masters/);
  });

  it('an unverified email address is not accepted as a name', async () => {
    trust({ claimMappings: { username: { claim: 'email', prefix: '' } } });
    assert.equal((await userOf({ email: 'a@x', email_verified: true }))?.name, 'a@x');
    await refused(userOf({ email: 'a@x', email_verified: false }), /not verified/);
    await refused(userOf({ email: 'a@x', email_verified: 'true' }), /not verified/);
  });

  it('new keys are found when a token names one, old ones go after a while', async () => {
    trust();
    const old = await issuer.token({ sub: 'alice', exp: 4_000_000_000 }, clock.now());
    assert.ok(await ownerOf(old));
    await Promise.all(Array.from({ length: 20 }, () => ownerOf(old)));
    assert.equal(issuer.fetches, 1);
    await issuer.rotate();
    assert.ok(await ownerOf(old), 'is still known');
    await clock.advance(KEYS_MIN_AGE_MS);
    assert.ok(await userOf({}));
    assert.equal(issuer.fetches, 2);
    await refused(ownerOf(old), /not valid/);
    await issuer.rotate();
    const first = issuer.fetches;
    for (let i = 0; i < 20; i++) await userOf({}).catch(() => undefined);
    assert.equal(issuer.fetches, first, 'tokens with unknown keys do not flood the issuer');
    await clock.advance(KEYS_MAX_AGE_MS);
    assert.ok(await userOf({}));
  });

  describe('of an issuer that does not name its keys', () => {
    beforeEach(() => {
      issuer.isNameless = true;
      trust();
    });

    it('are verified with each of those that fit', async () => {
      await issuer.addKey();
      await issuer.addKey();
      assert.equal((await userOf({}))?.name, 'test:alice');
      const { privateKey } = await generateKeyPair('ES256');
      const claims = { iss: issuer.url, aud: 'plinth', sub: 'mallory', exp: 4_000_000_000 };
      const stranger = new SignJWT(claims).setProtectedHeader({ alg: 'ES256' });
      await refused(ownerOf(await stranger.sign(privateKey)), /signature/);
      await refused(userOf({ aud: 'others' }), /"aud"/);
    });

    it('are verified with no more than a few', async () => {
      for (let i = 0; i < 16; i++) await issuer.addKey();
      await refused(userOf({}), /signature/);
    });

    it('are verified with newer keys when none of the known ones is theirs', async () => {
      for (const more of [0, 1]) {
        assert.ok(await userOf({}));
        await issuer.rotate();
        for (let i = 0; i < more; i++) await issuer.addKey();
        await refused(userOf({}), /signature/);
        await clock.advance(KEYS_MIN_AGE_MS);
        assert.ok(await userOf({}));
      }
    });
  });

  it('known keys stay in use while the issuer cannot be reached', async () => {
    trust();
    const token = await issuer.token({ sub: 'alice', exp: 4_000_000_000 }, clock.now());
    assert.ok(await ownerOf(token));
    issuer.server.handler = (_, response) => void response.destroy();
    await clock.advance(KEYS_MAX_AGE_MS);
    assert.ok(await ownerOf(token));
  });

  it('a discovery document of another issuer is refused', async () => {
    trust();
    const { handler } = issuer.server;
    issuer.server.handler = (_, response) => {
      response.end(
        JSON.stringify({ issuer: 'https://example.com', jwks_uri: `${issuer.url}/keys` }),
      );
    };
    await refused(userOf({}), /keys could not be fetched/);
    issuer.server.handler = (_, response) => {
      response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end();
    };
    await refused(userOf({}), /keys could not be fetched/);
    assert.ok(!issuer.server.requests.some(({ url }) => url === '/elsewhere'));
    issuer.server.handler = handler;
    assert.ok(await userOf({}));
  });

  describe('on a server', () => {
    let people: People;
    let directory: string;
    beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'plinth-jwt-'))));
    afterEach(async () => {
      await people.dispose();
      rmSync(directory, { recursive: true, force: true });
    });
    const file = (): string => join(directory, 'authentication.yaml');
    const write = (usernamePrefix: string): void => {
      const configuration = {
        apiVersion: 'apiserver.config.cluster.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [
          {
            issuer: {
              url: issuer.url,
              audiences: ['plinth'],
              certificateAuthority: issuer.authority,
            },
            claimMappings: { username: { claim: 'sub', prefix: usernamePrefix } },
          },
        ],
      };
      writeFileSync(file(), stringify(configuration));
    };
    const whoami = async (token: string) => {
      const path = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
      return people.plinth.send('POST', path, {}, { authorization: `Bearer ${token}` });
    };
    it('the configuration file is read again when it changes, and kept when it is broken', async () => {
      write('a:');
      people = await People.start({}, { args: ['--authentication-config', file()] });
      const token = await issuer.token({ sub: 'alice' });
      assert.equal((await whoami(token)).json.status.userInfo.username, 'a:alice');
      assert.equal((await people.as(undefined, 'GET', '/healthz')).status, 200);
      assert.equal((await people.as(undefined, 'GET', '/version')).status, 401);
      const rewrite = (text: string): void => writeFileSync(file(), text);
      rewrite('kind: nonsense');
      await eventually(() => people.plinth.output.includes('cannot be used'), 'a complaint');
      assert.equal((await whoami(token)).status, 201);
      rewrite(
        stringify({
          apiVersion: 'apiserver.config.k8s.io/v1',
          kind: 'AuthenticationConfiguration',
          anonymous: { enabled: true, conditions: [{ path: '/version' }] },
        }),
      );
      await eventually(async () => (await whoami(token)).status === 401, 'the end of the trust');
      assert.equal((await people.as(undefined, 'GET', '/healthz')).status, 401);
      assert.equal((await people.as(undefined, 'GET', '/version')).status, 200);
    });

    it('a token that names no key is that of any of them', async () => {
      issuer.isNameless = true;
      await issuer.addKey();
      write('a:');
      people = await People.start({}, { args: ['--authentication-config', file()] });
      const { status, json } = await whoami(await issuer.token({ sub: 'alice' }));
      assert.deepEqual([status, json.status.userInfo.username], [201, 'a:alice']);
    });

    it('the --oidc flags describe one issuer', async () => {
      const ca = join(directory, 'issuer.pem');
      // A certificate of another issuer: tokens are refused until the file is right.
      writeFileSync(ca, (await makeAuthority('another', Date.now())).certificate);
      people = await People.start(
        {},
        {
          args: [
            ...['--oidc-issuer-url', issuer.url, '--oidc-client-id', 'plinth'],
            ...['--oidc-ca-file', ca, '--oidc-groups-claim', 'roles', '--oidc-groups-prefix', 'o:'],
            ...['--oidc-required-claim', 'tenant=a', '--oidc-signing-algs', 'ES256'],
          ],
        },
      );
      const token = await issuer.token({ sub: 'alice', roles: ['x'], tenant: 'a' });
      assert.equal((await whoami(token)).status, 401);
      writeFileSync(ca, issuer.authority);
      await eventually(async () => (await whoami(token)).status === 201, 'the authority');
      const { json } = await whoami(token);
      assert.equal(json.status.userInfo.username, `${issuer.url}#alice`);
      assert.deepEqual(json.status.userInfo.groups, ['o:x', 'system:authenticated']);
      const refusal = await whoami(await issuer.token({ sub: 'alice', tenant: 'b' }));
      assert.equal(refusal.status, 401);
      assert.equal(refusal.json.message, 'Unauthorized');
    });
  });
});
