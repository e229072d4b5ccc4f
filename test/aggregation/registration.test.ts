import assert from 'node:assert/strict';
import { isAlias } from '../../api/naming.ts';
import { after, before, describe, it } from 'mocha';
import { API_SERVICES } from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LABEL = 'aggregator.cluster.io/automanaged';
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const GROUP = 'registered.example.com';
const MERGE = { 'content-type': 'application/merge-patch+json' };

function definition(versions: string[]): object {
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `lamps.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { plural: 'lamps', kind: 'Lamp' },
      versions: versions.map((name, i) => ({
        ...{ name, served: true, storage: i === 0 },
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  };
}

describe('registration of APIServices', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  const apiService = (name: string): Promise<any> => plinth.get(`${API_SERVICES}/${name}`);
  const untilStatus = (name: string, status: number): Promise<void> =>
    eventually(async () => (await apiService(name)).status === status, `${name} ${status}`);

  it('gives every built-in version one, available at once', async () => {
    await untilStatus('v1.apiregistration.cluster.io', 200);
    await untilStatus('v1.', 200);
    const { json } = await plinth.get('/apis');
    for (const { versions } of json.groups) {
      for (const { groupVersion } of versions) {
        const [group, version] = groupVersion.split('/');
        // one object says it for both names
        if (isAlias(group)) continue;
        await untilStatus(`${version}.${group}`, 200);
        const { metadata, spec, status } = (await apiService(`${version}.${group}`)).json;
        assert.equal(metadata.labels[LABEL], 'onstart');
        assert.equal(spec.service, undefined);
        assert.equal(status.conditions[0].reason, 'Local');
      }
    }
  });

  it('leaves what is built in with this server, whatever service such an object names', async () => {
    const name = 'v1.authorization.cluster.io';
    await untilStatus(name, 200);
    const service = { namespace: 'default', name: 'elsewhere' };
    const change = { spec: { service, insecureSkipTLSVerify: true } };
    const { status } = await plinth.send('PATCH', `${API_SERVICES}/${name}`, change, MERGE);
    assert.equal(status, 200);
    const reasonOf = async (): Promise<string> =>
      (await apiService(name)).json.status.conditions[0].reason;
    await eventually(async () => (await reasonOf()) === 'ServiceNotFound', 'the service is asked');
    const review = await plinth.send(
      'POST',
      '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews',
      { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    );
    assert.deepEqual([review.status, review.json.status.allowed], [201, true]);
  });

  it('lets people delete and change those, until a server starts again', async () => {
    await untilStatus('v1.node.cluster.io', 200);
    await plinth.send('DELETE', `${API_SERVICES}/v1.node.cluster.io`);
    const change = { spec: { versionPriority: 77 } };
    await plinth.send('PATCH', `${API_SERVICES}/v1.events.cluster.io`, change, MERGE);
    // something else for the loop to do
    await plinth.send('POST', DEFINITIONS, definition(['v1', 'v1beta1']));
    await untilStatus(`v1.${GROUP}`, 200);
    assert.equal((await apiService('v1.node.cluster.io')).status, 404);
    assert.equal((await apiService('v1.events.cluster.io')).json.spec.versionPriority, 77);
    assert.equal((await plinth.get('/apis/node.cluster.io/v1/runtimeclasses')).status, 200);
    await plinth.stop();
    await plinth.start();
    await untilStatus('v1.node.cluster.io', 200);
    await eventually(
      async () => (await apiService('v1.events.cluster.io')).json.spec.versionPriority !== 77,
      'the priority',
    );
  });

  it('restores APIServices of custom resources and removes them with their versions', async () => {
    await untilStatus(`v1.${GROUP}`, 200);
    await untilStatus(`v1beta1.${GROUP}`, 200);
    const { metadata, spec } = (await apiService(`v1.${GROUP}`)).json;
    assert.equal(metadata.labels[LABEL], 'true');
    assert.deepEqual([spec.groupPriorityMinimum, spec.versionPriority], [1000, 100]);
    const change = { spec: { versionPriority: 7 } };
    await plinth.send('PATCH', `${API_SERVICES}/v1.${GROUP}`, change, MERGE);
    await eventually(
      async () => (await apiService(`v1.${GROUP}`)).json.spec.versionPriority === 100,
      'the priority',
    );
    const { uid } = metadata;
    await plinth.send('DELETE', `${API_SERVICES}/v1.${GROUP}`);
    await eventually(async () => {
      const { json } = await apiService(`v1.${GROUP}`);
      return json.kind === 'APIService' && json.metadata.uid !== uid;
    }, 'another one');
    const versions = (definition(['v1', 'v1beta1']) as any).spec.versions;
    versions[1].served = false;
    await plinth.send('PATCH', `${DEFINITIONS}/lamps.${GROUP}`, { spec: { versions } }, MERGE);
    await untilStatus(`v1beta1.${GROUP}`, 404);
    await plinth.send('DELETE', `${DEFINITIONS}/lamps.${GROUP}`);
    await untilStatus(`v1.${GROUP}`, 404);
    assert.equal((await plinth.get(`/apis/${GROUP}`)).status, 404);
  });

  it('does not change APIServices that users created', async () => {
    const made = await plinth.send('POST', API_SERVICES, {
      ...{ apiVersion: 'apiregistration.cluster.io/v1', kind: 'APIService' },
      metadata: { name: `v1.${GROUP}` },
      spec: { group: GROUP, version: 'v1', groupPriorityMinimum: 1200, versionPriority: 500 },
    });
    assert.equal(made.status, 201);
    await plinth.send('POST', DEFINITIONS, definition(['v1', 'v2']));
    await untilStatus(`v2.${GROUP}`, 200);
    await plinth.send('DELETE', `${DEFINITIONS}/lamps.${GROUP}`);
    await untilStatus(`v2.${GROUP}`, 404);
    const { json } = await apiService(`v1.${GROUP}`);
    assert.equal(json.metadata.resourceVersion, made.json.metadata.resourceVersion);
  });
});
