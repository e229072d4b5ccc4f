import assert from 'node:assert/strict';
import {
  APPLY,
  CRDS,
  crd,
  install,
  JSON_PATCH,
  MERGE,
  OPEN_SCHEMA,
  patched,
} from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const version = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: OPEN_SCHEMA },
  subresources: {
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
});

describe('who owns the fields of an object', () => {
  let plinth: Plinth;
  let apps: string;
  before(async () => {
    plinth = await Plinth.start();
    const versions = [version('v1', false), version('v2', true)];
    apps = await install(plinth, { plural: 'apps', kind: 'App', versions });
  });
  after(() => plinth.dispose());

  function applied(name: string, spec: object, query: string, api = 'v1'): Promise<Reply> {
    return patched(plinth, `${apps.replace('/v1/', `/${api}/`)}/${name}?${query}`, APPLY, {
      apiVersion: `test.example.com/${api}`,
      kind: 'App',
      metadata: { name },
      spec,
    });
  }

  const managers = ({ json }: Reply): string[] =>
    (json.metadata.managedFields ?? []).map(({ manager }: any) => manager);

  it('a new object of a built-in kind keeps the entries it comes with, a custom resource does not', async () => {
    const entry = (apiVersion: string): object => ({
      manager: 'other',
      operation: 'Update',
      apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:holderIdentity': {} } },
    });
    const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases?fieldManager=me';
    const lease = { metadata: { name: 'a', managedFields: [entry('coordination.cluster.io/v1')] } };
    assert.deepEqual(managers(await plinth.send('POST', leases, lease)), ['other']);
    const app = await plinth.send('POST', `${apps}?fieldManager=me`, {
      apiVersion: 'test.example.com/v1',
      kind: 'App',
      metadata: { name: 'carried', managedFields: [entry('test.example.com/v1')] },
      spec: { replicas: 1 },
    });
    assert.deepEqual(managers(app), ['me']);
  });

  it('an apply that changes nothing writes nothing, at any time', async () => {
    const first = await applied('same', { replicas: 1 }, 'fieldManager=me');
    const { resourceVersion } = first.json.metadata;
    // Entries have whole seconds: wait for the server's next one.
    const since = first.json.metadata.managedFields[0].time;
    await eventually(async () => {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'now-' } };
      const { json } = await plinth.send('POST', '/api/v1/namespaces?dryRun=All', body);
      return json.metadata.creationTimestamp > since;
    }, 'the next second');
    const again = await applied('same', { replicas: 1 }, 'fieldManager=me');
    assert.equal(again.json.metadata.resourceVersion, resourceVersion);
    assert.deepEqual(again.json.metadata.managedFields, first.json.metadata.managedFields);
  });

  it('a field that an apply names and the schema drops is not owned: a warning tells of it, under Strict too', async () => {
    const open = { type: 'object', additionalProperties: true };
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { open, image: { type: 'string' } } } },
    };
    const boxes = await install(plinth, { plural: 'boxes', kind: 'Box', schema });
    const send = (options = ''): Promise<Reply> =>
      patched(plinth, `${boxes}/dropped?fieldManager=me${options}`, APPLY, {
        apiVersion: 'test.example.com/v1',
        kind: 'Box',
        metadata: { name: 'dropped' },
        spec: { open: { kept: { gone: 1 }, text: 'a' } },
      });
    const { status, json, text } = await send();
    assert.equal(status, 201, text);
    assert.deepEqual(json.spec, { open: { kept: {}, text: 'a' } });
    assert.deepEqual(json.metadata.managedFields[0].fieldsV1, {
      'f:spec': { 'f:open': { 'f:kept': {}, 'f:text': {} } },
    });
    for (const validation of ['Warn', 'Strict']) {
      const again = await send(`&fieldValidation=${validation}`);
      assert.equal(again.status, 200, again.text);
      assert.match(String(again.headers.warning), /unknown field \\"spec\.open\.kept\.gone\\"/);
      assert.equal(again.json.metadata.resourceVersion, json.metadata.resourceVersion);
    }
  });

  it('kubectl takes over a definition that it applied with the extension keys of Kubernetes', async () => {
    const body = (type: string): any => {
      const tags = { type: 'array', items: { type }, 'x-kubernetes-list-type': 'set' };
      const schema = { type: 'object', properties: { tags } };
      return crd({ plural: 'shelves', kind: 'Shelf', schema });
    };
    const first = body('string');
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const annotations = { [annotation]: JSON.stringify(first) };
    const created = await plinth.send('POST', `${CRDS}?fieldManager=kubectl-client-side-apply`, {
      ...first,
      metadata: { ...first.metadata, annotations },
    });
    assert.equal(created.status, 201, created.text);
    const path = `${CRDS}/${first.metadata.name}?fieldManager=kubectl`;
    const { status, json, text } = await patched(plinth, path, APPLY, body('integer'));
    assert.equal(status, 200, text);
    const last = JSON.parse(json.metadata.annotations[annotation]);
    assert.deepEqual(last.spec, body('integer').spec, 'the annotation keeps the names of the file');
    const { tags } = json.spec.versions[0].schema.openAPIV3Schema.properties;
    assert.equal(tags['x-kubernetes-list-type'], 'set', 'and so does what kubectl reads');
  });

  it('the scale does not take replicas over from those who apply them', async () => {
    await applied('scaled', { replicas: 2 }, 'fieldManager=owner');
    const scale = (replicas: number, query: string): Promise<Reply> =>
      patched(plinth, `${apps}/scaled/scale?fieldManager=scaler${query}`, APPLY, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'scaled' },
        spec: { replicas },
      });
    for (const query of ['', '&force=true']) {
      const { status, json } = await scale(3, query);
      assert.equal(status, 409);
      assert.equal(json.details.causes[0].field, '.spec.replicas');
    }
    assert.equal((await plinth.get(`${apps}/scaled`)).json.spec.replicas, 2);
    assert.equal((await scale(2, '&force=true')).status, 200);
  });

  it('entries of a version that is gone stop applies until they are reset', async () => {
    await applied('old', { replicas: 2 }, 'fieldManager=alice');
    await applied('old', { image: 'a' }, 'fieldManager=bob', 'v2');
    const body = crd({ plural: 'apps', kind: 'App' });
    const gone = await patched(plinth, `${CRDS}/${body.metadata.name}`, JSON_PATCH, [
      { op: 'test', path: '/spec/versions/0/name', value: 'v1' },
      { op: 'remove', path: '/spec/versions/0' },
    ]);
    assert.equal(gone.status, 200, gone.text);
    await eventually(async () => (await plinth.get(`${apps}/old`)).status === 404, 'v1 is gone');
    const refused = await applied('old', { color: 'red' }, 'fieldManager=carol', 'v2');
    assert.ok(refused.status >= 400 && refused.status < 500, refused.text);
    assert.match(refused.json.message, /has no version test\.example\.com\/v1/);
    const v2 = apps.replace('/v1/', '/v2/');
    const changed = await patched(plinth, `${v2}/old`, MERGE, { spec: { replicas: 5 } });
    assert.deepEqual([changed.status, managers(changed)], [200, []]);
    const after = await applied('old', { color: 'red' }, 'fieldManager=carol', 'v2');
    assert.deepEqual(managers(after), ['carol', 'before-first-apply']);
  });

  it('an apply that empties an object keeps it, in custom and built-in kinds and in labels', async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            disks: { type: 'object', additionalProperties: { type: 'string' } },
            parts: {
              type: 'array',
              'x-cluster-list-type': 'map',
              'x-cluster-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  limits: { type: 'object', additionalProperties: { type: 'integer' } },
                },
              },
            },
          },
        },
      },
    };
    const racks = await install(plinth, { plural: 'racks', kind: 'Rack', schema });
    const rack = (labels: object, spec: object): Promise<Reply> =>
      patched(plinth, `${racks}/r?fieldManager=me`, APPLY, {
        apiVersion: 'test.example.com/v1',
        kind: 'Rack',
        metadata: { name: 'r', labels },
        spec,
      });
    const full = { disks: { a: 'ssd' }, parts: [{ name: 'x', limits: { cpu: 1 } }] };
    assert.equal((await rack({ a: 'b' }, full)).status, 201);
    const empty = { disks: {}, parts: [{ name: 'x', limits: {} }] };
    const emptied = await rack({}, empty);
    assert.deepEqual([emptied.status, emptied.json.spec], [200, empty], emptied.text);
    assert.equal(emptied.json.metadata.labels, undefined);
    const again = await rack({}, empty);
    assert.equal(again.text, emptied.text, 'the second time writes nothing');

    const node = (labels: object): Promise<Reply> =>
      patched(plinth, '/api/v1/nodes/n?fieldManager=me', APPLY, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n', labels },
      });
    assert.equal((await node({ a: 'b' })).status, 201);
    const bare = await node({});
    assert.deepEqual([bare.status, bare.json.metadata.labels], [200, undefined], bare.text);
  });

  it('an update in a version whose defaults are not stored keeps them where it changes nothing that is stored', async () => {
    const schema = (fields: object): object => ({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { size: { type: 'integer' }, ...fields } },
          },
        },
      },
    });
    const versions = [
      { name: 'v1', served: true, storage: true, ...schema({}) },
      {
        ...{ name: 'v2', served: true, storage: false },
        ...schema({ color: { type: 'string', default: 'red' } }),
      },
    ];
    const caps = await install(plinth, { plural: 'caps', kind: 'Cap', versions });
    const second = `${caps.replace('/v1/', '/v2/')}/c?fieldManager=other`;
    const type = { apiVersion: 'test.example.com/v1', kind: 'Cap' };
    const cap = { ...type, metadata: { name: 'c' }, spec: { size: 1 } };
    const made = await plinth.send('POST', `${caps}?fieldManager=maker`, cap);
    assert.deepEqual(managers(made), ['maker']);
    const read = (await plinth.get(second)).json;
    for (const answer of [
      await patched(plinth, second, MERGE, {}),
      await patched(plinth, second, MERGE, { spec: { size: 1 } }),
      await patched(plinth, second, JSON_PATCH, []),
      await plinth.send('PUT', second, (await plinth.get(second)).json),
    ]) {
      assert.deepEqual(answer.json.metadata.managedFields, read.metadata.managedFields);
    }
    // what changes cannot be told apart from the default, so none owns it: as recorded
    const reset = { metadata: { managedFields: [{}] } };
    for (const change of [{ spec: { size: 2 } }, reset]) {
      assert.deepEqual(managers(await patched(plinth, second, MERGE, change)), []);
      const { json } = await plinth.send('DELETE', `${caps}/c`);
      assert.equal(json.status, 'Success');
      assert.equal((await plinth.send('POST', `${caps}?fieldManager=maker`, cap)).status, 201);
    }
  });
});
