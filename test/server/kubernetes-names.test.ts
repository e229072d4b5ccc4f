import assert from 'node:assert/strict';
import { Plinth } from '../support/plinth.ts';

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

  it('listed, the default, shows every alias behind the neutral names', async () => {
    const groups = await groupsOf('listed');
    const first = groups.findIndex((name) => name.endsWith('.k8s.io'));
    assert.deepEqual(
      groups.slice(first).sort(),
      STEMS.map((stem) => `${stem}.k8s.io`),
    );
    const paths = await documents('listed');
    for (const stem of STEMS) {
      const versions = paths.filter((path) => path.startsWith(`apis/${stem}.k8s.io/`));
      assert.ok(versions.length > 0, stem);
      const { json } = await on('listed').get(`/${versions[0]!}`);
      for (const { shortNames, categories } of json.resources) {
        assert.deepEqual([shortNames, categories], [undefined, undefined], 'named twice');
      }
    }
  });

  it('answered serves the aliases without listing them', async () => {
    for (const names of [await groupsOf('answered'), await documents('answered')]) {
      assert.deepEqual(
        names.filter((name) => name.includes('k8s.io')),
        [],
      );
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
      assert.deepEqual(
        names.filter((name) => name.includes('k8s.io')),
        [],
      );
    }
    for (const stem of STEMS) {
      assert.equal((await on('off').get(`/apis/${stem}.k8s.io`)).status, 404, stem);
    }
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await on('off').send(method, ALIAS, {})).status, 404, method);
    }
    assert.equal((await on('off').get(NEUTRAL)).status, 200);
  });
});
