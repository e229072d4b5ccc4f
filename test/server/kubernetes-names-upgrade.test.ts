import assert from 'node:assert/strict';
import { aliasApiVersion, neutralApiVersion } from '../../api/naming.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const OFF = '--kubernetes-names=off';

/** Objects as a server without the names of Kubernetes stores them: collection, name, the rest. */
const OBJECTS: readonly (readonly [path: string, name: string, rest: object])[] = [
  [
    '/apis/apiextensions.cluster.io/v1/customresourcedefinitions',
    'widgets.example.com',
    {
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
            },
          },
        ],
      },
    },
  ],
  ['/apis/example.com/v1/namespaces/default/widgets', 'one', { kind: 'Widget', spec: { size: 1 } }],
  ['/api/v1/namespaces/default/configmaps', 'one', { kind: 'ConfigMap', data: { a: '1' } }],
  [
    '/apis/rbac.authorization.cluster.io/v1/clusterroles',
    'reader',
    {
      kind: 'ClusterRole',
      rules: [{ apiGroups: ['coordination.cluster.io'], resources: ['leases'], verbs: ['get'] }],
    },
  ],
  [
    '/apis/rbac.authorization.cluster.io/v1/clusterrolebindings',
    'reader',
    {
      kind: 'ClusterRoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: 'alice' }],
    },
  ],
  [
    '/apis/coordination.cluster.io/v1/namespaces/default/leases',
    'one',
    { kind: 'Lease', spec: { holderIdentity: 'a' } },
  ],
  [
    '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations',
    'one',
    {
      kind: 'ValidatingWebhookConfiguration',
      webhooks: [
        {
          name: 'one.example.com',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://example.com/' },
          failurePolicy: 'Ignore',
          sideEffects: 'None',
          rules: [
            {
              apiGroups: ['node.cluster.io'],
              apiVersions: ['*'],
              operations: ['DELETE'],
              resources: ['runtimeclasses'],
            },
          ],
        },
      ],
    },
  ],
  [
    '/apis/networking.cluster.io/v1/ipaddresses',
    '10.0.0.7',
    { kind: 'IPAddress', spec: { parentRef: { resource: 'services', name: 'a', namespace: 'b' } } },
  ],
  ['/apis/node.cluster.io/v1/runtimeclasses', 'one', { kind: 'RuntimeClass', handler: 'one' }],
];

const versionIn = (path: string): string => /^\/apis?\/((?:[^/]+\.[^/]+\/)?[^/]+)/.exec(path)![1]!;

describe('data of a server without the names of Kubernetes', function () {
  let plinth: Plinth;
  const stored = new Map<string, string>();

  const configuration = ([, name, rest]: (typeof OBJECTS)[number], apiVersion: string) => ({
    apiVersion,
    ...rest,
    metadata: { name },
  });

  before(async () => {
    plinth = await Plinth.start({ args: [OFF] });
    for (const object of OBJECTS) {
      const [path, name] = object;
      const body = configuration(object, versionIn(path));
      await eventually(async () => {
        const made = await plinth.send('PATCH', `${path}/${name}?fieldManager=me`, body, APPLY);
        if (made.status !== 404) assert.ok(made.status < 300, made.text);
        return made.status !== 404;
      }, `${path} is served`);
    }
    for (const [path, text] of await texts(plinth)) stored.set(path, text);
    await plinth.stop();
  });
  after(() => plinth.dispose());

  async function texts(server: Plinth): Promise<[string, string][]> {
    const found: [string, string][] = [];
    for (const [path, name] of OBJECTS) {
      const { status, text } = await server.get(`${path}/${name}`);
      assert.equal(status, 200, text);
      found.push([`${path}/${name}`, text]);
    }
    return found;
  }

  const started = async (args: string[], act: (server: Plinth) => Promise<void>): Promise<void> => {
    const server = await Plinth.start({ dataDir: plinth.dataDir, args });
    try {
      await act(server);
    } finally {
      await server.stop();
    }
  };

  it('is shown under both names as it was stored, byte for byte under the neutral ones', () =>
    started([], async (server) => {
      assert.deepEqual(new Map(await texts(server)), stored);
      for (const [path, name] of OBJECTS) {
        const own = versionIn(path);
        const alias = path.replace(own, aliasApiVersion(own));
        const { json } = await server.get(`${alias}/${name}`);
        const { metadata, apiVersion } = JSON.parse(stored.get(`${path}/${name}`)!);
        assert.equal(json.apiVersion, aliasApiVersion(apiVersion));
        assert.equal(json.metadata.uid, metadata.uid);
        assert.equal(json.metadata.resourceVersion, metadata.resourceVersion);
      }
    }));

  it('is not written by an apply of the same under the other name', () =>
    started([], async (server) => {
      for (const object of OBJECTS) {
        const [path, name] = object;
        const own = versionIn(path);
        const alias = aliasApiVersion(own);
        assert.equal(neutralApiVersion(alias), own);
        const reply = await server.send(
          'PATCH',
          `${path.replace(own, alias)}/${name}?fieldManager=me`,
          JSON.stringify(configuration(object, alias)).replaceAll('x-cluster-', 'x-kubernetes-'),
          APPLY,
        );
        assert.equal(reply.status, 200, reply.text);
      }
      assert.deepEqual(new Map(await texts(server)), stored);
    }));

  it('gives its users the rights that they had, by either name', () =>
    started([], async (server) => {
      const as = { 'impersonate-user': 'alice' };
      for (const group of ['coordination.cluster.io', 'coordination.k8s.io']) {
        const leases = `/apis/${group}/v1/namespaces/default/leases`;
        assert.equal((await server.get(`${leases}/one`, as)).status, 200);
        assert.equal((await server.get(leases, as)).status, 403);
      }
    }));

  it('is the same again for a server without the names', () =>
    started([OFF], async (server) => {
      assert.deepEqual(new Map(await texts(server)), stored);
    }));
});
