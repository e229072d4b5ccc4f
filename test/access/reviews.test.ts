import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { People, rule, tokenOf } from './people.ts';

const run = promisify(execFile);
const LEASES = { group: 'coordination.cluster.io', resource: 'leases', namespace: 'team' };

describe('reviews', () => {
  let people: People;
  before(async () => {
    people = await People.start({ alice: ['developers'], bob: [], delegate: [] });
    await people.namespace('team');
    await people.clusterRole('reader', [
      rule('get list', 'coordination.cluster.io', 'leases'),
      rule('get', 'coordination.cluster.io', 'leasecandidates', 'one'),
    ]);
    await people.grant('alice', 'reader', 'team');
    await people.grant('delegate', 'system:auth-delegator');
  });
  after(() => people.dispose());

  const post = (user: string, path: string, body: object) => people.as(user, 'POST', path, body);

  for (const domain of ['cluster.io', 'k8s.io']) {
    const root = `/apis/authorization.${domain}/v1`;

    it(`answer in the name that they were asked by: ${domain}`, async () => {
      const spec = { resourceAttributes: { ...LEASES, verb: 'get' } };
      const { status, json } = await post('alice', `${root}/selfsubjectaccessreviews`, {
        apiVersion: `authorization.${domain}/v1`,
        kind: 'SelfSubjectAccessReview',
        spec,
      });
      assert.equal(status, 201);
      assert.equal(json.apiVersion, `authorization.${domain}/v1`);
      assert.deepEqual(json.spec, spec);
      assert.equal(json.status.allowed, true);
      const who = await post('alice', `/apis/authentication.${domain}/v1/selfsubjectreviews`, {});
      assert.equal(who.json.apiVersion, `authentication.${domain}/v1`);
      assert.deepEqual(who.json.status.userInfo, {
        username: 'alice',
        uid: 'uid-alice',
        groups: ['developers', 'system:authenticated'],
      });
    });

    it(`groups of resources match under either name: ${domain}`, async () => {
      const resourceAttributes = { ...LEASES, group: `coordination.${domain}`, verb: 'get' };
      const { json } = await post('alice', `${root}/selfsubjectaccessreviews`, {
        spec: { resourceAttributes },
      });
      assert.equal(json.status.allowed, true);
    });
  }

  it('a SubjectAccessReview is about whom it names, not about who sends it', async () => {
    const allowed = async (spec: object): Promise<boolean> => {
      const path = '/apis/authorization.cluster.io/v1/subjectaccessreviews';
      const { status, json } = await post('delegate', path, { spec });
      assert.equal(status, 201, JSON.stringify(json));
      return json.status.allowed;
    };
    const resourceAttributes = { ...LEASES, verb: 'list' };
    assert.equal(await allowed({ user: 'alice', resourceAttributes }), true);
    assert.equal(await allowed({ user: 'bob', resourceAttributes }), false);
    assert.equal(await allowed({ groups: ['system:masters'], resourceAttributes }), true);
    const discovery = { nonResourceAttributes: { path: '/apis/x', verb: 'get' } };
    assert.equal(await allowed({ groups: ['system:authenticated'], ...discovery }), true);
    assert.equal(await allowed({ groups: ['system:unauthenticated'], ...discovery }), false);
  });

  it('a LocalSubjectAccessReview is about its own namespace', async () => {
    await people.grant('bob', 'admin', 'team');
    const path = '/apis/authorization.cluster.io/v1/namespaces/team/localsubjectaccessreviews';
    const resourceAttributes = { ...LEASES, verb: 'get' };
    const { status, json } = await post('bob', path, {
      spec: { user: 'alice', resourceAttributes },
    });
    assert.equal(status, 201);
    assert.equal(json.status.allowed, true);
    const elsewhere = { ...resourceAttributes, namespace: 'default' };
    const refused = await post('bob', path, {
      spec: { user: 'alice', resourceAttributes: elsewhere },
    });
    assert.equal(refused.status, 422);
    assert.deepEqual(
      refused.json.details.causes.map((cause: { field: string }) => cause.field),
      ['spec.resourceAttributes.namespace'],
    );
    const paths = { user: 'alice', nonResourceAttributes: { path: '/', verb: 'get' } };
    assert.equal((await post('bob', path, { spec: paths })).status, 422);
  });

  it('nothing is stored, and nothing else may be done with them', async () => {
    for (const resource of ['subjectaccessreviews', 'selfsubjectaccessreviews']) {
      const path = `/apis/authorization.cluster.io/v1/${resource}`;
      assert.equal((await people.plinth.get(path)).status, 405);
      assert.equal((await people.plinth.send('DELETE', path)).status, 405);
      assert.equal((await people.plinth.get(`${path}/x`)).status, 404);
    }
  });

  it('each alias of a group is found in discovery', async () => {
    const group = await people.plinth.get('/apis/rbac.authorization.k8s.io');
    assert.equal(group.json.name, 'rbac.authorization.k8s.io');
    assert.equal(group.json.preferredVersion.groupVersion, 'rbac.authorization.k8s.io/v1');
    const list = await people.plinth.get('/apis/rbac.authorization.k8s.io/v1');
    assert.equal(list.json.groupVersion, 'rbac.authorization.k8s.io/v1');
    assert.equal((await people.plinth.get('/apis/flowcontrol.apiserver.k8s.io')).status, 404);
  });

  it('roles under the alias of their group are the same roles, in every form', async () => {
    const [first, second] = ['cluster.io', 'k8s.io'].map(
      (domain) => `/apis/rbac.authorization.${domain}/v1/namespaces/team/rolebindings`,
    ) as [string, string];
    const k8s = 'rbac.authorization.k8s.io';
    const made = await people.make('POST', second, {
      apiVersion: `${k8s}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'named' },
      roleRef: { apiGroup: k8s, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', apiGroup: k8s, name: 'carol' }],
    });
    assert.equal(made.json.apiVersion, `${k8s}/v1`);
    assert.equal(made.json.roleRef.apiGroup, k8s);
    const stored = (await people.plinth.get(`${first}/named`)).json;
    assert.equal(stored.apiVersion, 'rbac.authorization.cluster.io/v1');
    assert.equal(stored.roleRef.apiGroup, 'rbac.authorization.cluster.io');
    assert.equal(stored.subjects[0].apiGroup, 'rbac.authorization.cluster.io');
    assert.equal(stored.metadata.managedFields[0].apiVersion, stored.apiVersion);
    const listed = (await people.plinth.get(second)).json;
    assert.equal(listed.apiVersion, `${k8s}/v1`);
    const item = listed.items.find((each: any) => each.metadata.name === 'named');
    assert.equal(item.subjects[0].apiGroup, k8s);
    assert.equal(item.metadata.uid, stored.metadata.uid);
    const frames: any[] = [];
    const watches = await Promise.all(
      [first, second].map((path) =>
        people.plinth.watch(`${path}?watch=1&fieldSelector=metadata.name=named`, (frame) =>
          frames.push(frame),
        ),
      ),
    );
    while (frames.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { close } of watches) close();
    assert.deepEqual(frames.map(({ object }) => object.roleRef.apiGroup).sort(), [
      'rbac.authorization.cluster.io',
      k8s,
    ]);
  });

  describe('kubectl, as it is', () => {
    /** `can-i` says no by its exit code, too. */
    const kubectl = async (user: string, ...args: string[]): Promise<string> => {
      try {
        return (await run('kubectl', [...args, '--kubeconfig', configOf(user)])).stdout;
      } catch (error) {
        const { code, stdout } = error as { code?: number; stdout?: string };
        if (code !== 1 || stdout === undefined) throw error;
        return stdout;
      }
    };
    const configOf = (user: string): string => {
      const file = join(people.directory, `${user}.kubeconfig`);
      const name = 'plinth';
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [
          { name, cluster: { server: people.plinth.url, 'insecure-skip-tls-verify': true } },
        ],
        users: [{ name, user: { token: tokenOf(user) } }],
        contexts: [{ name, context: { cluster: name, user: name } }],
        'current-context': name,
      };
      writeFileSync(file, stringify(config));
      return file;
    };
    const admin = (...args: string[]) =>
      run('kubectl', [...args, '--kubeconfig', people.plinth.kubeconfig]);

    it('auth can-i says yes and no', async () => {
      const canI = (...args: string[]) => kubectl('alice', 'auth', 'can-i', ...args);
      assert.equal(await canI('list', 'leases', '-n', 'team'), 'yes\n');
      assert.equal(await canI('delete', 'leases', '-n', 'team'), 'no\n');
      assert.equal(await canI('list', 'leases', '-A'), 'no\n');
      assert.equal(await canI('get', '/version'), 'yes\n');
    });

    it('auth can-i --list lists the rights of a namespace', async () => {
      const list = await kubectl('alice', 'auth', 'can-i', '--list', '-n', 'team');
      assert.match(list, /leases\.coordination\.k8s\.io +\[\] +\[\] +\[get list\]/);
      assert.match(list, /leasecandidates\.coordination\.k8s\.io +\[\] +\[one\] +\[get\]/);
      const other = await kubectl('alice', 'auth', 'can-i', '--list', '-n', 'default');
      assert.doesNotMatch(other, /leases/);
    });

    it('auth whoami shows name, uid and groups', async () => {
      const who = await kubectl('alice', 'auth', 'whoami');
      assert.match(
        who,
        /Username +alice\nUID +uid-alice\nGroups +\[developers system:authenticated\]/,
      );
    });

    it('create clusterrole, clusterrolebinding, role and rolebinding make what counts', async () => {
      await admin('create', 'clusterrole', 'cleaner', '--verb=delete', '--resource=leases');
      await admin('create', 'clusterrolebinding', 'cleaner', '--clusterrole=cleaner', '--user=bob');
      await admin('-n', 'team', 'create', 'role', 'maker', '--verb=create', '--resource=leases');
      await admin(
        '-n',
        'team',
        'create',
        'rolebinding',
        'maker',
        '--role=maker',
        '--group=developers',
      );
      assert.equal(await kubectl('bob', 'auth', 'can-i', 'delete', 'leases', '-A'), 'yes\n');
      assert.equal(
        await kubectl('alice', 'auth', 'can-i', 'create', 'leases', '-n', 'team'),
        'yes\n',
      );
      assert.equal(await kubectl('alice', 'auth', 'can-i', 'create', 'leases'), 'no\n');
    });
  });
});
