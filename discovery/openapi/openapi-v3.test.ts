import assert from 'node:assert/strict';
import { systemClock } from '../../api/clock.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { Catalog } from '../../registry/catalog.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import { leaseDefinition } from '../../resources/coordination/lease.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { Discovery } from '../discovery.ts';
import { customDefinition, requestOf, type RequestInit } from '../testing/definitions.ts';
import type { ApiResponse } from '../../http/message.ts';
import { OpenApiV3 } from './openapi-v3.ts';

const WIDGETS = {
  group: 'example.com',
  kind: 'Widget',
  generation: '1',
  subresources: {
    status: {},
    scale: { specReplicas: ['spec'], statusReplicas: ['status'], labelSelector: undefined },
  },
  selectableFields: ['spec.color'],
  schema: {
    type: 'object',
    description: 'A widget.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', minimum: 1, description: 'How big.' },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
          tags: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
        },
        'x-cluster-validations': [{ rule: 'self.size > 0' }],
      },
      template: { type: 'object', 'x-cluster-embedded-resource': true, example: {} },
    },
  } satisfies JsonObject,
};

interface Served {
  readonly catalog: Catalog;
  readonly openapi: OpenApiV3;
}

function served(...custom: ResourceDefinition[]): Served {
  const catalog = new Catalog([namespaceDefinition, leaseDefinition(ALL_FEATURE_GATES)]);
  setCustom(catalog, custom);
  const discovery = new Discovery({ catalog, serverAddress: () => '' });
  return { catalog, openapi: new OpenApiV3({ discovery, clock: systemClock }) };
}

function setCustom(catalog: Catalog, custom: ResourceDefinition[]): void {
  catalog.setCustom(new Map(custom.map((d) => [`${d.names.plural}.${d.group}`, d])));
}

async function ask({ openapi }: Served, url: string, init?: RequestInit): Promise<ApiResponse> {
  const response = await openapi.handle(requestOf(url, init));
  assert.ok(response !== undefined, `${url} is not answered`);
  return response;
}

async function json(server: Served, url: string): Promise<JsonObject> {
  const { status, body } = await ask(server, url);
  assert.equal(status, 200);
  return JSON.parse((body as Buffer).toString()) as JsonObject;
}

async function urls(server: Served): Promise<Record<string, string>> {
  const { paths } = (await json(server, '/openapi/v3')) as unknown as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]),
  );
}

