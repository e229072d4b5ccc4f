import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { makeAuthority } from '../../access/pki/certificates.ts';
import { API_SERVICES, conditionOf, writeEndpoints } from '../support/extension-server.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { answerJson, TlsServer, type TlsServerOptions } from '../support/tls-server.ts';

const DISCOVERY = 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList';

describe('availability of other servers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-availability-'));
  const endpoints = join(dir, 'endpoints');
  const servers = new Map<string, TlsServer>();
  let plinth: Plinth;

  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints] });
  });

  afterEach(async () => {
    for (const [name, server] of servers) {
      await plinth.send('DELETE', `${API_SERVICES}/v1.${name}.example.com`);
      await server.close();
    }
    servers.clear();
  });

  after(async () => {
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  /** A server of its own group; it answers everything unless said. */
  const serve = async (
    name: string,
    options: Partial<TlsServerOptions> = {},
  ): Promise<TlsServer> => {
    const handler: TlsServerOptions['handler'] = (request, response) => {
      const version = `/apis/${name}.example.com/v1`;
      if (request.url !== version) {
        answerJson(response, { path: request.url });
        return;
      }
      const thing = { name: 'things', singularName: 'thing', namespaced: false, kind: 'Thing' };
      answerJson(response, {
        ...{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${name}.example.com/v1` },
        resources: [{ ...thing, verbs: ['get', 'list'] }],
      });
    };
    const names = [`${name}.team.svc`];
    const server = await TlsServer.start({ handler, names, ...options });
    servers.set(name, server);
    const ports = [...servers].map(([each, { port }]) => [each, port]);
    writeEndpoints(endpoints, Object.fromEntries(ports));
    return server;
  };

  const register = async (name: string, spec: object = {}): Promise<void> => {
    const service = { namespace: 'team', name, port: 443 };
    const { caBundle } = servers.get(name) ?? {};
    const { status, text } = await plinth.send('POST', API_SERVICES, {
      ...{ apiVersion: 'apiregistration.cluster.io/v1', kind: 'APIService' },
      metadata: { name: `v1.${name}.example.com` },
      spec: {
        ...{ group: `${name}.example.com`, version: 'v1', service, caBundle },
        ...{ groupPriorityMinimum: 1500, versionPriority: 20, ...spec },
      },
    });
    assert.equal(status, 201, text);
  };

  const condition = (name: string): Promise<any> => conditionOf(plinth, `v1.${name}.example.com`);
  const until = (name: string, reason: string): Promise<void> =>
    eventually(async () => (await condition(name))?.reason === reason, `${name} ${reason}`);
  const freshness = async (name: string): Promise<string | undefined> => {
    const { json } = await plinth.get('/apis', { accept: DISCOVERY });
    const group = json.items.find((item: any) => item.metadata.name === `${name}.example.com`);
    return group?.versions[0].freshness;
  };

  it('of one that answers is true, and its resources are discovered', async () => {
    await serve('well');
    await register('well');
    await until('well', 'Passed');
    const { status, message } = await condition('well');
    assert.deepEqual([status, message], ['True', 'all checks passed']);
    assert.equal((await plinth.get('/apis/well.example.com/v1/things/a')).status, 200);
    await eventually(async () => (await freshness('well')) === 'Current', 'its discovery');
    const { json } = await plinth.get('/apis', { accept: DISCOVERY });
    const group = json.items.find((item: any) => item.metadata.name === 'well.example.com');
    assert.deepEqual(group.versions[0].resources[0].resource, 'things');
    const list = await plinth.get('/apis/well.example.com/v1');
    assert.equal(list.json.resources[0].kind, 'Thing');
  });

  const broken: [string, Partial<TlsServerOptions>, RegExp][] = [
    [
      'errors',
      { handler: (_, response) => answerJson(response, {}, 500) },
      /bad status from https:\/\/errors\.team\.svc:443\/apis\/errors\.example\.com\/v1: 500$/,
    ],
    [
      'resets',
      { handler: (request) => void request.socket.destroy() },
      /failing or missing response from .*: the connection was closed before there was an answer$/,
    ],
    [
      'misnamed',
      { names: ['other.team.svc'] },
      /failing or missing response from .*: its certificate is not valid for misnamed\.team\.svc$/,
    ],
    ['hangs', { handler: () => undefined }, /context deadline exceeded/],
  ];
  for (const [name, options, message] of broken) {
    it(`of one that ${name} is false`, async () => {
      await serve(name, options);
      await register(name);
      await until(name, 'FailedDiscoveryCheck');
      const found = await condition(name);
      assert.equal(found.status, 'False');
      assert.match(found.message, message);
      const { status, text } = await plinth.get(`/apis/${name}.example.com/v1/things`);
      assert.deepEqual([status, text], [503, 'service unavailable\n']);
    });
  }

  it('needs a certificate that the bundle verifies, unless verification is off', async () => {
    const signer = await makeAuthority('other-ca', Date.now());
    await serve('unsigned', { signer });
    await register('unsigned');
    await until('unsigned', 'FailedDiscoveryCheck');
    const path = `${API_SERVICES}/v1.unsigned.example.com`;
    const patch = { 'content-type': 'application/merge-patch+json' };
    const spec = { insecureSkipTLSVerify: true, caBundle: null };
    assert.equal((await plinth.send('PATCH', path, { spec }, patch)).status, 200);
    await until('unsigned', 'Passed');
    assert.equal((await plinth.get('/apis/unsigned.example.com/v1/things/a')).status, 200);
  });

  it('follows the server: 503 while it is away, and everything else goes on', async () => {
    const first = await serve('comes');
    await register('comes');
    await until('comes', 'Passed');
    await eventually(async () => (await freshness('comes')) === 'Current', 'its discovery');
    await first.close();
    // before a server has noticed
    const early = await plinth.get('/apis/comes.example.com/v1/things/a');
    assert.equal(early.status, 503);
    assert.match(early.text, /^error trying to reach service: (connection refused|the connection)/);
    await plinth.send(
      'PATCH',
      `${API_SERVICES}/v1.comes.example.com`,
      { spec: { versionPriority: 21 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    await until('comes', 'FailedDiscoveryCheck');
    assert.equal(await freshness('comes'), 'Stale');
    assert.equal((await plinth.get('/apis/comes.example.com/v1')).status, 503);
    assert.equal((await plinth.get('/apis')).status, 200);
    assert.equal((await plinth.get('/openapi/v2')).status, 200);
    assert.equal((await plinth.get('/readyz')).status, 200);
    await plinth.send('POST', '/api/v1/namespaces', {
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'going' } },
    });
    await plinth.send('DELETE', '/api/v1/namespaces/going');
    await eventually(
      async () => (await plinth.get('/api/v1/namespaces/going')).status === 404,
      'the namespace is gone',
    );
    await serve('comes');
    await until('comes', 'Passed');
    assert.equal((await plinth.get('/apis/comes.example.com/v1/things/a')).status, 200);
  });

  it('is probed independently: a server that hangs delays no other', async () => {
    const { caBundle } = await serve('stuck', { handler: () => undefined });
    const service = { namespace: 'team', name: 'stuck', port: 443 };
    // One after the other they would take half a minute.
    const stuck = Array.from({ length: 6 }, (_, i) => `stuck${i}`);
    for (const name of stuck) await register(name, { service, caBundle });
    await serve('quick');
    await register('quick');
    await until('quick', 'Passed');
    for (const name of stuck) {
      await plinth.send('DELETE', `${API_SERVICES}/v1.${name}.example.com`);
    }
  });

  it('names the unknown service', async () => {
    await register('nowhere', { caBundle: undefined });
    await eventually(async () => (await condition('nowhere'))?.status === 'False', 'the condition');
    const { reason, message } = await condition('nowhere');
    if (reason === 'ServiceNotFound') {
      assert.equal(message, 'service/nowhere in "team" is not present');
    } else assert.equal(reason, 'FailedDiscoveryCheck');
    await plinth.send('DELETE', `${API_SERVICES}/v1.nowhere.example.com`);
  });

  it('is given when an APIService becomes a local one', async () => {
    await register('local', { caBundle: undefined });
    const path = `${API_SERVICES}/v1.local.example.com`;
    const patch = { 'content-type': 'application/merge-patch+json' };
    await plinth.send('PATCH', path, { spec: { service: null } }, patch);
    await until('local', 'Local');
    await plinth.send('DELETE', path);
  });
});
