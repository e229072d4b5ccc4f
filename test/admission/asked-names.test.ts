import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { AdmissionWebhooks, patchWith, Registrations } from '../support/admission-webhook.ts';
import { Plinth } from '../support/plinth.ts';
import { configuration, jsonPatch, mutatingPolicy, validatingPolicy } from '../support/policies.ts';

const NAMES = ['coordination.cluster.io', 'coordination.k8s.io'] as const;
const [NEUTRAL, ALIAS] = NAMES;
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const LEASE = { kind: 'Lease', metadata: { name: 'asked' }, spec: { holderIdentity: 'a' } };
const leases = (group: string): string => `/apis/${group}/v1/namespaces/default/leases`;

describe('webhooks and policies are asked in the name of the group that their rule uses', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });
  afterEach(async () => {
    await registrations.clear();
    for (const name of ['asked', 'bound'])
      await plinth.send('DELETE', `${leases(NEUTRAL)}/${name}`);
    webhooks.reset();
  });

  const rule = (...apiGroups: string[]) => ({
    operations: ['*'],
    apiGroups,
    apiVersions: ['*'],
    resources: ['leases'],
  });
  const hook = (path: string, ...groups: string[]) =>
    webhooks.hook(path, { rules: [rule(...groups)] });
  const create = (group: string, query = '') =>
    plinth.send('POST', leases(group) + query, { apiVersion: `${group}/v1`, ...LEASE });
  const apply = (group: string, holderIdentity: string) =>
    plinth.send(
      'PATCH',
      `${leases(group)}/asked?fieldManager=m`,
      { apiVersion: `${group}/v1`, ...LEASE, spec: { holderIdentity } },
      APPLY,
    );
  const managersOf = ({ metadata }: any): string[] => [
    ...new Set<string>(metadata.managedFields.map(({ apiVersion }: any) => apiVersion)),
  ];

  it('a review names the group so in every field', async () => {
    for (const group of NAMES) {
      await registrations.webhooks('validating', 'reviews', hook('/reviewed', group));
      for (const asked of NAMES) {
        assert.equal((await apply(asked, 'a')).status, 201);
        assert.equal((await apply(asked, 'b')).status, 200);
        assert.equal((await plinth.send('DELETE', `${leases(asked)}/asked`)).status, 200);
        const reviews = webhooks.reviews();
        assert.equal(reviews.length, 3, `${group}, ${asked}`);
        for (const { apiVersion, request } of reviews) {
          assert.equal(apiVersion, `${group.replace('coordination', 'admission')}/v1`);
          for (const field of ['kind', 'resource', 'requestKind', 'requestResource']) {
            assert.equal(request[field].group, group, field);
          }
          for (const object of [request.object, request.oldObject]) {
            if (object === null) continue;
            assert.deepEqual(
              [object.apiVersion, managersOf(object)],
              [`${group}/v1`, [`${group}/v1`]],
            );
          }
        }
      }
      await registrations.clear();
    }
  });

  it('by the neutral name where a rule covers both', async () => {
    for (const groups of [['*'], [ALIAS, NEUTRAL]]) {
      await registrations.webhooks('validating', 'both', hook('/both', ...groups));
      assert.equal((await create(ALIAS, '?dryRun=All')).status, 201);
      const [{ apiVersion, request }] = webhooks.reviews();
      assert.deepEqual(
        [apiVersion, request.resource.group, request.object.apiVersion],
        ['admission.cluster.io/v1', NEUTRAL, `${NEUTRAL}/v1`],
      );
      await registrations.clear();
    }
  });

  it('patches of one after the other apply to what each has seen, and one object is stored', async () => {
    for (const group of [ALIAS, NEUTRAL]) {
      webhooks.on(`/${group}`, () =>
        patchWith(
          { op: 'test', path: '/apiVersion', value: `${group}/v1` },
          { op: 'test', path: '/metadata/managedFields/0/apiVersion', value: `${group}/v1` },
          ...(group === ALIAS ? [{ op: 'add', path: '/metadata/labels', value: {} }] : []),
          { op: 'add', path: `/metadata/labels/${group}`, value: 'seen' },
        ),
      );
    }
    const hooks = [ALIAS, NEUTRAL].map((group) => {
      const rules = [{ ...rule(group), operations: ['CREATE'] }];
      return webhooks.hook(`/${group}`, { rules });
    });
    await registrations.webhooks('mutating', 'patches', ...hooks);
    for (const asked of NAMES) {
      const made = await create(asked);
      assert.equal(made.status, 201, made.text);
      assert.equal(made.json.apiVersion, `${asked}/v1`);
      const { json } = await plinth.get(`${leases(NEUTRAL)}/asked`);
      assert.deepEqual(json.metadata.labels, { [ALIAS]: 'seen', [NEUTRAL]: 'seen' });
      assert.deepEqual([json.apiVersion, managersOf(json)], [`${NEUTRAL}/v1`, [`${NEUTRAL}/v1`]]);
      await plinth.send('DELETE', `${leases(NEUTRAL)}/asked`);
    }
  });

  it('a webhook may add a subject to a binding by the group that it was shown', async () => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const bindings = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/rolebindings';
    webhooks.on('/bindings', ({ object }) =>
      patchWith(
        { op: 'test', path: '/roleRef/apiGroup', value: apiGroup },
        { op: 'add', path: '/subjects/-', value: { ...object.subjects[0], name: 'b' } },
      ),
    );
    const rules = [{ ...rule(apiGroup), resources: ['rolebindings'] }];
    await registrations.webhooks('mutating', 'bindings', webhooks.hook('/bindings', { rules }));
    const { status, json } = await plinth.send('POST', `${bindings}?dryRun=All`, {
      metadata: { name: 'bound' },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'a' }],
    });
    assert.equal(status, 201);
    assert.deepEqual(
      json.subjects.map(({ apiGroup, name }: any) => `${apiGroup} ${name}`),
      ['rbac.authorization.cluster.io a', 'rbac.authorization.cluster.io b'],
    );
  });

  it('expressions of policies see it so, too', async () => {
    for (const group of NAMES) {
      const shown = [
        'request.kind.group',
        'request.resource.group',
        'request.requestKind.group',
        "object.apiVersion.split('/')[0]",
      ].map((expression) => ({ expression: `${expression} == '${group}'` }));
      await validatingPolicy(registrations, 'shown', {
        matchConstraints: { resourceRules: [rule(group)] },
        validations: shown,
      });
      for (const asked of NAMES) {
        const { status, text } = await create(asked, '?dryRun=All');
        assert.equal(status, 201, `${group}, ${asked}: ${text}`);
      }
      await registrations.clear();
    }
  });

  it('mutating policies change what they see, and one object is stored', async () => {
    const mutations = (group: string): object[] => [
      configuration(
        `object.apiVersion == '${group}/v1' ? Object{metadata: Object.metadata{labels: {'configured': 'yes'}}} : Object{}`,
      ),
      jsonPatch(
        `[JSONPatch{op: 'test', path: '/apiVersion', value: '${group}/v1'}, JSONPatch{op: 'add', path: '/metadata/labels/patched', value: 'yes'}]`,
      ),
    ];
    for (const group of NAMES) {
      await mutatingPolicy(registrations, 'changes', mutations(group), {
        matchConstraints: { resourceRules: [rule(group)] },
      });
      for (const asked of NAMES) {
        const { status, json, text } = await create(asked, '?dryRun=All');
        assert.equal(status, 201, `${group}, ${asked}: ${text}`);
        assert.deepEqual(json.metadata.labels, { configured: 'yes', patched: 'yes' });
        assert.equal(json.apiVersion, `${asked}/v1`);
      }
      await registrations.clear();
    }
  });
});
