import assert from 'node:assert/strict';
import { isAlias } from '../../api/naming.ts';
import { BODIES, PROTOBUF } from '../kinds/protobuf-bodies.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/namespaces/default/leases';
const ALIAS = `/apis/coordination.k8s.io/v1${LEASES}`;
const NEUTRAL = `/apis/coordination.cluster.io/v1${LEASES}`;
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const STEMS = [
  'admissionregistration',
  'apiextensions',
  'apiregistration',
  'authentication',
  'authorization',
  'coordination',
  'events',
  'networking',
  'node',
  'rbac.authorization',
  'resource',
];

/** `coordination.k8s.io`, alone or in a path; certificates.k8s.io has this name only. */
const namesAlias = (name: string): boolean => name.split('/').some(isAlias);

describe('--kubernetes-names', () => {
  const servers: Partial<Record<string, Plinth>> = {};
  before(async () => {
    for (const mode of ['listed', 'answered', 'off']) {
      const gates = ['--feature-gates', 'DynamicResourceAllocation=true'];
      const args = [...gates, ...(mode === 'listed' ? [] : ['--kubernetes-names', mode])];
      servers[mode] = await Plinth.start({ args });
    }
  });
  after(async () => {
    for (const plinth of Object.values(servers)) await plinth?.dispose();
  });
  const on = (mode: string): Plinth => servers[mode]!;

  const groupsOf = async (mode: string): Promise<string[]> => {
    const plain = (await on(mode).get('/apis')).json.groups.map(({ name }: any) => name);
    const { json } = await on(mode).send('GET', '/apis', undefined, { accept: AGGREGATED });
    assert.deepEqual(
      json.items.map(({ metadata }: any) => metadata.name),
      plain,
    );
    return plain;
  };
  const documents = async (mode: string): Promise<string[]> =>
    Object.keys((await on(mode).get('/openapi/v3')).json.paths);

  it('a namespace that was read from Kubernetes is made, and goes, unless they are off', async () => {
    const finalizers = ['kubernetes'];
    const body = { metadata: { name: 'moved' }, spec: { finalizers } };
    const refused = await on('off').send('POST', '/api/v1/namespaces', body);
    assert.equal(refused.status, 422);
    for (const mode of ['listed', 'answered']) {
      const made = await on(mode).send('POST', '/api/v1/namespaces', body);
      assert.deepEqual([made.status, made.json.spec.finalizers], [201, ['cluster']]);
      const path = '/api/v1/namespaces/moved';
      const finalized = await on(mode).send('PUT', `${path}/finalize`, { ...made.json, ...body });
      assert.deepEqual(finalized.json.spec.finalizers, ['cluster']);
      await on(mode).send('DELETE', path);
      await eventually(async () => (await on(mode).get(path)).status === 404, 'its removal');
    }
  });

  it('listed, the default, shows every alias behind the neutral names', async () => {
    const groups = await groupsOf('listed');
    const first = groups.findIndex(namesAlias);
    assert.deepEqual(
      groups.slice(first).sort(),
      STEMS.map((stem) => `${stem}.k8s.io`),
    );
    const paths = await documents('listed');
    for (const stem of STEMS) {
      const versions = paths.filter((path) => path.startsWith(`apis/${stem}.k8s.io/`));
      assert.ok(versions.length > 0, stem);
      const { json } = await on('listed').get(`/${versions[0]!}`);
      const neutral = await on('listed').get(`/${versions[0]!.replace('k8s.io', 'cluster.io')}`);
      const names = new Set(neutral.json.resources.map(({ name }: any) => name));
      for (const { name, shortNames, categories } of json.resources) {
        // what the neutral group has not, as Ingresses, is named here only
        if (!names.has(name)) continue;
        assert.deepEqual([shortNames, categories], [undefined, undefined], 'named twice');
      }
    }
  });

  it('answered serves the aliases without listing them', async () => {
    for (const names of [await groupsOf('answered'), await documents('answered')]) {
      assert.deepEqual(names.filter(namesAlias), []);
    }
    for (const stem of STEMS) {
      const { status, json } = await on('answered').get(`/apis/${stem}.k8s.io`);
      assert.equal(status, 200, stem);
      assert.equal(json.name, `${stem}.k8s.io`);
    }
    const { json } = await on('answered').get(ALIAS);
    assert.equal(json.apiVersion, 'coordination.k8s.io/v1');
  });

  it('off serves the neutral names alone', async () => {
    for (const names of [await groupsOf('off'), await documents('off')]) {
      assert.deepEqual(names.filter(namesAlias), []);
    }
    for (const stem of STEMS) {
      assert.equal((await on('off').get(`/apis/${stem}.k8s.io`)).status, 404, stem);
    }
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await on('off').send(method, ALIAS, {})).status, 404, method);
    }
    assert.equal((await on('off').get(NEUTRAL)).status, 200);
  });

  it('off reads no alias in a body, in protobuf neither', async () => {
    const { object, protobuf } = BODIES.find(({ object: { kind } }) => kind === 'Lease')!;
    const token = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const sent: [string, unknown, string][] = [
      [NEUTRAL, Buffer.from(protobuf, 'base64'), PROTOBUF],
      [NEUTRAL, { ...object, apiVersion: 'coordination.k8s.io/v1' }, 'application/json'],
      [token, request, 'application/json'],
    ];
    for (const [path, body, type] of sent) {
      const dryRun = `${path}?dryRun=All`;
      const answer = await on('off').send('POST', dryRun, body, { 'content-type': type });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, /the API version in the data \(\w+\.k8s\.io\/v1\) does not match/);
    }
    const neutral = { ...request, apiVersion: 'authentication.cluster.io/v1' };
    const { status, json } = await on('off').send('POST', token, neutral);
    assert.equal(status, 201);
    assert.equal(json.apiVersion, neutral.apiVersion);
  });

  const KUBE = ['kube-node-lease', 'kube-public', 'kube-system'];
  const NAME_LABEL = 'kubernetes.io/metadata.name';
  const namespacesOf = async (plinth: Plinth, query = ''): Promise<any[]> =>
    (await plinth.get(`/api/v1/namespaces${query}`)).json.items.map(
      ({ metadata }: any) => metadata,
    );
  const roleOf = async (plinth: Plinth, name: string): Promise<any> =>
    (await plinth.get(`/apis/rbac.authorization.cluster.io/v1/clusterroles/${name}`)).json;

  it('namespaces of Kubernetes exist where its names are listed, and stay', async () => {
    for (const [mode, wanted] of Object.entries({ listed: KUBE, answered: [], off: [] })) {
      const names = (await namespacesOf(on(mode))).map(({ name }) => name);
      assert.deepEqual(
        names.filter((name) => name.startsWith('kube-')),
        wanted,
        mode,
      );
    }
    for (const name of ['kube-system', 'kube-public']) {
      assert.equal((await on('listed').send('DELETE', `/api/v1/namespaces/${name}`)).status, 403);
    }
  });

  it('namespaces carry their name in both labels, and in one where the names are off', async () => {
    for (const mode of ['listed', 'answered', 'off']) {
      await on(mode).send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
      for (const { name, labels } of await namespacesOf(on(mode))) {
        assert.equal(labels['cluster.io/metadata.name'], name);
        assert.equal(labels[NAME_LABEL], mode === 'off' ? undefined : name, mode);
      }
      const found = await namespacesOf(on(mode), `?labelSelector=${NAME_LABEL}%3Dteam`);
      assert.equal(found.length, mode === 'off' ? 0 : 1, mode);
    }
  });

  it('a store of a server without the names gets its namespaces, labels and selectors', async () => {
    const plinth = on('off');
    const before = (await plinth.get('/api/v1/namespaces/team')).json.metadata;
    const view = await roleOf(plinth, 'view');
    assert.equal(view.aggregationRule.clusterRoleSelectors.length, 1);
    await plinth.stop();
    const { dataDir } = plinth;
    const upgraded = (servers['off'] = await Plinth.start({ dataDir }));
    const labelled = async (): Promise<boolean> =>
      (await namespacesOf(upgraded)).every(({ name, labels }) => labels[NAME_LABEL] === name);
    await eventually(labelled, 'every namespace has the label');
    assert.equal((await upgraded.get('/api/v1/namespaces/team')).json.metadata.uid, before.uid);
    for (const name of KUBE) {
      assert.equal((await upgraded.get(`/api/v1/namespaces/${name}`)).status, 200, name);
    }
    const { aggregationRule } = await roleOf(upgraded, 'view');
    assert.deepEqual(
      aggregationRule.clusterRoleSelectors.flatMap(({ matchLabels }: any) =>
        Object.keys(matchLabels),
      ),
      ['cluster.io', 'k8s.io'].map((domain) => `rbac.authorization.${domain}/aggregate-to-view`),
    );
    const { labels } = (await roleOf(upgraded, 'system:aggregate-to-view')).metadata;
    assert.equal(labels['rbac.authorization.k8s.io/aggregate-to-view'], 'true');
  });
});
