import assert from 'node:assert/strict';
import { APPLY, install, MERGE, patched } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const text = { type: 'string' };

const version = (name: string, storage: boolean, spec: object): object => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: text, ...spec } },
        status: { type: 'object', default: {}, properties: { phase: { ...text, default: 'New' } } },
      },
    },
  },
});

describe('names, versions and options of requests', () => {
  let plinth: Plinth;
  let apps: string;
  before(async () => {
    plinth = await Plinth.start();
    const versions = [
      version('v1', false, { level: { ...text, default: 'low' } }),
      version('v2', true, { level: text }),
    ];
    apps = await install(plinth, { plural: 'apps', kind: 'App', versions });
  });
  after(() => plinth.dispose());

  const get = (path: string, headers?: Record<string, string>): Promise<Reply> =>
    plinth.send('GET', path, undefined, headers);
  const applied = (name: string, metadata: object, spec: object): Promise<Reply> =>
    patched(plinth, `${apps}/${name}?fieldManager=me`, APPLY, {
      apiVersion: 'test.example.com/v1',
      kind: 'App',
      metadata,
      spec,
    });
  const saying = ({ status, json }: Reply): [number, string] => [status, json.message];

  it('an apply that changes nothing writes nothing where its version has defaults of its own', async () => {
    assert.equal((await applied('same', { name: 'same' }, { a: 'x' })).status, 201);
    // the default of the status, which creates leave out, is stored with the next write
    const first = await applied('same', { name: 'same' }, { a: 'x' });
    assert.equal(first.status, 200, first.text);
    for (let i = 0; i < 3; i++) await applied('same', { name: 'same' }, { a: 'x' });
    const { metadata } = (await get(`${apps}/same`)).json;
    assert.equal(metadata.generation, 1);
    assert.equal(metadata.resourceVersion, first.json.metadata.resourceVersion);
    const changed = await applied('same', { name: 'same' }, { a: 'y' });
    assert.equal(changed.json.metadata.generation, 2);
  });

  it('a merge patch stores the defaults of its version once, also when it changes nothing', async () => {
    const stored = { apiVersion: 'test.example.com/v2', kind: 'App', spec: { a: 'x' } };
    const body = { ...stored, metadata: { name: 'defaulted' } };
    const created = await plinth.send('POST', apps.replace('/v1/', '/v2/'), body);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.json.spec, { a: 'x' });
    const patch = (): Promise<Reply> =>
      patched(plinth, `${apps}/defaulted`, MERGE, { spec: { a: 'x' } });
    const [first, second] = [await patch(), await patch()];
    assert.equal(first.json.spec.level, 'low');
    assert.equal(first.json.metadata.generation, 2);
    assert.equal(second.json.metadata.resourceVersion, first.json.metadata.resourceVersion);
  });

  it('an apply that takes the version away is refused as one without', async () => {
    await applied('versions', { name: 'versions' }, { a: 'x' });
    for (const resourceVersion of ['', '0', null]) {
      const refused = await applied('versions', { name: 'versions', resourceVersion }, { a: 'y' });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.json.message, /must be specified for an update/);
    }
  });

  it('a patch of the status changes nothing else, whatever else it says', async () => {
    await applied('typed', { name: 'typed' }, { a: 'x' });
    const patch = { apiVersion: 'test.example.com/v9', kind: 'Other', status: { phase: 'Done' } };
    const { status, json } = await patched(plinth, `${apps}/typed/status`, MERGE, patch);
    assert.deepEqual([status, json.kind, json.status.phase], [200, 'App', 'Done']);
    assert.equal(json.apiVersion, 'test.example.com/v1');
  });

  it('an apply names the object that it creates', async () => {
    const [status, message] = saying(await applied('nameless', {}, { a: 'x' }));
    assert.equal(status, 400);
    assert.match(message, /name must be provided/);
  });

  it('a dry run of a create shows the defaults of the status', async () => {
    const made = await plinth.send('POST', `${apps.replace('/v1/', '/v2/')}?dryRun=All`, {
      apiVersion: 'test.example.com/v2',
      kind: 'App',
      metadata: { name: 'dry' },
      status: { phase: 'Old' },
    });
    assert.deepEqual([made.status, made.json.status], [201, { phase: 'New' }], made.text);
  });

  it('a path names nothing that no object can be called', async () => {
    const [status, message] = saying(await get(`${LEASES}/a%25b`));
    assert.deepEqual(
      [status, message],
      [400, 'Name parameter invalid: "a%b": may not contain \'%\''],
    );
  });

  it('there is nothing below a review', async () => {
    const reviews = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
    assert.equal((await get(`${reviews}/x`)).status, 404);
  });

  it('a watch has no pages', async () => {
    const reply = await get(`${LEASES}?watch=1&continue=T`);
    assert.equal(reply.status, 422);
    assert.equal(reply.json.details.causes[0].field, 'continue');
  });

  it('a selector that cannot be read is told before a form that no stream has', async () => {
    const yaml = { accept: 'application/yaml' };
    assert.equal((await get(`${LEASES}?watch=1&labelSelector=a%3D%3D%3D`, yaml)).status, 400);
    assert.equal((await get(`${LEASES}?watch=1&fieldSelector=spec.x%3D1`, yaml)).status, 400);
    assert.equal((await get(`${LEASES}?watch=1`, yaml)).status, 406);
  });

  it('a form that no answer has is told before all that is wrong with a watch', async () => {
    const html = { accept: 'text/html' };
    for (const wrong of ['labelSelector=a%3D%3D%3D', 'limit=x', 'resourceVersionMatch=Exact']) {
      assert.equal((await get(`${LEASES}?watch=1&${wrong}`, html)).status, 406, wrong);
      assert.equal((await get(`${LEASES}?${wrong}`, html)).status, 406, wrong);
    }
  });

  it('reports the same one of two invalid options as kube-apiserver', async () => {
    const [status, message] = saying(await get(`${LEASES}?limit=x&timeoutSeconds=y`));
    assert.equal(status, 400);
    assert.match(message, /"y"/);
  });

  it('says which fields can be selected by', async () => {
    const [status, message] = saying(await get('/api/v1/nodes?fieldSelector=spec.x%3D1'));
    assert.equal(status, 400);
    assert.equal(
      message,
      'field label not supported: spec.x (supported: metadata.name, spec.unschedulable)',
    );
  });

  it('says what a resource version is', async () => {
    const [status, message] = saying(await get(`${LEASES}?resourceVersion=abc`));
    assert.equal(status, 400);
    assert.match(
      message,
      /invalid resource version "abc": must be the resourceVersion of an earlier/,
    );
  });

  it('a parameter that cannot be read is named', async () => {
    for (const [query, text] of [
      ['limit=1e3', /^invalid value for limit: "1e3": must be an integer$/],
      ['timeoutSeconds=1.5', /^invalid value for timeoutSeconds: "1.5": must be an integer$/],
      ['limit=99999999999999999999', /^invalid value for limit: .* must fit into 64 bits$/],
      ['allowWatchBookmarks=maybe', /^invalid value for allowWatchBookmarks: "maybe"/],
      ['timeout=10', /^invalid timeout .*: missing unit in duration "10"/],
      ['timeout=soon', /^invalid timeout .*: invalid duration "soon"/],
    ] as const) {
      const [status, message] = saying(await get(`${LEASES}?${query}`));
      assert.equal(status, 400, query);
      assert.match(message, text);
    }
  });

  it('a replace that creates takes no version that cannot be one, and no uid', async () => {
    const put = (metadata: object): Promise<Reply> =>
      plinth.send('PUT', `${LEASES}/new`, { metadata: { name: 'new', ...metadata } });
    assert.equal((await put({ resourceVersion: 'x' })).status, 400);
    const [status, message] = saying(await put({ uid: 'abc' }));
    assert.equal(status, 409);
    assert.match(message, /UID in object meta: none, since the object does not exist$/);
    assert.equal((await put({ resourceVersion: '5' })).status, 201);
  });

  it('a uid is a conflict where there is no object, whether a replace creates or not', async () => {
    for (const path of ['/api/v1/namespaces/none', `${apps}/none`]) {
      const body = {
        apiVersion: path.startsWith(apps) ? 'test.example.com/v1' : 'v1',
        kind: path.startsWith(apps) ? 'App' : 'Namespace',
        metadata: { name: 'none', uid: 'abc' },
      };
      assert.equal((await plinth.send('PUT', path, body)).status, 409, path);
      const { uid: _, ...metadata } = body.metadata;
      assert.equal((await plinth.send('PUT', path, { ...body, metadata })).status, 404, path);
    }
  });

  it('a Namespace that is changed stands in no other namespace', async () => {
    const path = '/api/v1/namespaces/default';
    const replaced = (namespace: string): Promise<Reply> =>
      plinth.send('PUT', path, { metadata: { name: 'default', namespace } });
    assert.equal((await replaced('other')).status, 400);
    const patch = { metadata: { namespace: 'other' } };
    assert.equal((await patched(plinth, path, MERGE, patch)).status, 400);
    for (const namespace of ['', 'default']) {
      const { status, json } = await replaced(namespace);
      assert.deepEqual([status, json.metadata.namespace], [200, undefined], namespace);
    }
  });

  it('a generated name that is taken may be tried again', async () => {
    const post = (): Promise<Reply> =>
      plinth.send('POST', LEASES, { metadata: { name: 'taken', generateName: 't' } });
    assert.equal((await post()).status, 201);
    const { status, json, headers } = await post();
    assert.deepEqual([status, json.reason], [409, 'AlreadyExists']);
    assert.equal(json.details.retryAfterSeconds, 1);
    assert.equal(headers['retry-after'], '1');
  });

  it('an error in metadata does not print all of it', async () => {
    const labels = { huge: 'x'.repeat(50), a: 5 };
    const { status, text: body } = await plinth.send('POST', apps, {
      apiVersion: 'test.example.com/v1',
      kind: 'App',
      metadata: { name: 'm', labels },
    });
    assert.equal(status, 400);
    assert.ok(!body.includes(labels.huge), body);
    assert.match(body, /labels/);
  });

  it('the path of a version has one method, and nothing is below it', async () => {
    assert.equal((await plinth.send('POST', '/version', {})).status, 405);
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await plinth.send(method, '/version/x')).status, 404, method);
    }
  });
});
