import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import {
  API_SERVICES,
  EXTENSION_GROUP,
  ExtensionServer,
  untilAvailable,
  writeEndpoints,
} from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';

const LEASES = '/apis/coordination.cluster.io/v1';

describe('namespaces with objects on another server', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-namespaces-'));
  const endpoints = join(dir, 'endpoints');
  /** `<namespace>/<name>` of what the other server keeps. */
  const gauges = new Set<string>();
  let plinth: Plinth;
  let extension: ExtensionServer;

  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints] });
    extension = await ExtensionServer.start(plinth.dataDir);
    extension.discovery = (response) => {
      const gauge = { name: 'gauges', singularName: 'gauge', namespaced: true, kind: 'Gauge' };
      const scope = { name: 'scopes', singularName: 'scope', namespaced: false, kind: 'Scope' };
      const verbs = ['delete', 'deletecollection', 'get', 'list'];
      const resources = [gauge, scope].map((resource) => ({ ...resource, verbs }));
      answerJson(response, { kind: 'APIResourceList', resources });
    };
    writeEndpoints(endpoints, { metrics: extension.port });
    await plinth.send('POST', API_SERVICES, extension.apiService());
    await untilAvailable(plinth);
    await eventually(async () => {
      const accept = 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList';
      const { json } = await plinth.get('/apis', { accept });
      const group = json.items.find(({ metadata }: any) => metadata.name === EXTENSION_GROUP);
      return group?.versions[0].freshness === 'Current';
    }, 'its discovery');
  });

  after(async () => {
    await extension.close();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  beforeEach(() => {
    gauges.clear();
    extension.seen.splice(0);
  });

  const makeNamespace = async (name: string): Promise<void> => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    assert.equal((await plinth.send('POST', '/api/v1/namespaces', namespace)).status, 201);
    const lease = { kind: 'Lease', apiVersion: 'coordination.cluster.io/v1', metadata: { name } };
    await plinth.send('POST', `${LEASES}/namespaces/${name}/leases`, lease);
  };
  const untilGone = (name: string): Promise<void> =>
    eventually(
      async () => (await plinth.get(`/api/v1/namespaces/${name}`)).status === 404,
      `${name} is gone`,
    );

  /** Answers as a server that keeps gauges. */
  const keep =
    (canDeleteAll: boolean): ExtensionServer['handler'] =>
    ({ method = '', url = '' }, response) => {
      const [, namespace = '', name] = /namespaces\/([^/]+)\/gauges(?:\/(.+))?$/.exec(url) ?? [];
      const own = [...gauges].filter((key) => key.startsWith(`${namespace}/`));
      if (method === 'GET') {
        const items = own.map((key) => ({ metadata: { name: key.split('/')[1] } }));
        answerJson(response, { kind: 'GaugeList', items });
      } else if (name === undefined && !canDeleteAll) answerJson(response, {}, 405);
      else {
        for (const key of own)
          if (name === undefined || key.endsWith(`/${name}`)) gauges.delete(key);
        answerJson(response, { kind: 'Status' });
      }
    };

  for (const canDeleteAll of [true, false]) {
    it(`are emptied there too, ${canDeleteAll ? 'at once' : 'one by one'}`, async () => {
      extension.handler = keep(canDeleteAll);
      const name = `emptied-${canDeleteAll}`;
      await makeNamespace(name);
      for (const key of [`${name}/a`, `${name}/b`, 'other/a']) gauges.add(key);
      await plinth.send('DELETE', `/api/v1/namespaces/${name}`);
      await untilGone(name);
      assert.deepEqual([...gauges], ['other/a']);
      assert.ok(extension.seen.every(({ url }) => !url.includes('scopes')));
      const { headers, proxy } = extension.seen[0]!;
      assert.deepEqual(
        [headers['x-remote-user'], proxy],
        ['system:aggregator', 'front-proxy-client'],
      );
    });
  }

  it('wait for what is left there, and say so', async () => {
    extension.handler = keep(true);
    let isHeld = true;
    const { handler } = extension;
    extension.handler = (request, response, body) =>
      request.method === 'DELETE' && isHeld
        ? answerJson(response, { kind: 'Status' })
        : handler!(request, response, body);
    await makeNamespace('held');
    gauges.add('held/a');
    await plinth.send('DELETE', '/api/v1/namespaces/held');
    await eventually(async () => {
      const { json } = await plinth.get('/api/v1/namespaces/held');
      return JSON.stringify(json.status.conditions ?? []).includes('gauges.metrics.example.com');
    }, 'the condition');
    isHeld = false;
    await untilGone('held');
  });

  it('go although it hangs, and so do all others', async () => {
    extension.handler = () => undefined;
    // If each waited for the server by itself, all would take half a minute.
    const names = Array.from({ length: 6 }, (_, i) => `many-${i}`);
    for (const name of names) await makeNamespace(name);
    for (const name of names) await plinth.send('DELETE', `/api/v1/namespaces/${name}`);
    await Promise.all(names.map(untilGone));
  });
});
