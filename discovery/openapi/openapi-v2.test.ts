import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { systemClock } from '../../api/clock.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { Catalog } from '../../registry/catalog.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { Discovery } from '../discovery.ts';
import {
  customDefinition,
  requestOf,
  type CustomInit,
  type RequestInit,
} from '../testing/definitions.ts';
import type { ApiResponse } from '../../http/message.ts';
import { OpenApiV2 } from './openapi-v2.ts';
import { OpenApiV3 } from './openapi-v3.ts';

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

const WIDGETS: CustomInit = {
  group: 'example.com',
  kind: 'Widget',
  subresources: { status: {} },
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        description: 'What is wanted.',
        required: ['size'],
        properties: {
          size: { type: 'integer', minimum: 1, maximum: 10, description: 'How big.' },
          color: { type: 'string', enum: ['red', 'blue'], default: 'red', maxLength: 9 },
          port: { 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }] },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

function served(...custom: CustomInit[]): OpenApiV2 {
  const catalog = new Catalog([namespaceDefinition]);
  catalog.setCustom(new Map(custom.map((init) => [init.kind, customDefinition(init)])));
  const discovery = new Discovery({ catalog, serverAddress: () => '' });
  const v3 = new OpenApiV3({ discovery, clock: systemClock });
  return new OpenApiV2({ v3, clock: systemClock });
}

async function ask(openapi: OpenApiV2, init?: RequestInit): Promise<ApiResponse> {
  const response = await openapi.handle(requestOf('/openapi/v2', init));
  assert.ok(response !== undefined);
  return response;
}

