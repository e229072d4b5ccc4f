import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';

const PLACE = `apis/${EXTENSION_GROUP}/v1`;
const META = 'io.cluster.meta.v1.ObjectMeta';
const V3 = { openapi: '3.0.0', info: {}, paths: { [`/${PLACE}/gauges`]: {} }, components: {} };
const get = (definition: string): object => ({
  get: { responses: { 200: { schema: { $ref: `#/definitions/${definition}` } } } },
});
const V2 = {
  swagger: '2.0',
  paths: { [`/${PLACE}/gauges`]: get('example.Gauge'), '/apis/elsewhere/v1/x': get('example.X') },
  definitions: {
    'example.Gauge': { properties: { metadata: { $ref: `#/definitions/${META}` } } },
    [META]: { description: 'its own' },
    'example.X': {},
  },
};

describe('documents of other servers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-documents-'));
  const endpoints = join(dir, 'endpoints');
  let plinth: Plinth;
  let extension: ExtensionServer;

  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints] });
    extension = await ExtensionServer.start(plinth.dataDir);
    extension.openApi = (url, response) => {
      const [path = ''] = url.split('?');
      const index = { paths: { [PLACE]: { serverRelativeURL: `/openapi/v3/${PLACE}?hash=1` } } };
      const documents: Record<string, unknown> = {
        ...{ '/openapi/v2': V2, '/openapi/v3': index, [`/openapi/v3/${PLACE}`]: V3 },
      };
      answerJson(response, documents[path] ?? {}, path in documents ? 200 : 404);
    };
    writeEndpoints(endpoints, { metrics: extension.port });
    await plinth.send('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
    await eventually(
      async () => (await plinth.get('/openapi/v3')).json.paths[PLACE] !== undefined,
      'the document in the index',
    );
  });

  after(async () => {
    await extension.close();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  it('are in discovery, with the resources that they name', async () => {
    const accept = 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList';
    const { json } = await plinth.get('/apis', { accept });
    const group = json.items.find(({ metadata }: any) => metadata.name === EXTENSION_GROUP);
    assert.deepEqual(group.versions, [
      {
        version: 'v1',
        resources: [
          {
            ...{ resource: 'gauges', scope: 'Namespaced', singularResource: 'gauge' },
            responseKind: { group: '', version: '', kind: 'Gauge' },
            ...{ verbs: ['get', 'list', 'watch'], shortNames: ['gg'] },
            subresources: [
              {
                subresource: 'scale',
                responseKind: { group: '', version: '', kind: 'Scale' },
                verbs: ['get'],
              },
            ],
          },
        ],
        freshness: 'Current',
      },
    ]);
    const plain = await plinth.get(`/apis/${EXTENSION_GROUP}`);
    assert.equal(plain.json.preferredVersion.groupVersion, `${EXTENSION_GROUP}/v1`);
  });

  it('are served in OpenAPI 3 under their hash', async () => {
    const { json } = await plinth.get('/openapi/v3');
    const { serverRelativeURL } = json.paths[PLACE];
    const document = await plinth.get(serverRelativeURL);
    assert.deepEqual(document.json, V3);
    assert.equal(document.headers['cache-control'], 'public, immutable');
    const { etag } = document.headers;
    const again = await plinth.get(serverRelativeURL, { 'if-none-match': String(etag) });
    assert.equal(again.status, 304);
  });

  it('are parts of OpenAPI 2, under names of their own where others have them', async () => {
    const { json } = await plinth.get('/openapi/v2');
    assert.ok(json.paths[`/${PLACE}/gauges`]);
    assert.equal(json.paths['/apis/elsewhere/v1/x'], undefined);
    assert.equal(json.definitions['example.X'], undefined);
    assert.deepEqual(json.definitions['example.Gauge'].properties.metadata, {
      $ref: `#/definitions/${META}_v2`,
    });
    assert.equal(json.definitions[`${META}_v2`].description, 'its own');
    assert.notEqual(json.definitions[META].description, 'its own');
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    assert.equal((await plinth.get('/openapi/v2', { accept })).status, 200);
  });

  it('go while their server is away', async () => {
    extension.discovery = (response) => answerJson(response, {}, 500);
    const change = { spec: { versionPriority: 21 } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    await plinth.send('PATCH', `${API_SERVICES}/v1.${EXTENSION_GROUP}`, change, merge);
    await untilAvailable(plinth, 'False');
    await eventually(
      async () => (await plinth.get('/openapi/v3')).json.paths[PLACE] === undefined,
      'the document is gone',
    );
    const v2 = await plinth.get('/openapi/v2');
    assert.equal(v2.json.paths[`/${PLACE}/gauges`], undefined);
  });
});
