import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

const PLACE = `apis/${EXTENSION_GROUP}/v1`;
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };
const many = (n: number, item: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => item(i)).join();

describe('turns of the event loop while documents of another server are read', () => {
  const turns = new Turns();
  const dir = mkdtempSync(join(tmpdir(), 'plinth-documents-'));
  const endpoints = join(dir, 'endpoints');
  let plinth: Plinth;
  let extension: ExtensionServer;
  let documents: Record<string, string> = {};
  let asked = 0;

  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({
      args: ['--service-endpoints-file', endpoints],
      nodeArgs: turns.nodeArgs,
    });
    extension = await ExtensionServer.start(plinth.dataDir);
    const index = JSON.stringify({
      paths: { [PLACE]: { serverRelativeURL: `/openapi/v3/${PLACE}?hash=1` } },
    });
    extension.openApi = (url, response) => {
      const [path = ''] = url.split('?');
      const text = path === '/openapi/v3' ? index : documents[path];
      if (path === '/openapi/v2') asked++;
      response.writeHead(text === undefined ? 404 : 200).end(text);
    };
    writeEndpoints(endpoints, { metrics: extension.port });
    await plinth.send('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
  });
  after(async () => {
    await extension.close();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  let port = 1;
  /** Has the server ask for all documents again, and waits until it has read them. */
  async function read(given: Record<string, string>, until: () => Promise<boolean>): Promise<void> {
    documents = given;
    const before = asked;
    const change = { spec: { service: { port: port++ } } };
    await plinth.send('PATCH', `${API_SERVICES}/v1.${EXTENSION_GROUP}`, change, MERGE_TYPE);
    await eventually(() => asked > before, 'the last document is asked for');
    await eventually(until, 'the documents are read');
  }
  const hasV2 = async (path: string): Promise<boolean> =>
    path in (await plinth.get('/openapi/v2')).json.paths;
  const hasV3 = async (): Promise<boolean> => PLACE in (await plinth.get('/openapi/v3')).json.paths;

  it('are short for OpenAPI 2 with very many paths and definitions', async () => {
    const paths = many(
      15_000,
      (i) => `"/${PLACE}/g${i}":{"get":{"schema":{"$ref":"#/definitions/d${i}"}}}`,
    );
    const definitions = many(15_000, (i) => `"d${i}":{"$ref":"#/definitions/d${i + 1}"}`);
    const text = `{"swagger":"2.0","paths":{${paths}},"definitions":{${definitions}}}`;
    await turns.areShortDuring(() =>
      read({ '/openapi/v2': text }, () => hasV2(`/${PLACE}/g14999`)),
    );
  });

  it('are short for OpenAPI 3 of megabytes', async () => {
    const [lists, numbers] = ['[],'.repeat(140_000), '1,'.repeat(1_000_000)];
    const text = `{"openapi":"3.0.0","x":[${lists}${numbers}1]}`;
    await turns.areShortDuring(() => read({ [`/openapi/v3/${PLACE}`]: text }, hasV3));
  });

  it('leave out a document of too many fields, and a part of too many values', async () => {
    const path = (name: string, values: number): string =>
      `"/${PLACE}/${name}":{"x":[${many(values, () => '1')}]}`;
    const parts = `{"paths":{${path('large', 10_000)},${path('other', 9_000)}},"definitions":{}}`;
    const fields = `{"openapi":"3.0.0","x":[${many(150_001, () => '{}')}]}`;
    await read({ '/openapi/v2': parts, [`/openapi/v3/${PLACE}`]: fields }, () =>
      hasV2(`/${PLACE}/other`),
    );
    assert.equal(await hasV2(`/${PLACE}/large`), false);
    assert.equal(await hasV3(), false);
  });
});
