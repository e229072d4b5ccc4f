import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../support/plinth.ts';
import { isRefused, People } from './people.ts';
import { Reviewer } from './reviewer.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const RBAC = { type: 'RBAC', name: 'roles' };

describe('--authorization-config', () => {
  let directory: string;
  let reviewer: Reviewer;
  let people: People;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-authorization-'));
    reviewer = await Reviewer.start();
  });
  afterEach(async () => {
    await people.dispose();
    await reviewer.server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const webhook = (more: object = {}): object => ({
    type: 'Webhook',
    name: 'hook.example.com',
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: reviewer.kubeconfig(directory) },
      ...more,
    },
  });
  const write = (...authorizers: object[]): string => {
    const file = join(directory, 'authorization.yaml');
    const apiVersion = 'apiserver.config.cluster.io/v1';
    writeFileSync(file, stringify({ apiVersion, kind: 'AuthorizationConfiguration', authorizers }));
    return file;
  };
  const start = async (...authorizers: object[]): Promise<void> => {
    const args = ['--authorization-config', write(...authorizers)];
    people = await People.start({ alice: [], bob: [] }, { args });
  };
  const conditions = (...expressions: string[]): object => ({
    matchConditions: expressions.map((expression) => ({ expression })),
  });

  it('calls the configured authorizers in order', async () => {
    reviewer.answer = ({ user }) => (user === 'bob' ? { allowed: true } : { denied: true });
    await start(webhook(), RBAC);
    await people.grant('alice', 'cluster-admin');
    assert.ok(isRefused(await people.as('alice', 'GET', LEASES)));
    assert.equal((await people.as('bob', 'GET', LEASES)).status, 200);
    assert.equal((await people.plinth.get(LEASES)).status, 200, 'administrators always may');
  });

  it('calls a webhook only for requests that match all conditions', async () => {
    reviewer.answer = () => ({ allowed: true });
    await start(
      webhook(
        conditions(
          'has(request.resourceAttributes)',
          "request.resourceAttributes.namespace == 'default' && request.resourceAttributes.name == ''",
          "request.user != 'bob' && !('bobs' in request.groups) && request.extra.size() == 0",
          "request.resourceAttributes.?labelSelector.requirements.orValue([]).all(r, r.key == 'team')",
        ),
      ),
      RBAC,
    );
    const statusOf = async (user: string, path: string): Promise<number> =>
      (await people.as(user, 'GET', path)).status;
    assert.equal(await statusOf('alice', LEASES), 200);
    assert.equal(await statusOf('alice', `${LEASES}?labelSelector=team%3Da`), 200);
    assert.equal(await statusOf('alice', `${LEASES}?labelSelector=other`), 403);
    assert.equal(await statusOf('alice', `${LEASES}/x`), 403);
    assert.equal(await statusOf('alice', '/metrics'), 403);
    assert.equal(await statusOf('bob', LEASES), 403);
    assert.equal(reviewer.asked.length, 2);
  });

  it('lets the failure policy decide when a condition has no value and none is false', async () => {
    const path = "request.nonResourceAttributes.path.startsWith('/m')";
    reviewer.answer = () => ({ allowed: true });
    await start(webhook({ failurePolicy: 'Deny', ...conditions(path) }), RBAC);
    await people.grant('alice', 'cluster-admin');
    assert.equal((await people.as('alice', 'GET', '/metrics')).status, 200);
    const failed = await people.as('alice', 'GET', LEASES);
    assert.equal(failed.status, 500);
    assert.doesNotMatch(failed.text, /startsWith|no such key/);
    write(webhook({ failurePolicy: 'Deny', ...conditions(path, "request.user == 'bob'") }), RBAC);
    await eventually(
      async () => (await people.as('alice', 'GET', LEASES)).status === 200,
      'the condition that is false',
    );
    write(webhook(conditions(path)), { type: 'AlwaysDeny', name: 'never' });
    await eventually(
      async () => (await people.as('alice', 'GET', '/version')).status !== 200,
      'the other authorizers',
    );
    assert.equal((await people.as('alice', 'GET', LEASES)).status, 500);
  });

  it('lets the failure policy decide when the webhook fails', async () => {
    reviewer.answer = (_, response) => void response.destroy();
    await start(webhook(), RBAC);
    await people.grant('alice', 'cluster-admin');
    assert.equal((await people.as('alice', 'GET', LEASES)).status, 200);
    write(webhook({ failurePolicy: 'Deny' }), RBAC);
    await eventually(
      async () => (await people.as('alice', 'GET', LEASES)).status === 500,
      'the policy Deny',
    );
  });

  it('sets how long decisions are cached', async () => {
    reviewer.answer = () => ({ allowed: true });
    await start(webhook({ authorizedTTL: '1h', cacheUnauthorizedRequests: false }));
    for (let i = 0; i < 3; i++) await people.as('alice', 'GET', LEASES);
    assert.equal(reviewer.asked.length, 1);
    reviewer.answer = () => ({ allowed: false });
    for (let i = 0; i < 3; i++) assert.ok(isRefused(await people.as('bob', 'GET', LEASES)));
    assert.equal(reviewer.asked.length, 4);
  });

  it('is reloaded when it changes, and the previous one is kept when the new one is invalid', async () => {
    await start(RBAC);
    assert.ok(isRefused(await people.as('alice', 'GET', LEASES)));
    write({ type: 'Unknown', name: 'x' });
    await eventually(() => people.plinth.output.includes('cannot be used'), 'the complaint');
    assert.ok(isRefused(await people.as('alice', 'GET', LEASES)));
    write({ type: 'AlwaysAllow', name: 'all-users' });
    await eventually(
      async () => (await people.as('alice', 'GET', LEASES)).status === 200,
      'the new configuration',
    );
  });
});
