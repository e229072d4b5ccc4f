import { eventually, type Plinth } from '../support/plinth.ts';
import { furnish, make, setPhase } from './world.ts';

const ADMISSION = '/apis/admissionregistration.cluster.io/v1';
const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

/** A server with something for each view: databases, what they own, rights, rules, a deletion. */
export async function furnishEstate(plinth: Plinth, count = 30): Promise<void> {
  await furnish(plinth, count);
  const phases = ['Ready', 'Pending', 'Failed', 'Ready', 'Ready'];
  for (const [i, phase] of phases.entries()) await setPhase(plinth, `db-00${i}`, phase);
  const { json: owner } = await plinth.get(
    '/apis/demo.example.com/v1/namespaces/default/databases/db-000',
  );
  const ownerReferences = [
    {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', name: 'db-000' },
      ...{ uid: owner.metadata.uid, controller: true, blockOwnerDeletion: true },
    },
  ];
  await sent(plinth, CONFIGMAPS, {
    metadata: { name: 'db-000-settings', ownerReferences, labels: { app: 'db-000' } },
    data: { 'max-connections': '200', 'log-level': 'info' },
  });
  await sent(plinth, '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'db-000-password', ownerReferences },
    stringData: { password: 'not a secret' },
  });
  await sent(plinth, '/api/v1/namespaces/default/events', {
    metadata: { name: 'db-000.1' },
    involvedObject: {
      ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', name: 'db-000' },
      ...{ namespace: 'default', uid: owner.metadata.uid },
    },
    ...{ reason: 'Scaled', message: 'From 2 to 3 copies', type: 'Normal', count: 3 },
    ...{ firstTimestamp: '2026-01-02T03:04:05Z', lastTimestamp: '2026-01-02T04:04:05Z' },
    source: { component: 'database-operator' },
  });
  await make(plinth, 'held', {}, { finalizers: ['demo.example.com/backup'] });
  await plinth.send('DELETE', '/apis/demo.example.com/v1/namespaces/default/databases/held');
  await rules(plinth);
}

async function rules(plinth: Plinth): Promise<void> {
  const role = { metadata: { name: 'operators', namespace: 'default' } };
  await sent(plinth, `${RBAC}/namespaces/default/roles`, {
    ...role,
    rules: [{ apiGroups: ['demo.example.com'], resources: ['databases'], verbs: ['*'] }],
  });
  await sent(plinth, `${RBAC}/namespaces/default/rolebindings`, {
    ...role,
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'operators' },
    subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: 'ann' }],
  });
  const databases = {
    ...{ apiGroups: ['demo.example.com'], apiVersions: ['*'], resources: ['databases'] },
    operations: ['CREATE', 'UPDATE'],
  };
  await sent(plinth, `${ADMISSION}/validatingadmissionpolicies`, {
    metadata: { name: 'few-copies' },
    spec: {
      ...{ failurePolicy: 'Fail', matchConstraints: { resourceRules: [databases] } },
      validations: [{ expression: 'object.spec.replicas <= 7', message: 'at most 7 copies' }],
    },
  });
  await sent(plinth, `${ADMISSION}/validatingadmissionpolicybindings`, {
    metadata: { name: 'few-copies' },
    spec: { policyName: 'few-copies', validationActions: ['Deny'] },
  });
  await sent(plinth, `${ADMISSION}/validatingwebhookconfigurations`, {
    metadata: { name: 'names' },
    webhooks: [
      {
        ...{ name: 'names.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
        ...{ failurePolicy: 'Ignore', timeoutSeconds: 1, rules: [databases] },
        clientConfig: { url: 'https://127.0.0.1:1/names' },
        matchConditions: [{ name: 'probe', expression: "object.metadata.name.startsWith('x-')" }],
      },
    ],
  });
  // a policy takes effect when the replica has heard of it
  await eventually(async () => {
    const { status } = await plinth.send(
      'POST',
      '/apis/demo.example.com/v1/namespaces/default/databases?dryRun=All',
      {
        ...{ apiVersion: 'demo.example.com/v1', kind: 'Database', metadata: { name: 'many' } },
        spec: { engine: 'mysql', replicas: 9 },
      },
    );
    return status === 422;
  }, 'the policy refuses nine copies');
}

async function sent(plinth: Plinth, path: string, object: object): Promise<void> {
  const reply = await plinth.send('POST', path, object);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
}
