import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plinth } from '../support/plinth.ts';
import { ask, cookieOf } from './browser-requests.ts';
import { CodeIssuer } from './code-issuer.ts';

const OIDC = '/console/session/oidc';
const FAILED = '/console#sign-in=failed';

describe('signing in to the console at an issuer', () => {
  let issuer: CodeIssuer;
  let plinth: Plinth;
  let args: string[];
  before(async () => {
    issuer = await CodeIssuer.start();
    const ca = join(mkdtempSync(join(tmpdir(), 'plinth-oidc-')), 'ca.pem');
    writeFileSync(ca, issuer.issuer.authority);
    args = [
      ...['--oidc-issuer-url', issuer.issuer.url, '--oidc-client-id', 'plinth'],
      ...['--oidc-ca-file', ca, '--oidc-signing-algs', 'ES256', '--oidc-username-prefix', '-'],
      ...['--console-oidc-client-id', 'plinth'],
    ];
    plinth = await Plinth.start({ args });
  });
  after(() => Promise.all([plinth.dispose(), issuer.close()]));

  /** Leads to the issuer: where, and the cookie that binds the sign-in to this browser. */
  async function begun(): Promise<{ location: string; cookie: string }> {
    const answer = await ask(plinth, 'GET', OIDC);
    assert.equal(answer.status, 303);
    assert.match(String(answer.headers['set-cookie']), /Secure; HttpOnly; SameSite=Lax$/);
    return { location: answer.headers.location, cookie: cookieOf(answer) };
  }

  it('begins a session as the user of the token', async () => {
    const { location, cookie } = await begun();
    const { status, headers } = await ask(plinth, 'GET', issuer.approve(location), { cookie });
    assert.deepEqual([status, headers.location], [303, '/console']);
    const [session] = (headers['set-cookie'] as string[]).map((text) => text.split(';')[0]!);
    const own = { cookie: session!, 'x-plinth-console': '1' };
    const { json } = await ask(plinth, 'GET', '/console/session', own);
    assert.deepEqual([json.user.name, json.method, json.methods.oidc], ['ann', 'oidc', true]);
  });

  it('finishes on another server than it began on', async () => {
    const other = await Plinth.start({ args });
    try {
      const host = 'console.example.com';
      const { headers: first } = await ask(other, 'GET', OIDC, { host });
      const cookie = cookieOf({ status: 303, headers: first, json: undefined });
      const back = await ask(plinth, 'GET', issuer.approve(first.location), { host, cookie });
      assert.deepEqual([back.status, back.headers.location], [303, '/console']);
    } finally {
      await other.dispose();
    }
  });

  it('counts each answer of the issuer once', async () => {
    const { location, cookie } = await begun();
    const back = issuer.approve(location);
    assert.equal((await ask(plinth, 'GET', back, { cookie })).headers.location, '/console');
    assert.equal((await ask(plinth, 'GET', back, { cookie })).headers.location, FAILED);
  });

  const attacks: [string, (back: string, cookie: string) => [string, string]][] = [
    ['in another browser', (back) => [back, '']],
    [
      'with a cookie that the server has not made',
      (back) => [back, `__Host-plinth-sign-in=${'A'.repeat(43)}`],
    ],
    ['with another state', (back, cookie) => [back.replace(/state=.*/, 'state=other'), cookie]],
    ['without a code', (back, cookie) => [back.replace(/code=[^&]*&/, ''), cookie]],
    ['with a code of another', (back, cookie) => [back.replace(/code=[^&]*/, 'code=x'), cookie]],
    [
      'with an error that holds a page',
      (_, cookie) => [`${OIDC}/callback?error=%3Cscript%3E`, cookie],
    ],
  ];
  for (const [what, attack] of attacks) {
    it(`refuses a sign-in ${what}`, async () => {
      const { location, cookie } = await begun();
      const [path, sent] = attack(issuer.approve(location), cookie);
      const { status, headers } = await ask(plinth, 'GET', path, { cookie: sent });
      assert.deepEqual([status, headers.location], [303, FAILED]);
      assert.doesNotMatch(String(headers['set-cookie']), /__Host-plinth-session/);
    });
  }

  it('refuses a sign-in with a token of another sign-in', async () => {
    const { location, cookie } = await begun();
    issuer.otherNonce = 'another';
    const { headers } = await ask(plinth, 'GET', issuer.approve(location), { cookie });
    issuer.otherNonce = undefined;
    assert.equal(headers.location, FAILED);
  });

  it('leads to the issuer with PKCE, and to its own address back', async () => {
    const { location } = await begun();
    const { searchParams } = new URL(location);
    assert.equal(searchParams.get('response_type'), 'code');
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
    assert.equal(searchParams.get('redirect_uri'), `${plinth.url}${OIDC}/callback`);
    const { headers } = await ask(plinth, 'GET', OIDC, { host: 'a\\b' });
    assert.equal(headers.location, FAILED);
  });
  it('bounds how often one address comes back from the issuer, who is asked each time', async () => {
    const cookie = `__Host-plinth-sign-in=${'A'.repeat(43)}`;
    const statuses: number[] = [];
    while (statuses.length < 60 && !statuses.includes(429)) {
      const { status } = await ask(plinth, 'GET', `${OIDC}/callback?code=x&state=y`, { cookie });
      statuses.push(status);
    }
    assert.equal(statuses.at(-1), 429);
  });
});