/** A long document comes in pieces to a client that does not take gzip. */
async function textOf({ body }: ApiResponse): Promise<string> {
  if (Buffer.isBuffer(body)) return body.toString();
  const pieces: Buffer[] = [];
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function json(openapi: OpenApiV2): Promise<JsonObject> {
  return JSON.parse(await textOf(await ask(openapi))) as JsonObject;
}

/** The messages of gnostic that documents contain, written down a second time. */
const GNOSTIC = protobuf
  .parse(
    `syntax = "proto3"; package v2;
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Info { string title = 1; string version = 2; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Properties { repeated NamedSchema members = 1; }
  message Additional { Schema schema = 1; bool boolean = 2; }
  message Strings { repeated string value = 1; }
  message Items { repeated Schema schema = 1; }
  message Schema {
    string ref = 1; string format = 2; string description = 4; double maximum = 7;
    double minimum = 9; int64 maxLength = 11; repeated string required = 19;
    repeated Any enum = 20; Additional additional = 21; Strings type = 22; Items items = 23;
    Properties properties = 25; repeated NamedAny extensions = 31;
  }
  message Body { string name = 2; string in = 3; bool required = 4; Schema schema = 5; }
  message Query { string in = 2; string name = 4; string type = 6; bool unique = 20; }
  message InPath { bool required = 1; string in = 2; string name = 4; string type = 5; }
  message NonBody { Query query = 3; InPath path = 4; }
  message Parameter { Body body = 1; NonBody other = 2; }
  message ParametersItem { Parameter parameter = 1; }
  message SchemaItem { Schema schema = 1; }
  message Response { string description = 1; SchemaItem schema = 2; }
  message ResponseValue { Response response = 1; }
  message NamedResponse { string name = 1; ResponseValue value = 2; }
  message Responses { repeated NamedResponse codes = 1; }
  message Operation {
    repeated string tags = 1; string description = 3; string id = 5; repeated string produces = 6;
    repeated string consumes = 7; repeated ParametersItem parameters = 8; Responses responses = 9;
    repeated NamedAny extensions = 13;
  }
  message PathItem {
    Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5;
    Operation patch = 8; repeated ParametersItem parameters = 9;
  }
  message NamedPath { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPath members = 2; }
  message ApiKey { string type = 1; string name = 2; string in = 3; }
  message SecurityItem { ApiKey key = 2; }
  message NamedSecurity { string name = 1; SecurityItem value = 2; }
  message Security { repeated NamedSecurity members = 1; }
  message Document {
    string swagger = 1; Info info = 2; Paths paths = 8; Properties definitions = 9;
    Security security = 13;
  }`,
    { keepCase: true },
  )
  .root.lookupType('v2.Document');

interface Named<T> {
  name: string;
  value: T;
}
interface Decoded {
  swagger: string;
  info: { title: string };
  paths: { members: Named<JsonObject>[] };
  definitions: { members: Named<JsonObject>[] };
  security: { members: Named<{ key: { in: string } }>[] };
}

async function decoded(openapi: OpenApiV2): Promise<Decoded> {
  const { body } = await ask(openapi, { headers: { accept: PROTOBUF } });
  const message = GNOSTIC.decode(body as Buffer);
  return GNOSTIC.toObject(message, { longs: Number }) as Decoded;
}

function member<T>(members: Named<T>[], name: string): T {
  const found = members.filter((m) => m.name === name);
  assert.equal(found.length, 1, name);
  return found[0]!.value;
}

const OBJECT = '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}';

describe('OpenAPI 2', () => {
  it('contains all served paths in one document', async () => {
    const document = await json(served(WIDGETS));
    assert.equal(document['swagger'], '2.0');
    assert.deepEqual(Object.keys(getPath(document, 'paths') as JsonObject).sort(), [
      '/api/v1/namespaces',
      '/api/v1/namespaces/{name}',
      '/api/v1/namespaces/{name}/finalize',
      '/api/v1/namespaces/{name}/status',
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      OBJECT,
      `${OBJECT}/status`,
      '/apis/example.com/v1/widgets',
    ]);
  });

  it('contains the parts of schemas that OpenAPI 2 can express', async () => {
    const document = await json(served(WIDGETS));
    const widget = getPath(document, 'definitions', 'com.example.v1.Widget', 'properties');
    assert.deepEqual(getPath(widget, 'spec'), {
      type: 'object',
      description: 'What is wanted.',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10, description: 'How big.' },
        color: { type: 'string', enum: ['red', 'blue'], maxLength: 9 },
        port: { 'x-kubernetes-int-or-string': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        tags: { type: 'array', items: { type: 'string' } },
      },
    });
    assert.deepEqual(getPath(widget, 'metadata'), {
      description: 'Standard metadata.',
      $ref: '#/definitions/io.cluster.meta.v1.ObjectMeta',
    });
  });

  it('says nothing of the fields of a resource that takes any', async () => {
    const open = {
      ...WIDGETS,
      schema: { ...WIDGETS.schema, 'x-cluster-preserve-unknown-fields': true },
    };
    const document = await json(served(open));
    const widget = getPath(document, 'definitions', 'com.example.v1.Widget') as JsonObject;
    assert.deepEqual([widget['type'], widget['properties']], ['object', undefined]);
  });

  it('has bodies as parameters, and media types as lists', async () => {
    const document = await json(served(WIDGETS));
    const patch = getPath(document, 'paths', OBJECT, 'patch') as JsonObject;
    assert.deepEqual(patch['consumes'], [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    assert.deepEqual(patch['produces'], ['application/json', 'application/yaml']);
    const [body, dryRun] = patch['parameters'] as JsonObject[];
    assert.deepEqual(body, {
      name: 'body',
      in: 'body',
      required: true,
      schema: { $ref: '#/definitions/io.cluster.meta.v1.Patch' },
    });
    assert.deepEqual(
      [dryRun?.['name'], dryRun?.['in'], dryRun?.['type'], dryRun?.['schema']],
      ['dryRun', 'query', 'string', undefined],
    );
    assert.deepEqual(getPath(patch, 'responses', '200'), {
      description: 'OK',
      schema: { $ref: '#/definitions/com.example.v1.Widget' },
    });
    assert.deepEqual(patch['x-kubernetes-group-version-kind'], {
      group: 'example.com',
      kind: 'Widget',
      version: 'v1',
    });
  });

  it('refers only to definitions that exist', async () => {
    const document = await json(served(WIDGETS, { group: 'b.c', kind: 'D' }));
    const text = JSON.stringify(document);
    assert.doesNotMatch(text, /#\/components\//);
    const definitions = document['definitions'] as JsonObject;
    for (const [, name = ''] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      assert.ok(name in definitions, name);
    }
    const options = definitions['io.cluster.meta.v1.DeleteOptions'] as JsonObject;
    assert.deepEqual(
      (options['x-kubernetes-group-version-kind'] as JsonObject[]).map(({ group }) => group),
      ['', 'b.c', 'example.com'],
    );
  });

  it('is made of the same parts in protobuf', async () => {
    const openapi = served(WIDGETS);
    const [document, message] = [await json(openapi), await decoded(openapi)];
    assert.deepEqual([message.swagger, message.info.title], ['2.0', 'Plinth']);
    assert.equal(member(message.security.members, 'BearerToken').key.in, 'header');
    for (const part of ['paths', 'definitions'] as const) {
      assert.deepEqual(
        message[part].members.map(({ name }) => name).sort(),
        Object.keys(document[part] as JsonObject).sort(),
      );
    }
  });

  it('says the same of a schema in protobuf', async () => {
    const { definitions } = await decoded(served(WIDGETS));
    const widget = member(definitions.members, 'com.example.v1.Widget') as unknown as {
      properties: { members: Named<{ properties: { members: Named<JsonObject>[] } }>[] };
      extensions: Named<{ yaml: string }>[];
    };
    const spec = member(widget.properties.members, 'spec').properties.members;
    assert.deepEqual(member(spec, 'size'), {
      type: { value: ['integer'] },
      minimum: 1,
      maximum: 10,
      description: 'How big.',
    });
    assert.deepEqual(member(spec, 'color'), {
      type: { value: ['string'] },
      enum: [{ yaml: '"red"\n' }, { yaml: '"blue"\n' }],
      maxLength: 9,
    });
    assert.deepEqual(member(spec, 'labels'), {
      type: { value: ['object'] },
      additional: { schema: { type: { value: ['string'] } } },
    });
    assert.deepEqual(member(spec, 'tags'), {
      type: { value: ['array'] },
      items: { schema: [{ type: { value: ['string'] } }] },
    });
    assert.deepEqual(member(spec, 'port'), {
      extensions: [{ name: 'x-kubernetes-int-or-string', value: { yaml: 'true\n' } }],
    });
    assert.deepEqual(member(widget.extensions, 'x-kubernetes-group-version-kind'), {
      yaml: '[{"group":"example.com","kind":"Widget","version":"v1"}]\n',
    });
  });

  it('says the same of an operation in protobuf', async () => {
    const { paths } = await decoded(served(WIDGETS));
    const { patch, parameters } = member(paths.members, OBJECT) as unknown as {
      patch: Record<string, unknown> & { parameters: unknown[] };
      parameters: unknown[];
    };
    assert.deepEqual(patch['tags'], ['exampleCom_v1']);
    assert.equal(patch['id'], 'patchExampleComV1NamespacedWidget');
    assert.deepEqual(patch['consumes'], [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    assert.deepEqual(patch.parameters.slice(0, 2), [
      {
        parameter: {
          body: {
            name: 'body',
            in: 'body',
            required: true,
            schema: { ref: '#/definitions/io.cluster.meta.v1.Patch' },
          },
        },
      },
      {
        parameter: {
          other: { query: { in: 'query', name: 'dryRun', type: 'string', unique: true } },
        },
      },
    ]);
    assert.deepEqual(parameters[0], {
      parameter: { other: { path: { required: true, in: 'path', name: 'name', type: 'string' } } },
    });
    assert.deepEqual((patch['responses'] as { codes: unknown[] }).codes[0], {
      name: '200',
      value: {
        response: {
          description: 'OK',
          schema: { schema: { ref: '#/definitions/com.example.v1.Widget' } },
        },
      },
    });
  });

  const builtin = new Catalog(builtinDefinitions(ALL_FEATURE_GATES));

  function servedBuiltin(): OpenApiV2 {
    const discovery = new Discovery({ catalog: builtin, serverAddress: () => '' });
    return new OpenApiV2({
      v3: new OpenApiV3({ discovery, clock: systemClock }),
      clock: systemClock,
    });
  }

  it('is kept compressed when it is long, and sent as the client takes it', async () => {
    const openapi = servedBuiltin();
    const gzip = { headers: { 'accept-encoding': 'gzip' } };
    const first = await ask(openapi, gzip);
    const compressed = first.body as Buffer;
    const { vary, etag, ...headers } = first.headers;
    assert.deepEqual(headers, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': String(compressed.length),
    });
    assert.equal((await ask(openapi, gzip)).body, compressed, 'made once');
    const plain = await ask(openapi);
    assert.deepEqual([plain.headers['vary'], plain.headers['etag']], [vary, etag]);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(await textOf(plain), gunzipSync(compressed).toString());
    assert.equal(vary, 'Accept, Accept-Encoding');
  });

  it('publishes every built-in kind with all that it refers to', async () => {
    const document = await json(servedBuiltin());
    const definitions = document['definitions'] as Record<string, JsonObject>;
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      assert.ok(name in definitions, name);
    }
    const published = new Set(
      Object.values(definitions).flatMap((definition) =>
        ((definition['x-kubernetes-group-version-kind'] ?? []) as JsonObject[]).map(
          ({ group, version, kind }) => JSON.stringify([group, version, kind]),
        ),
      ),
    );
    for (const { kind } of builtin.served()) {
      assert.ok(published.has(JSON.stringify([kind.group, kind.version, kind.kind])), kind.kind);
    }
  });

  it('is not sent again to clients that have it', async () => {
    const openapi = served(WIDGETS);
    const first = await ask(openapi);
    const etag = first.headers['etag'] as string;
    const second = await ask(openapi, { headers: { 'if-none-match': etag, accept: PROTOBUF } });
    assert.deepEqual([second.status, (second.body as Buffer).length], [304, 0]);
    const other = await ask(served(), { headers: { 'if-none-match': etag } });
    assert.equal(other.status, 200);
  });

  it('comes in the form that the client prefers', async () => {
    const answered = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    for (const [accept, type] of [
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['', 'application/json'],
      [PROTOBUF, answered],
      [answered, answered],
      [`${PROTOBUF}, application/json`, answered],
    ] as const) {
      const { headers } = await ask(served(), { headers: { accept } });
      assert.deepEqual([headers['content-type'], headers['vary']], [type, 'Accept'], accept);
    }
    const yaml = { headers: { accept: 'application/yaml' } };
    await assert.rejects(async () => ask(served(), yaml), { code: 406 });
    await assert.rejects(async () => ask(served(), { method: 'POST' }), { code: 405 });
    assert.equal(served().handle(requestOf('/openapi/v2x')), undefined);
  });
});
