import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const SELECTION = ['fieldSelector', 'filter', 'labelSelector'];
const PARTS = ['fields', 'managedFields'];
/** Parameters of questions by the method that takes them; no others may be published for it. */
const OF_GET = [...SELECTION, ...PARTS];
const OF_LIST = [...SELECTION, ...PARTS, 'authorized', 'count', 'groupBy', 'orderBy'];
const OF_DELETION = [...SELECTION, 'orderBy'];
const QUESTIONS = new Set(OF_LIST);

const COLLECTIONS = [
  '/apis/coordination.cluster.io/v1/namespaces/{namespace}/leases',
  '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/api/v1/namespaces/{namespace}/configmaps',
  '/api/v1/namespaces/{namespace}/events',
  '/apis/test.example.com/v1/namespaces/{namespace}/crates',
];

describe('parameters of questions', () => {
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
    await install(plinth, { plural: 'crates', kind: 'Crate' });
    const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
    const spec = { leaseDurationSeconds: 5 };
    await plinth.send('POST', leases, { metadata: { name: 'one' }, spec });
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  /** Names of an operation's parameters that ask questions; a path's own and references count. */
  function asked(document: any, path: string, method: string): string[] {
    const item = document.paths[path];
    assert.notEqual(item?.[method], undefined, `${method} ${path}`);
    const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
    return parameters
      .map((it: any) => {
        if (it.$ref === undefined) return it.name;
        const steps: string[] = it.$ref.slice(2).split('/');
        return steps.reduce((at, key) => at[key], document).name;
      })
      .filter((name: string) => QUESTIONS.has(name))
      .sort();
  }

  function check(document: any, path: string): void {
    assert.deepEqual(asked(document, path, 'get'), OF_LIST.toSorted(), path);
    assert.deepEqual(asked(document, path, 'delete'), OF_DELETION.toSorted(), path);
    assert.deepEqual(asked(document, `${path}/{name}`, 'get'), OF_GET.toSorted(), path);
    for (const [at, method] of [
      [path, 'post'],
      [`${path}/{name}`, 'put'],
      [`${path}/{name}`, 'patch'],
      [`${path}/{name}`, 'delete'],
    ] as const) {
      assert.deepEqual(asked(document, at, method), [], `${method} ${at}`);
    }
  }

  it('stand in OpenAPI v2, at the verbs that take them', async () => {
    let document: any;
    await eventually(async () => {
      document = (await plinth.get('/openapi/v2')).json;
      return COLLECTIONS.every((path) => document.paths[path] !== undefined);
    }, 'the definition is published');
    for (const path of COLLECTIONS) check(document, path);
    assert.deepEqual(asked(document, '/api/v1/componentstatuses', 'get'), OF_LIST.toSorted());
  });

  it('stand in OpenAPI v3, at the verbs that take them', async () => {
    for (const path of COLLECTIONS) {
      const [, groupVersion = ''] = /^\/(.*?)(?:\/namespaces\/|\/clusterroles)/.exec(path) ?? [];
      const { json } = await plinth.get(`/openapi/v3/${groupVersion}`);
      check(json, path);
    }
  });

  it('do not break kubectl explain and kubectl get', async () => {
    for (const args of [
      ['explain', 'leases.spec.holderIdentity'],
      ['explain', 'leases', '--api-version', 'coordination.k8s.io/v1', '--recursive'],
      ['explain', 'crates.spec'],
      ['get', 'leases', '--sort-by=.spec.leaseDurationSeconds', '-o', 'wide'],
      ['get', 'leases', '-l', '!hidden', '--field-selector', 'metadata.name=one', '-o', 'yaml'],
      ['get', 'lease', 'one', '-o', 'json'],
      ['get', 'componentstatuses'],
      ['get', '--raw', '/apis/coordination.k8s.io/v1/leases?count=true'],
    ]) {
      const { code, out, err } = await kubectl.run(args);
      assert.equal(code, 0, `kubectl ${args.join(' ')}: ${err}`);
      assert.notEqual(out, '', args.join(' '));
    }
  });
});
