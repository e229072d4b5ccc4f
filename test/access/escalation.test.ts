import assert from 'node:assert/strict';
import { RawClient, head } from '../support/raw-client.ts';
import { eventually } from '../support/plinth.ts';
import { isRefused, People, rule, tokenOf } from './people.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const WHOAMI = '/apis/authentication.cluster.io/v1/selfsubjectreviews';
const TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Classes of public vulnerabilities of such servers, by their names (docs/security.md). */
describe('classes of vulnerabilities', () => {
  let people: People;
  before(async () => {
    people = await People.start({ alice: [], bob: [], dora: [] });
    await people.namespace('team');
  });
  after(() => people.dispose());

  describe('impersonation escalation', () => {
    const become = async (headers: Record<string, string>) =>
      people.as('alice', 'POST', WHOAMI, {}, headers);
    before(async () => {
      const group = 'authentication.cluster.io';
      await people.clusterRole('be-some', [
        rule('impersonate', '', 'users', 'bob'),
        rule('impersonate', '', 'groups', 'viewers'),
        rule('impersonate', group, 'uids', '7'),
        rule('impersonate', group, 'userextras/scopes', 'read'),
      ]);
      await people.grant('alice', 'be-some');
      await people.clusterRole('be-limited', [
        rule('impersonate:user-info', group, 'users groups'),
        rule('impersonate-on:user-info:create', group, 'selfsubjectreviews'),
      ]);
      await people.grant('dora', 'be-limited');
    });

    it('impersonation escalation: every part of the user needs a right of its own', async () => {
      const user = { 'impersonate-user': 'bob' };
      const allowed = await become({
        ...user,
        'impersonate-group': 'viewers',
        'impersonate-uid': '7',
        'impersonate-extra-scopes': 'read',
      });
      assert.equal(allowed.status, 201, allowed.text);
      for (const more of [
        { 'impersonate-user': 'root' },
        { ...user, 'impersonate-group': 'system:masters' },
        { ...user, 'impersonate-uid': '8' },
        { ...user, 'impersonate-extra-scopes': 'write' },
        { ...user, 'impersonate-extra-other': 'read' },
        { 'impersonate-user': 'system:serviceaccount:team:bob' },
        { 'impersonate-user': 'system:node:bob' },
      ]) {
        const reply = await become(more);
        assert.ok(isRefused(reply), `${JSON.stringify(more)}: ${reply.text}`);
      }
    });

    it('one of several groups that is not allowed refuses all', async () => {
      const client = await RawClient.open(people.plinth.url);
      client.send(
        head('GET', '/api', {
          authorization: `Bearer ${tokenOf('alice')}`,
          'Impersonate-User': 'bob',
          'Impersonate-Group': 'viewers',
        }).replace('\r\n\r\n', '\r\nImpersonate-Group: system:masters\r\n\r\n'),
      );
      await eventually(() => client.status !== undefined, 'an answer');
      assert.equal(client.status, 403);
      client.close();
    });

    it('a limited right never reaches the group of all rights, however wide it is', async () => {
      const as = (headers: Record<string, string>) =>
        people.as('dora', 'POST', WHOAMI, {}, headers);
      assert.equal((await as({ 'impersonate-user': 'x', 'impersonate-group': 'y' })).status, 201);
      const masters = { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' };
      assert.ok(isRefused(await as(masters)));
      const elsewhere = { 'impersonate-user': 'x' };
      assert.ok(isRefused(await people.as('dora', 'GET', '/api/v1/nodes', undefined, elsewhere)));
    });

    it('a part of a user without a name is a bad request, not the requester', async () => {
      for (const name of ['group', 'uid', 'extra-scopes']) {
        const reply = await people.plinth.send(
          'POST',
          WHOAMI,
          {},
          { [`impersonate-${name}`]: 'x' },
        );
        assert.equal(reply.status, 400, name);
      }
    });

    it('an impersonating user has only the rights of the impersonated one', async () => {
      const headers = { 'impersonate-user': 'guest' };
      assert.ok(isRefused(await people.plinth.send('GET', '/api/v1/nodes', undefined, headers)));
    });
  });

  describe('RBAC escalation and bind', () => {
    const more = [rule('get delete', '', 'nodes')];
    before(async () => {
      await people.clusterRole(
        'hand-out',
        [
          rule(
            '*',
            'rbac.authorization.cluster.io',
            'roles rolebindings clusterroles clusterrolebindings',
          ),
        ].map((each) => ({ ...each, verbs: ['get', 'list', 'create', 'update', 'patch'] })),
      );
      await people.grant('bob', 'hand-out');
      await people.make('POST', `${RBAC}/clusterroles`, { metadata: { name: 'empty' }, rules: [] });
      await people.role('team', 'empty', []);
      await people.make('POST', `${RBAC}/namespaces/team/rolebindings`, {
        metadata: { name: 'to-edit' },
        roleRef: { kind: 'ClusterRole', name: 'edit' },
        subjects: [],
      });
    });

    const refusesToGrant = (
      { status, json }: { status: number; json: any },
      what: string,
    ): void => {
      assert.equal(status, 403, what);
      assert.match(json.message, /attempting to grant RBAC permissions not currently held/, what);
    };

    it('a role is refused by every way to write it, under both names of its group', async () => {
      for (const domain of ['cluster.io', 'k8s.io']) {
        const group = `rbac.authorization.${domain}`;
        const roles = `/apis/${group}/v1/namespaces/team/roles`;
        const made = {
          apiVersion: `${group}/v1`,
          kind: 'Role',
          metadata: { name: 'mine' },
          rules: more,
        };
        refusesToGrant(await people.as('bob', 'POST', roles, made), 'create');
        refusesToGrant(await people.as('bob', 'POST', `${roles}?dryRun=All`, made), 'dry run');
        refusesToGrant(await people.as('bob', 'PUT', `${roles}/mine`, made), 'create by update');
        const changed = { ...made, metadata: { name: 'empty' } };
        refusesToGrant(await people.as('bob', 'PUT', `${roles}/empty`, changed), 'update');
        for (const [name, type] of Object.entries(TYPES)) {
          const patch =
            name === 'json'
              ? [{ op: 'add', path: '/rules', value: more }]
              : name === 'apply'
                ? changed
                : { rules: more };
          const force = name === 'apply' ? '&force=true' : '';
          const path = `${roles}/empty?fieldManager=x${force}`;
          const reply = await people.as('bob', 'PATCH', path, patch, {
            'content-type': type,
          });
          refusesToGrant(reply, name);
        }
      }
      const { json } = await people.plinth.get(`${RBAC}/namespaces/team/roles/empty`);
      assert.equal(json.rules, null);
    });

    it('a ClusterRole that others flow into, or that flows into others, is refused as well', async () => {
      const roles = `${RBAC}/clusterroles`;
      const labels = { 'rbac.authorization.cluster.io/aggregate-to-view': 'true' };
      refusesToGrant(
        await people.as('bob', 'POST', roles, { metadata: { name: 'flows', labels }, rules: more }),
        'a part of view',
      );
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
      for (const reply of [
        await people.as('bob', 'POST', roles, {
          metadata: { name: 'whole' },
          rules: [],
          aggregationRule,
        }),
        await people.as(
          'bob',
          'PATCH',
          `${roles}/empty`,
          { aggregationRule },
          { 'content-type': TYPES.merge },
        ),
      ]) {
        assert.equal(reply.status, 403);
        assert.match(reply.json.message, /cluster-admin privileges to use the aggregationRule/);
      }
    });

    it('a binding to a role with permissions that the user lacks is refused, and so is adding a subject', async () => {
      const bindings = `${RBAC}/namespaces/team/rolebindings`;
      const subjects = [{ kind: 'User', name: 'bob' }];
      for (const name of ['cluster-admin', 'edit']) {
        const made = {
          metadata: { name: 'mine' },
          roleRef: { kind: 'ClusterRole', name },
          subjects,
        };
        refusesToGrant(await people.as('bob', 'POST', bindings, made), name);
        const everywhere = `${RBAC}/clusterrolebindings`;
        refusesToGrant(await people.as('bob', 'POST', everywhere, made), `${name} everywhere`);
        refusesToGrant(
          await people.as('bob', 'PUT', `${everywhere}/mine`, made),
          'create by update',
        );
      }
      const patch = await people.as(
        'bob',
        'PATCH',
        `${bindings}/to-edit`,
        { subjects },
        {
          'content-type': TYPES.merge,
        },
      );
      refusesToGrant(patch, 'a patch of subjects');
      const masters = [{ kind: 'Group', name: 'system:masters' }];
      const missing = {
        metadata: { name: 'soon' },
        roleRef: { kind: 'Role', name: 'soon' },
        subjects: masters,
      };
      assert.equal(
        (await people.as('bob', 'POST', bindings, missing)).status,
        404,
        'a role to come',
      );
    });

    it('users can grant the permissions they hold', async () => {
      const held = {
        verbs: ['get'],
        apiGroups: ['rbac.authorization.cluster.io'],
        resources: ['roles'],
      };
      const reply = await people.as('bob', 'POST', `${RBAC}/namespaces/team/roles`, {
        metadata: { name: 'held' },
        rules: [held],
      });
      assert.equal(reply.status, 201, reply.text);
    });
  });
});
