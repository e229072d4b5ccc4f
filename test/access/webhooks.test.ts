import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/plinth.ts';
import { isRefused, People, tokenOf } from './people.ts';
import { Reviewer } from './reviewer.ts';

const WHOAMI = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

describe('webhooks that are asked about requests', () => {
  let directory: string;
  let reviewer: Reviewer;
  let people: People;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-hooks-'));
    reviewer = await Reviewer.start();
  });
  afterEach(async () => {
    await people.dispose();
    await reviewer.server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  describe('about tokens', () => {
    const start = async (...args: string[]): Promise<void> => {
      const file = reviewer.kubeconfig(directory);
      people = await People.start(
        { alice: [] },
        { args: ['--authentication-token-webhook-config-file', file, ...args] },
      );
    };
    const whoami = (token: string) =>
      people.plinth.send('POST', WHOAMI, {}, { authorization: `Bearer ${token}` });

    it('authenticate the user, and are called again after the cache expires', async () => {
      const user = { username: 'dora', uid: '7', groups: ['g'], extra: { 'example.com/a': ['b'] } };
      reviewer.answer = ({ token }) => ({ authenticated: token === 'opaque', user });
      await start();
      const replies = await Promise.all(Array.from({ length: 5 }, () => whoami('opaque')));
      for (const { json } of replies) {
        assert.deepEqual(json.status.userInfo, { ...user, groups: ['g', 'system:authenticated'] });
      }
      assert.equal((await whoami('another')).status, 401);
      assert.equal((await whoami('another')).status, 401);
      assert.deepEqual(
        reviewer.asked.map(({ apiVersion, kind, spec }) => [apiVersion, kind, spec]),
        ['opaque', 'another'].map((token) => [
          'authentication.k8s.io/v1',
          'TokenReview',
          { token },
        ]),
      );
      assert.equal(reviewer.server.requests[0]!.url, '/reviews');
      assert.equal(reviewer.server.requests[0]!.headers.authorization, 'Bearer token-of-plinth');
    });

    it('name no user of thousands of groups, and answer no more than they may', async () => {
      const many = (n: number): string[] => Array.from({ length: n }, (_, i) => `g${i}`);
      const users: Record<string, object> = {
        most: { username: 'dora', groups: many(4_998), extra: { a: ['b'] } },
        groups: { username: 'dora', groups: many(5_001) },
        extra: { username: 'dora', extra: Object.fromEntries(many(2_501).map((k) => [k, ['v']])) },
        fields: { username: 'dora', unknown: many(10_001).map(() => []) },
      };
      reviewer.answer = ({ token }) => ({ authenticated: true, user: users[token] });
      await start();
      const codes: Record<string, number> = {};
      for (const token of Object.keys(users)) codes[token] = (await whoami(token)).status;
      assert.deepEqual(codes, { most: 201, groups: 401, extra: 401, fields: 401 });
    });

    it('are not asked about tokens that the server itself knows', async () => {
      await start();
      assert.equal((await people.as('alice', 'POST', WHOAMI, {})).status, 201);
      assert.equal(reviewer.asked.length, 0);
    });

    it('refuse all tokens when they fail, and are retried', async () => {
      reviewer.fail({});
      await start();
      assert.equal((await whoami('opaque')).status, 401);
      reviewer.answer = () => ({ authenticated: true, user: {} });
      assert.equal((await whoami('opaque')).status, 401, 'a user without a name');
      reviewer.answer = () => ({ authenticated: true, user: { username: 'dora' } });
      assert.equal((await whoami('opaque')).status, 201);
    });

    it('are accepted only with an audience of this server', async () => {
      reviewer.answer = ({ token }) => ({
        authenticated: true,
        user: { username: 'dora' },
        audiences: [token],
      });
      await start('--api-audiences', 'plinth');
      assert.equal((await whoami('plinth')).status, 201);
      assert.equal((await whoami('elsewhere')).status, 401);
      assert.deepEqual(reviewer.asked[0].spec.audiences, ['plinth']);
      const review = await people.plinth.send(
        'POST',
        '/apis/authentication.cluster.io/v1/tokenreviews',
        {
          spec: { token: 'b', audiences: ['a', 'b'] },
        },
      );
      assert.deepEqual(review.json.status.audiences, ['b']);
    });
  });

  describe('about permissions', () => {
    const start = async (modes: string): Promise<void> => {
      const file = reviewer.kubeconfig(directory);
      people = await People.start(
        { alice: ['developers'], bob: [] },
        { args: ['--authorization-mode', modes, '--authorization-webhook-config-file', file] },
      );
    };

    it('receive all attributes of request and user, and decide', async () => {
      reviewer.answer = ({ user }) => ({ allowed: user === 'alice', reason: 'by name' });
      await start('Webhook');
      assert.equal((await people.as('alice', 'GET', `${LEASES}?labelSelector=a%3Db`)).status, 200);
      const refused = await people.as('bob', 'GET', '/metrics');
      assert.ok(isRefused(refused));
      assert.match(refused.json.message, /cannot get path "\/metrics": by name$/);
      assert.deepEqual(
        reviewer.asked.map(({ apiVersion, kind, spec }) => ({ apiVersion, kind, ...spec })),
        [
          {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            user: 'alice',
            uid: 'uid-alice',
            groups: ['developers', 'system:authenticated'],
            resourceAttributes: {
              namespace: 'default',
              verb: 'list',
              group: 'coordination.cluster.io',
              version: 'v1',
              resource: 'leases',
              labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
            },
          },
          {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SubjectAccessReview',
            user: 'bob',
            uid: 'uid-bob',
            groups: ['system:authenticated'],
            nonResourceAttributes: { path: '/metrics', verb: 'get' },
          },
        ],
      );
    });

    it('are asked once about the same thing, and not about administrators', async () => {
      reviewer.answer = () => ({ allowed: true });
      await start('Webhook');
      for (let i = 0; i < 3; i++) await people.as('alice', 'GET', LEASES);
      await people.plinth.get(LEASES);
      assert.equal(reviewer.asked.length, 1);
    });

    it('deny a request even when a later role would allow it', async () => {
      reviewer.answer = () => ({ allowed: false, denied: true, reason: 'never' });
      await start('Webhook,RBAC');
      await people.grant('alice', 'cluster-admin');
      assert.ok(isRefused(await people.as('alice', 'GET', LEASES)));
      const review = await people.plinth.send(
        'POST',
        '/apis/authorization.cluster.io/v1/subjectaccessreviews',
        { spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'nodes' } } },
      );
      assert.deepEqual(review.json.status, { allowed: false, denied: true, reason: 'never' });
    });

    it('that fail are a 500 unless another authorizer allows the request', async () => {
      reviewer.answer = (_, response) => void response.destroy();
      await start('Webhook,RBAC');
      await people.grant('alice', 'view');
      assert.equal((await people.as('alice', 'GET', LEASES)).status, 200);
      const failed = await people.as('bob', 'GET', LEASES);
      assert.equal(failed.status, 500);
      assert.doesNotMatch(failed.text, /127\.0\.0\.1|reviews/);
      reviewer.answer = () => ({ allowed: true });
      await eventually(async () => (await people.as('bob', 'GET', LEASES)).status === 200, 'a 200');
    });
  });

  describe('are reloaded when their kubeconfig changes', () => {
    let other: Reviewer;
    const remembering = [
      ...['--authentication-token-webhook-cache-ttl', '3600'],
      ...['--authorization-webhook-cache-unauthorized-ttl', '3600'],
      ...['--authorization-mode', 'Webhook'],
    ];
    const start = async (user?: object): Promise<void> => {
      const file = reviewer.kubeconfig(directory, user);
      people = await People.start(
        { alice: [] },
        {
          args: [
            ...['--authentication-token-webhook-config-file', file],
            ...['--authorization-webhook-config-file', file, ...remembering],
          ],
        },
      );
    };
    beforeEach(async () => (other = await Reviewer.start()));
    afterEach(() => other.server.close());

    it('and drop their cached decisions', async () => {
      reviewer.answer = () => ({ authenticated: false, allowed: false });
      await start();
      const asDora = () => people.plinth.get(LEASES, { authorization: 'Bearer opaque' });
      assert.equal((await asDora()).status, 401);
      assert.ok(isRefused(await people.as('alice', 'GET', LEASES)));
      writeFileSync(join(directory, 'webhook.kubeconfig'), 'contexts: nonsense');
      await eventually(() => people.plinth.output.includes('cannot be used'), 'the complaint');
      assert.equal((await asDora()).status, 401);
      other.answer = () => ({ authenticated: true, user: { username: 'dora' }, allowed: true });
      other.kubeconfig(directory);
      await eventually(async () => (await asDora()).status === 200, 'the other server');
      assert.equal((await people.as('alice', 'GET', LEASES)).status, 200);
    });

    it('together with the files that it names', async () => {
      const token = (text: string): void => writeFileSync(join(directory, 'token'), text);
      token('first');
      reviewer.answer = () => ({ authenticated: true, user: { username: 'dora' }, allowed: true });
      await start({ tokenFile: 'token' });
      let asked = 0;
      const shown = async (): Promise<(string | undefined)[]> => {
        const from = reviewer.server.requests.length;
        await people.plinth.get(`/version?${asked}`, { authorization: `Bearer opaque-${asked++}` });
        await people.as('alice', 'GET', `${LEASES}/l-${asked}`);
        return reviewer.server.requests.slice(from).map(({ headers }) => headers.authorization);
      };
      assert.deepEqual(new Set(await shown()), new Set(['Bearer first']));
      token('second');
      await eventually(
        async () => (await shown()).every((header) => header === 'Bearer second'),
        'the second token',
      );
    });
  });

  it('no secret of theirs and none of clients is in the log', async () => {
    reviewer.fail({ secret: 'answer-secret' });
    const file = reviewer.kubeconfig(directory);
    people = await People.start(
      { alice: [] },
      {
        args: [
          ...['--authentication-token-webhook-config-file', file, '--log-level', 'trace'],
          ...['--authorization-mode', 'Webhook', '--authorization-webhook-config-file', file],
        ],
      },
    );
    const headers = { authorization: 'Bearer client-secret-token' };
    await people.plinth.send('GET', LEASES, undefined, headers);
    await people.as('alice', 'GET', LEASES);
    await people.as('alice', 'POST', '/apis/authentication.cluster.io/v1/tokenreviews', {
      spec: { token: 'reviewed-secret-token' },
    });
    await people.plinth.stop();
    assert.match(people.plinth.output, /leases/, 'requests are logged');
    for (const secret of [
      'client-secret',
      'reviewed-secret',
      'answer-secret',
      'token-of-plinth',
      tokenOf('alice'),
    ]) {
      assert.ok(!people.plinth.output.includes(secret), secret);
    }
  });
});