describe('OpenAPI 3', () => {
  it('has an index with a hash for every group and version', async () => {
    const index = await urls(served(customDefinition(WIDGETS)));
    assert.deepEqual(Object.keys(index), [
      'api/v1',
      'apis/coordination.cluster.io/v1',
      'apis/example.com/v1',
    ]);
    for (const [path, url] of Object.entries(index)) {
      assert.match(url, new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{128}$`));
    }
  });

  it('lets clients keep a document under its hash for ever', async () => {
    const server = served(customDefinition(WIDGETS));
    for (const url of Object.values(await urls(server))) {
      const { status, headers } = await ask(server, url);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers['cache-control'], 'public, immutable');
      assert.equal(headers['vary'], 'Accept');
      assert.ok(new Date(headers['expires'] as string).getTime() > Date.now() + 300 * 86_400_000);
      assert.equal(headers['etag'], `"${url.split('=')[1] ?? ''}"`);
    }
  });

  it('may change without the hash, and says when it has not', async () => {
    const server = served();
    const { headers } = await ask(server, '/openapi/v3/api/v1');
    assert.equal(headers['cache-control'], undefined, 'the default of all answers');
    assert.equal(headers['vary'], 'Accept');
    const again = await ask(server, '/openapi/v3/api/v1/', {
      headers: { 'if-none-match': headers['etag'] as string },
    });
    assert.deepEqual([again.status, (again.body as Buffer).length], [304, 0]);
    const index = await ask(server, '/openapi/v3');
    const etag = index.headers['etag'] as string;
    const unchanged = await ask(server, '/openapi/v3', { headers: { 'if-none-match': etag } });
    assert.equal(unchanged.status, 304);
  });

  it('sends clients with a wrong hash to the right one', async () => {
    const server = served();
    const { status, headers } = await ask(server, '/openapi/v3/api/v1?hash=0123');
    assert.equal(status, 301);
    assert.equal(headers['location'], (await urls(server))['api/v1']);
  });

  const refused: [what: string, url: string, init: RequestInit, code: number][] = [
    ['YAML', '/openapi/v3/api/v1', { headers: { accept: 'application/yaml' } }, 406],
    ['any text', '/openapi/v3/api/v1', { headers: { accept: 'text/plain' } }, 406],
    ['a change', '/openapi/v3/api/v1', { method: 'PUT' }, 405],
  ];
  for (const [what, url, init, code] of refused) {
    it(`refuses ${what} with ${code}`, async () => {
      await assert.rejects(async () => ask(served(), url, init), { code });
    });
  }

  it('leaves what is not published to others', () => {
    const { openapi } = served();
    for (const url of ['/openapi', '/openapi/v3x', '/openapi/v3/apis/none/v1', '/openapi/v3/api']) {
      assert.equal(openapi.handle(requestOf(url)), undefined, url);
    }
  });

  describe('of a custom resource', () => {
    const ROOT = '/apis/example.com/v1';
    const OBJECT = `${ROOT}/namespaces/{namespace}/widgets/{name}`;
    let document: JsonObject;
    before(async () => {
      document = await json(served(customDefinition(WIDGETS)), '/openapi/v3/apis/example.com/v1');
    });
    const at = (...keys: string[]) => getPath(document, ...keys);
    const methods = (path: string): string[] =>
      Object.keys(at('paths', path) as JsonObject).filter((key) => key !== 'parameters');

    it('lists every path with its operations', () => {
      const paths = Object.keys(at('paths') as JsonObject);
      assert.deepEqual(Object.fromEntries(paths.map((path) => [path, methods(path).join(' ')])), {
        [`${ROOT}/widgets`]: 'get',
        [`${ROOT}/namespaces/{namespace}/widgets`]: 'get post delete',
        [OBJECT]: 'get put patch delete',
        [`${OBJECT}/status`]: 'get put patch',
        [`${OBJECT}/scale`]: 'get put patch',
      });
    });

    it('gives each operation what clients find it by', () => {
      const ids = new Set<string>();
      for (const path of Object.keys(at('paths') as JsonObject)) {
        for (const method of methods(path)) {
          const operation = at('paths', path, method) as JsonObject;
          const kind = { group: 'example.com', kind: 'Widget', version: 'v1' };
          assert.deepEqual(operation['x-kubernetes-group-version-kind'], kind);
          ids.add(operation['operationId'] as string);
          assert.deepEqual(operation['tags'], ['exampleCom_v1']);
        }
      }
      assert.equal(ids.size, 14, 'every id is another');
      assert.ok(ids.has('readExampleComV1NamespacedWidgetStatus'));
      assert.equal(at('paths', OBJECT, 'patch', 'x-kubernetes-action'), 'patch');
      assert.equal(at('paths', `${ROOT}/widgets`, 'get', 'x-kubernetes-action'), 'list');
    });

    it('names the parameters of a patch on the operation itself', () => {
      const patch = at('paths', OBJECT, 'patch', 'parameters') as JsonObject[];
      assert.deepEqual(
        patch.map(({ name, in: place }) => [name, place]),
        ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => [name, 'query']),
      );
      const shared = at('paths', OBJECT, 'parameters') as JsonObject[];
      assert.deepEqual(
        shared.map(({ name, in: place, required }) => [name, place, required]),
        [
          ['name', 'path', true],
          ['namespace', 'path', true],
          ['pretty', 'query', undefined],
        ],
      );
    });

    it('names the forms of a patch, without the strategic one', () => {
      const content = at('paths', OBJECT, 'patch', 'requestBody', 'content') as JsonObject;
      assert.deepEqual(Object.keys(content).sort(), [
        'application/apply-patch+yaml',
        'application/json-patch+json',
        'application/merge-patch+json',
      ]);
    });

    it('names bodies and answers by their schema', () => {
      const path = `${ROOT}/namespaces/{namespace}/widgets`;
      const ref = { $ref: '#/components/schemas/com.example.v1.Widget' };
      const content = { 'application/json': { schema: ref }, 'application/yaml': { schema: ref } };
      assert.deepEqual(at('paths', path, 'post', 'requestBody', 'content'), content);
      const responses = at('paths', path, 'post', 'responses') as JsonObject;
      assert.deepEqual(Object.keys(responses).sort(), ['200', '201', '202', '401']);
      assert.deepEqual(responses['201'], { description: 'Created', content });
    });

    it('publishes the schema of the CRD in the spelling that clients know', () => {
      const schema = at('components', 'schemas', 'com.example.v1.Widget') as JsonObject;
      assert.equal(schema['description'], 'A widget.');
      assert.deepEqual(schema['required'], ['spec']);
      assert.deepEqual(schema['x-kubernetes-group-version-kind'], [
        { group: 'example.com', kind: 'Widget', version: 'v1' },
      ]);
      assert.deepEqual(schema['x-kubernetes-selectable-fields'], [{ fieldPath: 'spec.color' }]);
      assert.deepEqual(getPath(schema, 'properties', 'spec'), {
        type: 'object',
        properties: {
          size: { type: 'integer', minimum: 1, description: 'How big.' },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        },
        'x-kubernetes-validations': [{ rule: 'self.size > 0' }],
      });
      assert.deepEqual(getPath(schema, 'properties', 'metadata', 'allOf'), [
        { $ref: '#/components/schemas/io.cluster.meta.v1.ObjectMeta' },
      ]);
    });

    it('gives embedded objects their type and metadata', () => {
      const path = ['components', 'schemas', 'com.example.v1.Widget', 'properties', 'template'];
      const template = at(...path) as JsonObject;
      assert.deepEqual(template['required'], ['kind', 'apiVersion']);
      const fields = Object.keys(template['properties'] as JsonObject);
      assert.deepEqual(fields, ['apiVersion', 'kind', 'metadata']);
      assert.equal(template['example'], undefined);
    });

    it('publishes the list', () => {
      const list = at('components', 'schemas', 'com.example.v1.WidgetList') as JsonObject;
      assert.deepEqual(list['required'], ['items']);
      assert.deepEqual(getPath(list, 'properties', 'items', 'items'), {
        $ref: '#/components/schemas/com.example.v1.Widget',
      });
    });

    it('refers only to schemas that are there', () => {
      const text = JSON.stringify(document);
      const schemas = at('components', 'schemas') as JsonObject;
      for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        assert.ok(name in schemas, name);
      }
    });
  });

  it('says nothing of the fields of a resource without a schema', async () => {
    const definition = customDefinition({ group: 'a.b', kind: 'C' });
    const bare: ResourceDefinition = {
      ...definition,
      versions: definition.versions.map(({ document: _, ...version }) => version),
    };
    const document = await json(served(bare), '/openapi/v3/apis/a.b/v1');
    assert.deepEqual(getPath(document, 'components', 'schemas', 'b.a.v1.C'), {
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'a.b', kind: 'C', version: 'v1' }],
    });
  });

  it('publishes what a version of the definition has, not what others have', async () => {
    const server = served(customDefinition({ ...WIDGETS, versions: ['v1', 'v2', '-v3'] }));
    assert.deepEqual(Object.keys(await urls(server)).slice(2), [
      'apis/example.com/v2',
      'apis/example.com/v1',
    ]);
    const document = await json(server, '/openapi/v3/apis/example.com/v2');
    const schemas = Object.keys(getPath(document, 'components', 'schemas') as JsonObject);
    assert.deepEqual(
      schemas.filter((name) => name.startsWith('com.')),
      ['com.example.v2.Widget', 'com.example.v2.WidgetList'],
    );
  });

  describe('of built-in kinds', () => {
    it('offers strategic merge patches, and says how lists merge', async () => {
      const document = await json(served(), '/openapi/v3/api/v1');
      const patch = getPath(document, 'paths', '/api/v1/namespaces/{name}', 'patch');
      const content = getPath(patch, 'requestBody', 'content') as JsonObject;
      assert.ok('application/strategic-merge-patch+json' in content);
      const status = 'io.cluster.core.v1.NamespaceStatus';
      const conditions = getPath(
        document,
        'components',
        'schemas',
        status,
        'properties',
        'conditions',
      ) as JsonObject;
      assert.deepEqual(
        Object.fromEntries(Object.entries(conditions).filter(([key]) => key.startsWith('x-'))),
        {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'type',
        },
      );
    });

    it('lists the operations that the kind has', async () => {
      const { paths } = await json(served(), '/openapi/v3/api/v1');
      const methods = Object.entries(paths as Record<string, JsonObject>).map(([path, item]) => [
        path,
        Object.keys(item)
          .filter((key) => key !== 'parameters')
          .join(' '),
      ]);
      assert.deepEqual(Object.fromEntries(methods), {
        '/api/v1/namespaces': 'get post',
        '/api/v1/namespaces/{name}': 'get put patch delete',
        '/api/v1/namespaces/{name}/finalize': 'put',
        '/api/v1/namespaces/{name}/status': 'get put patch',
      });
    });

    it('publishes kinds, their lists and the types of their fields', async () => {
      const document = await json(served(), '/openapi/v3/apis/coordination.cluster.io/v1');
      const lease = 'io.cluster.coordination.v1.Lease';
      const schema = getPath(document, 'components', 'schemas', lease) as JsonObject;
      assert.deepEqual(schema['x-kubernetes-group-version-kind'], [
        { group: 'coordination.cluster.io', kind: 'Lease', version: 'v1' },
      ]);
      assert.deepEqual(getPath(schema, 'properties', 'spec', 'allOf'), [
        { $ref: `#/components/schemas/${lease}Spec` },
      ]);
      const spec = ['components', 'schemas', `${lease}Spec`, 'properties'];
      assert.deepEqual(getPath(document, ...spec, 'renewTime'), {
        description: 'When the holder last renewed the lease.',
        type: 'string',
        format: 'date-time',
      });
      assert.deepEqual(getPath(document, 'components', 'schemas', `${lease}List`, 'required'), [
        'items',
      ]);
    });
  });

  describe('follows the catalog', () => {
    it('with new hashes for what has changed, and the old ones for the rest', async () => {
      const server = served(customDefinition(WIDGETS));
      const before = await urls(server);
      setCustom(server.catalog, [
        customDefinition({ ...WIDGETS, generation: '2' }),
        customDefinition({ group: 'other.io', kind: 'Other' }),
      ]);
      const after = await urls(server);
      assert.notEqual(after['apis/example.com/v1'], before['apis/example.com/v1']);
      assert.ok('apis/other.io/v1' in after);
      assert.equal(after['api/v1'], before['api/v1']);
      setCustom(server.catalog, []);
      assert.deepEqual(Object.keys(await urls(server)).length, 2);
      assert.equal(server.openapi.handle(requestOf('/openapi/v3/apis/example.com/v1')), undefined);
    });

    it('with the same hash on every server', async () => {
      const [a, b] = [served(customDefinition(WIDGETS)), served(customDefinition(WIDGETS))];
      assert.deepEqual(await urls(a), await urls(b));
    });

    it('and reads a schema only when its document is asked for, once', async () => {
      let reads = 0;
      const definition = customDefinition(WIDGETS);
      const counted: ResourceDefinition = {
        ...definition,
        versions: definition.versions.map((version) => ({
          ...version,
          document: () => {
            reads++;
            return version.document?.();
          },
        })),
      };
      const server = served(counted);
      await urls(server);
      assert.equal(reads, 0);
      const url = '/openapi/v3/apis/example.com/v1';
      await Promise.all([ask(server, url), ask(server, url)]);
      setCustom(server.catalog, [counted, customDefinition({ group: 'o.io', kind: 'O' })]);
      await ask(server, url);
      assert.equal(reads, 1);
    });
  });
});
