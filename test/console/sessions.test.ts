import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { eventually, Plinth } from '../support/plinth.ts';
import { ask, cookieOf, type BrowserAnswer as Answer } from './browser-requests.ts';

const SESSION = '/console/session';
const ME = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
const WATCH = '/apis/query.cluster.io/v1/watch';
const ANN = 'token-of-ann-0123456789';
const OWN = { 'x-plinth-console': '1' };

const codeOf = ({ output }: Plinth): string => /#code=([\w-]{43})/.exec(output)![1]!;
const REVIEW = { apiVersion: 'authentication.cluster.io/v1', kind: 'SelfSubjectReview' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** The status of the answer to who asks, and the name where there is one. */
async function whoami(plinth: Plinth, headers: Record<string, string>): Promise<unknown[]> {
  const { status, json } = await ask(plinth, 'POST', ME, { ...JSON_TYPE, ...headers }, REVIEW);
  return [status, json?.status?.userInfo?.username];
}

describe('sessions of the console', () => {
  let plinth: Plinth;
  let tokens: string;
  before(async () => {
    tokens = join(mkdtempSync(join(tmpdir(), 'plinth-console-')), 'tokens.csv');
    writeFileSync(tokens, `${ANN},ann,ann\n`);
    plinth = await Plinth.start({
      args: ['--token-auth-file', tokens, '--cors-allowed-origins', '^https://friend\\.example$'],
    });
  });
  after(() => plinth.dispose());

  const signIn = (): Promise<Answer> => ask(plinth, 'POST', SESSION, OWN, { token: ANN });

  it('begin with a token, act as its user, and end when it is signed out', async () => {
    const begun = await signIn();
    assert.deepEqual([begun.status, begun.json.user.name], [201, 'ann']);
    assert.match(
      String(begun.headers['set-cookie']),
      /^__Host-plinth-session=[\w-]{59}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(begun.headers['cache-control'], 'no-store');
    const headers = { ...OWN, cookie: cookieOf(begun) };
    assert.deepEqual(await whoami(plinth, headers), [201, 'ann']);
    const { json } = await ask(plinth, 'GET', SESSION, headers);
    assert.deepEqual([json.user.name, json.method], ['ann', 'token']);
    // no right comes with the session
    assert.equal((await ask(plinth, 'GET', '/api/v1/secrets', headers)).status, 403);
    const ended = await ask(plinth, 'DELETE', SESSION, headers);
    assert.match(String(ended.headers['set-cookie']), /^__Host-plinth-session=; Max-Age=0;/);
    assert.deepEqual(await whoami(plinth, headers), [401, undefined]);
  });

  it('begin with the code of the link, once', async () => {
    const code = codeOf(plinth);
    const wrong = await ask(plinth, 'POST', SESSION, OWN, { code: `${code.slice(0, -1)}!` });
    assert.equal(wrong.status, 401);
    const begun = await ask(plinth, 'POST', SESSION, OWN, { code });
    assert.deepEqual([begun.status, begun.json.user.name], [201, 'admin']);
    const replayed = await ask(plinth, 'POST', SESSION, OWN, { code });
    assert.deepEqual([replayed.status, replayed.headers['set-cookie']], [401, undefined]);
    const headers = { ...OWN, cookie: cookieOf(begun) };
    assert.equal((await ask(plinth, 'GET', '/api/v1/secrets', headers)).status, 200);
    await ask(plinth, 'DELETE', SESSION, headers);
  });

  describe('do not count', () => {
    let cookie = '';
    before(async () => {
      cookie = cookieOf(await signIn());
      assert.deepEqual(await whoami(plinth, { ...OWN, cookie }), [201, 'ann']);
    });
    const refused: [string, () => Record<string, string>][] = [
      ['without the header of the console', () => ({})],
      ['from a foreign origin', () => ({ ...OWN, origin: 'https://evil.example' })],
      ['from an origin that CORS allows', () => ({ ...OWN, origin: 'https://friend.example' })],
      ['from the origin null', () => ({ ...OWN, origin: 'null' })],
      ['from the same host without TLS', () => ({ ...OWN, origin: plinth.url.replace('s:', ':') })],
      ['from another site, by Sec-Fetch-Site', () => ({ ...OWN, 'sec-fetch-site': 'cross-site' })],
      ['from a subdomain, by Sec-Fetch-Site', () => ({ ...OWN, 'sec-fetch-site': 'same-site' })],
    ];
    for (const [what, headers] of refused) {
      it(what, async () => {
        assert.deepEqual(await whoami(plinth, { ...headers(), cookie }), [401, undefined]);
      });
    }

    it('but do from the own origin', async () => {
      const headers = { ...OWN, origin: plinth.url, 'sec-fetch-site': 'same-origin' };
      assert.deepEqual(await whoami(plinth, { ...headers, cookie }), [201, 'ann']);
    });

    for (const [what, made] of [
      ['chosen by the client', `__Host-plinth-session=${'A'.repeat(59)}`],
      ['of another form', '__Host-plinth-session=../../etc'],
      ['that is empty', '__Host-plinth-session='],
      ['that is huge', `__Host-plinth-session=${'A'.repeat(40_000)}`],
    ] as const) {
      it(`with an id ${what}`, async () => {
        assert.deepEqual(await whoami(plinth, { ...OWN, cookie: made }), [401, undefined]);
      });
    }

    it('with two cookies, or behind a thousand others', async () => {
      const two = `${cookie}; __Host-plinth-session=${'B'.repeat(59)}`;
      assert.deepEqual(await whoami(plinth, { ...OWN, cookie: two }), [401, undefined]);
      const many = `${'a=b; '.repeat(1000)}${cookie}`;
      assert.deepEqual(await whoami(plinth, { ...OWN, cookie: many }), [401, undefined]);
    });
  });

  it('get another id at each sign-in, and the one before ends', async () => {
    const first = cookieOf(await signIn());
    const chosen = `__Host-plinth-session=${'C'.repeat(59)}`;
    const fixed = cookieOf(
      await ask(plinth, 'POST', SESSION, { ...OWN, cookie: chosen }, { token: ANN }),
    );
    assert.notEqual(fixed, chosen);
    const second = cookieOf(
      await ask(plinth, 'POST', SESSION, { ...OWN, cookie: first }, { token: ANN }),
    );
    assert.notEqual(second, first);
    assert.deepEqual(await whoami(plinth, { ...OWN, cookie: first }), [401, undefined]);
    assert.deepEqual(await whoami(plinth, { ...OWN, cookie: second }), [201, 'ann']);
  });

  it('begin and end for pages of this server alone', async () => {
    for (const headers of [
      {},
      { ...OWN, origin: 'https://evil.example' },
      { origin: plinth.url },
    ]) {
      const { status, headers: sent } = await ask(plinth, 'POST', SESSION, headers, { token: ANN });
      assert.deepEqual([status, sent['set-cookie']], [403, undefined]);
      assert.equal((await ask(plinth, 'DELETE', SESSION, headers)).status, 403);
    }
  });

  it('refuse bodies that are none', async () => {
    const bodies = [[], {}, { token: '' }, { token: 1 }, { code: {} }, { code: 'a', token: 'b' }];
    for (const body of bodies) {
      const { status } = await ask(plinth, 'POST', SESSION, OWN, body);
      assert.equal(status, 400, JSON.stringify(body));
    }
  });

  /** How the opening of a stream ends. */
  const opened = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const url = new URL(WATCH, plinth.url.replace('https', 'wss'));
      const socket = new WebSocket(url, { rejectUnauthorized: false, headers });
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('unexpected-response', (_, res) => {
        socket.terminate();
        resolve(String(res.statusCode));
      });
      socket.on('error', () => undefined);
    });

  it('open WebSockets from the own origin alone', async () => {
    const cookie = cookieOf(await signIn());
    assert.equal(await opened({ cookie, origin: plinth.url }), 'open');
    assert.equal(await opened({ cookie, origin: 'https://evil.example' }), '401');
    assert.equal(await opened({ cookie, origin: 'https://friend.example' }), '401');
    assert.equal(await opened({ cookie }), '401');
  });

  // mocha runs these after the groups above, which need the token and attempts that are left
  describe('in the end', () => {
    it('end, with their streams, when the token is not valid any more', async () => {
      const cookie = cookieOf(await signIn());
      writeFileSync(tokens, 'another-token-0123456789,bob,bob\n');
      await eventually(
        async () => (await whoami(plinth, { ...OWN, cookie }))[0] === 401,
        'the token is forgotten',
      );
      // it does not come back with the token
      writeFileSync(tokens, `${ANN},ann,ann\n`);
      await eventually(async () => (await signIn()).status === 201, 'the token is known again');
      assert.deepEqual(await whoami(plinth, { ...OWN, cookie }), [401, undefined]);
    });

    it('bounds how often one address tries', async () => {
      const statuses: number[] = [];
      while (statuses.length < 60 && !statuses.includes(429)) {
        statuses.push((await ask(plinth, 'POST', SESSION, OWN, { token: 'wrong' })).status);
      }
      assert.equal(statuses.at(-1), 429);
      const { headers } = await ask(plinth, 'POST', SESSION, OWN, { token: 'wrong' });
      assert.ok(Number(headers['retry-after']) > 0);
    });
  });
});
