import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { parseAllDocuments } from 'yaml';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';

/** What controllers ship: generated definitions, roles, election in kube-system, webhooks, policies. */
const MANIFESTS = `
apiVersion: v1
kind: Namespace
metadata: { name: widget-system }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  annotations: { controller-gen.kubebuilder.io/version: v0.16.1 }
spec:
  group: example.com
  names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget, shortNames: [wd] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              x-kubernetes-validations: [{ rule: 'self.replicas <= 10' }]
              properties:
                replicas: { type: integer, default: 1 }
                port: { x-kubernetes-int-or-string: true, anyOf: [{ type: integer }, { type: string }] }
                raw: { type: object, x-kubernetes-preserve-unknown-fields: true }
                conditions:
                  type: array
                  items: { type: object, required: [type], properties: { type: { type: string } } }
                  x-kubernetes-list-map-keys: [type]
                  x-kubernetes-list-type: map
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: widget-editor, labels: { rbac.authorization.k8s.io/aggregate-to-edit: 'true' } }
rules:
  - { apiGroups: [example.com], resources: [widgets], verbs: [create, get] }
  - { apiGroups: [coordination.k8s.io], resources: [leases], verbs: ['*'] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: widget-editor }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: widget-editor }
subjects:
  - { kind: ServiceAccount, name: widgets, namespace: widget-system }
  - { apiGroup: rbac.authorization.k8s.io, kind: Group, name: widgets }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: widget-leader, namespace: kube-system }
rules: [{ apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create, get, update] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: widget-leader, namespace: kube-system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: widget-leader }
subjects: [{ kind: ServiceAccount, name: widgets, namespace: widget-system }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: widgets }
webhooks:
  - name: validate.widgets.example.com
    admissionReviewVersions: [v1]
    clientConfig: { service: { name: widgets, namespace: widget-system, path: /validate } }
    namespaceSelector:
      matchExpressions: [{ key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system] }]
    rules: [{ apiGroups: [example.com], apiVersions: [v1], operations: [DELETE], resources: [widgets], scope: '*' }]
    sideEffects: None
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: widgets }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [coordination.k8s.io], apiVersions: ['*'], operations: [UPDATE], resources: [leases], scope: '*' }
  validations: [{ expression: "object.spec.holderIdentity != 'stranger'" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: widgets }
spec: { policyName: widgets, validationActions: [Deny] }
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: widgets, namespace: kube-system }
spec: { holderIdentity: widgets-0, leaseDurationSeconds: 15 }
---
apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: { name: widgets }
spec: { cidrs: [10.20.0.0/24] }
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: widgets }
handler: widgets
`;
const NEUTRAL = MANIFESTS.replaceAll(
  /(apiVersion: |apiGroups?: \[?)([a-z.]+)\.k8s\.io/g,
  '$1$2.cluster.io',
).replaceAll('x-kubernetes-', 'x-cluster-');
const COUNT = parseAllDocuments(MANIFESTS).length;

describe('public manifests under kubectl', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  /** Runs a command that must succeed without a warning. */
  const quiet = async (args: readonly string[], input?: unknown): Promise<string> => {
    const { code, out, err } = await kubectl.run(args, input);
    assert.deepEqual([code, err], [0, ''], `kubectl ${args.join(' ')}: ${err}${out}`);
    return out;
  };
  const each = (text: string): string[] => text.trim().split('\n');

  for (const [what, manifests] of [
    ['Kubernetes', MANIFESTS],
    ['the specification', NEUTRAL],
  ] as const) {
    for (const side of [[], ['--server-side']]) {
      it(`in the names of ${what} apply ${side.join('')} twice, show no difference, and go`, async () => {
        const apply = ['apply', ...side, '-f', '-'];
        const first = each(await quiet(apply, manifests));
        assert.equal(first.length, COUNT);
        if (side.length === 0)
          assert.ok(
            first.every((line) => line.endsWith(' created')),
            first.join(),
          );
        const versions = async (): Promise<string[]> =>
          JSON.parse(await quiet(['get', '-f', '-', '-o', 'json'], manifests)).items.map(
            ({ metadata, spec }: any) =>
              `${metadata.name} ${metadata.generation} ${JSON.stringify(spec)}`,
          );
        await kubectl.definitionsAre('Established', 'widgets.example.com');
        const before = await versions();
        const second = each(await quiet(apply, manifests));
        const word = side.length === 0 ? ' unchanged' : ' serverside-applied';
        assert.ok(
          second.every((line) => line.endsWith(word)),
          second.join(),
        );
        assert.deepEqual(await versions(), before);
        const same = await kubectl.run(['diff', ...side, '-f', '-'], manifests);
        assert.deepEqual([same.code, same.out], [0, ''], same.err);
        const shown: string = await quiet(['get', '-f', '-', '-o', 'yaml'], manifests);
        const other = manifests === MANIFESTS ? 'apiVersion: .*cluster.io' : 'apiVersion: .*k8s.io';
        assert.doesNotMatch(shown, new RegExp(other));
        assert.equal(each(await quiet(['delete', '-f', '-'], manifests)).length, COUNT);
        await eventually(async () => {
          const { status } = await plinth.get('/api/v1/namespaces/widget-system');
          return status === 404;
        }, 'the namespace is gone');
      });
    }
  }

  it('a change under one name is seen, and conflicts, under the other', async () => {
    const lease = (group: string, holderIdentity: string) => ({
      apiVersion: `${group}/v1`,
      kind: 'Lease',
      metadata: { name: 'shared', namespace: 'default' },
      spec: { holderIdentity },
    });
    const apply = ['apply', '--server-side', '-f', '-'];
    await quiet(apply, lease('coordination.k8s.io', 'a'));
    const refused = await kubectl.refused(
      [...apply, '--field-manager=other'],
      lease('coordination.cluster.io', 'b'),
    );
    assert.match(refused, /conflict with "kubectl"/);
    await quiet(apply, lease('coordination.cluster.io', 'b'));
    const { metadata, spec } = await kubectl.json([
      'get',
      'leases.v1.coordination.k8s.io',
      'shared',
      '--show-managed-fields',
    ]);
    assert.equal(spec.holderIdentity, 'b');
    assert.equal(metadata.managedFields.length, 1, 'one manager, one entry');
  });

  it('short names mean the neutral group, without a warning', async () => {
    const cases = {
      crd: 'customresourcedefinition.apiextensions.cluster.io/',
      lease: 'lease.coordination.cluster.io/',
      clusterrole: 'clusterrole.rbac.authorization.cluster.io/',
      apiservice: 'apiservice.apiregistration.cluster.io/',
      servicecidr: 'servicecidr.networking.cluster.io/',
    };
    for (const [name, prefix] of Object.entries(cases)) {
      for (const line of each(await quiet(['get', name, '-A', '-o', 'name']))) {
        if (line !== '') assert.ok(line.startsWith(prefix), line);
      }
    }
    const long = await quiet(['get', 'leases.coordination.k8s.io', '-A', '-o', 'name']);
    assert.ok(
      each(long).every((line) => line.startsWith('lease.coordination.k8s.io/')),
      long,
    );
  });

  for (const domain of ['k8s.io', 'cluster.io']) {
    const group = `coordination.${domain}`;
    const leases = `leases.${group}`;

    it(`commands work on ${leases}`, async () => {
      const name = `lease-${domain.replace('.', '-')}`;
      await quiet(['create', '-f', '-'], {
        apiVersion: `${group}/v1`,
        kind: 'Lease',
        metadata: { name },
      });
      await quiet(['label', leases, name, 'tier=a']);
      await quiet(['annotate', leases, name, 'note=b']);
      const spec = { holderIdentity: 'c' };
      await quiet(['patch', leases, name, '--type=merge', '-p', JSON.stringify({ spec })]);
      const { apiVersion, metadata } = await kubectl.json(['get', leases, name]);
      assert.deepEqual([apiVersion, metadata.labels], [`${group}/v1`, { tier: 'a' }]);
      assert.match(
        await quiet(['describe', leases, name]),
        new RegExp(`API Version: +${group}/v1`),
      );
      assert.match(await quiet(['get', leases]), /NAME +HOLDER +AGE/);
      assert.match(await quiet(['explain', `${leases}.spec`]), new RegExp(`GROUP: +${group}`));
      assert.match(await quiet(['auth', 'can-i', 'get', leases]), /yes/);
      assert.match(
        await quiet(['api-resources', `--api-group=${group}`]),
        new RegExp(`${group}/v1 `),
      );
      await quiet(['delete', leases, '-l', 'tier=a']);
      assert.match(
        await kubectl.refused(['get', leases, name]),
        new RegExp(`${leases} "${name}" not found`),
      );
    });

    it(`roles are made, described and reconciled for ${leases}`, async () => {
      const role = `role-${domain.replace('.', '-')}`;
      await quiet(['create', 'role', role, '--verb=get,list', `--resource=${leases}`]);
      await quiet(['create', 'rolebinding', role, `--role=${role}`, '--user=alice']);
      const described = await quiet(['describe', `roles.rbac.authorization.${domain}`, role]);
      assert.match(
        described,
        domain === 'k8s.io' ? new RegExp(leases) : /API Groups:\s+coordination/,
      );
      const can = ['auth', 'can-i', '--as=alice', 'list'];
      for (const named of ['leases.coordination.k8s.io', 'leases.coordination.cluster.io']) {
        assert.match(await quiet([...can, named]), /yes/);
      }
      const reconciled = await kubectl.ok(['auth', 'reconcile', '-f', '-'], {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: role, namespace: 'default' },
        rules: [{ apiGroups: [group], resources: ['leases'], verbs: ['get', 'watch'] }],
      });
      assert.match(reconciled, /reconciled/);
      assert.match(await quiet(['auth', 'can-i', '--as=alice', 'watch', leases]), /yes/);
    });
  }
});
