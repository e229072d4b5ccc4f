import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  patchWith,
  registration,
  Registrations,
} from '../support/admission-webhook.ts';
import { CRDS, crd } from '../support/custom.ts';
import { API_SERVICES } from '../support/extension-server.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { configuration, mutatingPolicy, validatingPolicy } from '../support/policies.ts';

const NAMES = ['coordination.cluster.io', 'coordination.k8s.io'];
const DENY_ALL = { validations: [{ expression: 'false' }] };

type Outcome = 'refused' | 'changed' | 'passed';

/** Each puts a check in force whose rules name the group of Leases by `group`. */
interface Check {
  readonly name: string;
  readonly outcome: Outcome;
  readonly put: (group: string) => Promise<void>;
}

describe('groups by either of their names', () => {
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
    webhooks.reset();
  });

  const rule = (group: string) => ({
    operations: ['CREATE'],
    apiGroups: [group],
    apiVersions: ['v1'],
    resources: ['leases'],
  });
  const everything = { resourceRules: [{ ...rule('*'), resources: ['leases'] }] };
  const webhook = (half: 'mutating' | 'validating', matchPolicy: string) => (group: string) => {
    webhooks.on('/asked', () =>
      half === 'validating'
        ? { allowed: false }
        : patchWith({ op: 'add', path: '/metadata/labels', value: { changed: 'yes' } }),
    );
    const hook = webhooks.hook('/asked', { rules: [rule(group)], matchPolicy });
    return registrations.webhooks(half, 'asked', hook);
  };

  const checks: Check[] = [
    ...['Exact', 'Equivalent'].flatMap((policy): Check[] => [
      {
        name: `validating webhook (${policy})`,
        outcome: 'refused',
        put: webhook('validating', policy),
      },
      {
        name: `mutating webhook (${policy})`,
        outcome: 'changed',
        put: webhook('mutating', policy),
      },
      {
        name: `validating policy (${policy})`,
        outcome: 'refused',
        put: (group) =>
          validatingPolicy(registrations, 'p', {
            ...DENY_ALL,
            matchConstraints: { resourceRules: [rule(group)], matchPolicy: policy },
          }),
      },
    ]),
    {
      name: 'mutating policy',
      outcome: 'changed',
      put: (group) =>
        mutatingPolicy(
          registrations,
          'p',
          [configuration("Object{metadata: Object.metadata{labels: {'changed': 'yes'}}}")],
          { matchConstraints: { resourceRules: [rule(group)] } },
        ),
    },
    {
      name: 'binding',
      outcome: 'refused',
      put: (group) =>
        validatingPolicy(
          registrations,
          'p',
          { ...DENY_ALL, matchConstraints: everything },
          { matchResources: { resourceRules: [rule(group)] } },
        ),
    },
    {
      name: 'exclusion',
      outcome: 'passed',
      put: (group) =>
        validatingPolicy(registrations, 'p', {
          ...DENY_ALL,
          matchConstraints: { ...everything, excludeResourceRules: [rule(group)] },
        }),
    },
    {
      name: 'kind of parameters',
      outcome: 'passed',
      put: async (group) => {
        const param = lease({ name: 'param', labels: { allows: 'leases' } });
        const path = `/apis/${NAMES[0]}/v1/namespaces/default/leases`;
        await plinth.send('PUT', `${path}/param`, param);
        await validatingPolicy(
          registrations,
          'p',
          {
            matchConstraints: everything,
            paramKind: { apiVersion: `${group}/v1`, kind: 'Lease' },
            validations: [{ expression: "params.metadata.labels['allows'] == 'leases'" }],
          },
          { paramRef: { name: 'param', parameterNotFoundAction: 'Allow' } },
        );
      },
    },
    {
      name: 'authorizer of expressions',
      outcome: 'refused',
      put: (group) =>
        validatingPolicy(registrations, 'p', {
          matchConstraints: everything,
          validations: [
            {
              expression: `!authorizer.group('${group}').resource('leases').namespace('default').check('create').allowed()`,
            },
          ],
        }),
    },
  ];

  const outcomeOf = ({ status, json }: Reply): Outcome => {
    if (status !== 201) return 'refused';
    return json.metadata.labels?.changed === 'yes' ? 'changed' : 'passed';
  };

  for (const { name, outcome, put } of checks) {
    it(`mean the same to a ${name}, whichever the rule and the request use`, async () => {
      for (const group of NAMES) {
        await put(group);
        for (const asked of NAMES) {
          const path = `/apis/${asked}/v1/namespaces/default/leases?dryRun=All`;
          const reply = await plinth.send('POST', path, { ...lease(), apiVersion: `${asked}/v1` });
          assert.equal(outcomeOf(reply), outcome, `${group}, ${asked}: ${reply.text}`);
        }
        await registrations.clear();
      }
    });
  }

  it('mean the same when a policy is checked against the types that it meets', async () => {
    for (const group of NAMES) {
      await validatingPolicy(registrations, 'typed', {
        matchConstraints: { resourceRules: [rule(group)] },
        validations: [{ expression: 'object.spec.missing == 1' }],
      });
      await eventually(async () => {
        const { json } = await plinth.get(`${registration('validatingadmissionpolicies')}/typed`);
        return json.status?.typeChecking?.expressionWarnings?.length === 1;
      }, `${group} is checked`);
      await registrations.clear();
    }
  });

  it('collect a dependent whose owner, named by the alias of its group, does not exist', async () => {
    const leases = `/apis/${NAMES[0]}/v1/namespaces/default/leases`;
    const uid = '0b7fdd06-1c2f-4b9a-9d3c-c2f0f3a0e001';
    const owner = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', name: 'none', uid };
    await plinth.send('POST', leases, lease({ name: 'owned', ownerReferences: [owner] }));
    const gone = async (): Promise<boolean> => (await plinth.get(`${leases}/owned`)).status === 404;
    await eventually(gone, 'the dependent is collected');
  });

  it('warn where rules name a group of Kubernetes that this server does not have', async () => {
    const warningsOf = async (group: string): Promise<string> => {
      const path = `${registration('validatingwebhookconfigurations')}?dryRun=All`;
      const hook = webhooks.hook('/a', { rules: [rule(NAMES[0]!), rule(group)] });
      const body = { metadata: { name: 'warned' }, webhooks: [hook] };
      const reply = await plinth.send('POST', path, body);
      assert.equal(reply.status, 201, reply.text);
      return String(reply.headers.warning ?? '');
    };
    assert.match(
      await warningsOf('storagemigration.k8s.io'),
      /webhooks\[0\]\.rules\[1\]\.apiGroups\[0\]: .* no group \\"storagemigration\.k8s\.io\\"/,
    );
    assert.match(await warningsOf('flowcontrol.apiserver.k8s.io'), /no group/);
    for (const group of [...NAMES, 'networking.k8s.io', '*', '', 'example.com']) {
      assert.equal(await warningsOf(group), '', group);
    }
    const spec = {
      matchConstraints: {
        resourceRules: [rule('apps')],
        excludeResourceRules: [rule('policy.k8s.io')],
      },
      ...DENY_ALL,
    };
    const { headers } = await plinth.send(
      'POST',
      `${registration('validatingadmissionpolicies')}?dryRun=All`,
      { metadata: { name: 'warned' }, spec },
    );
    assert.match(
      String(headers.warning),
      /spec\.matchConstraints\.excludeResourceRules\[0\]\.apiGroups\[0\]/,
    );
  });

  it('are reserved: neither a definition nor an APIService may claim one', async () => {
    const annotations = { 'api-approved.cluster.io': 'unapproved, a test' };
    for (const group of ['events.k8s.io', 'networking.k8s.io', 'rbac.authorization.k8s.io']) {
      const definition = crd({ plural: 'events', kind: 'Event', group });
      definition.metadata.annotations = annotations;
      const refused = await plinth.send('POST', CRDS, definition);
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.json.message, /spec\.group: Invalid value: .* is reserved/);
      for (const service of [undefined, { namespace: 'default', name: 'evil' }]) {
        const apiService = await plinth.send('POST', API_SERVICES, {
          metadata: { name: `v1.${group}` },
          spec: { group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, service },
        });
        assert.equal(apiService.status, 422, apiService.text);
        assert.match(apiService.json.message, /spec\.group: Invalid value: .* is reserved/);
      }
    }
    const own = crd({ plural: 'gateways', kind: 'Gateway', group: 'gateway.networking.k8s.io' });
    own.metadata.annotations = annotations;
    const reply = await plinth.send('POST', `${CRDS}?dryRun=All`, own);
    assert.equal(reply.status, 201, reply.text);
  });
});
