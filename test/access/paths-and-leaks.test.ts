import assert from 'node:assert/strict';
import { RawClient, head } from '../support/raw-client.ts';
import { eventually } from '../support/plinth.ts';
import { isRefused, People, rule, tokenOf } from './people.ts';

const COORDINATION = '/apis/coordination.cluster.io/v1';

/** Classes of public vulnerabilities of such servers, by their names (docs/security.md). */
describe('classes of vulnerabilities', () => {
  let people: People;
  before(async () => {
    people = await People.start({ alice: [], dora: [], frida: [] });
    await people.namespace('team');
    await people.role('team', 'all', [rule('*', '*', '*')]);
    await people.grant('frida', 'all', 'team', 'Role');
  });
  after(() => people.dispose());

  describe('path tricks', () => {
    /** Paths exactly as they are written here. */
    const status = async (path: string, user?: string): Promise<[number, string]> => {
      const client = await RawClient.open(people.plinth.url);
      const credential = user === undefined ? {} : { authorization: `Bearer ${tokenOf(user)}` };
      client.send(head('GET', path, { ...credential, connection: 'close' }));
      await eventually(() => client.ended !== undefined, path);
      client.close();
      return [client.status ?? 0, client.received];
    };

    it('path tricks: only health endpoints are open without credentials, however the path is written', async () => {
      for (const path of [
        ...['/healthz/../api/v1/nodes', '/healthz/%2e%2e/metrics', '/healthz%2f..%2fapi/v1/nodes'],
        ...[
          '//api/v1/nodes',
          '/./api/v1/nodes',
          '/api/v1/nodes/',
          '/api/v1/nodes?x=/healthz',
          '/healthz/ping',
        ],
        ...[
          '/API/v1/nodes',
          '/api/v1/nodes;/healthz',
          '/api/v1/nodes%00/healthz',
          '/healthz%00',
          '/livez/',
        ],
        ...[
          'https://127.0.0.1/api/v1/nodes',
          '*',
          '/readyz/../../api',
          '\\healthz',
          '/api\\v1\\nodes',
        ],
      ]) {
        const [code, text] = await status(path);
        assert.ok([400, 401, 404].includes(code), `${path}: ${code}`);
        assert.doesNotMatch(text, /NodeList|APIVersions|plinth_/, path);
      }
    });

    it('CVE-2022-3162, path tricks: a right in one namespace reads nothing of another, however the path is written', async () => {
      const secret = 'of-another-namespace';
      for (const name of ['one', 'team']) {
        await people.make('POST', `${COORDINATION}/namespaces/default/leases`, {
          metadata: { name },
          spec: { holderIdentity: secret },
        });
      }
      for (const path of [
        ...[
          '../default/leases',
          '%2e%2e/default/leases',
          '..%2fdefault/leases',
          'leases/../../default/leases',
        ],
        ...['leases/..%2f..%2fdefault%2fleases%2fone', 'leases/%2e%2e', 'leases/.', 'leases//one'],
        ...[
          'leases?namespace=default',
          'leases/one/../../../default/leases/one',
          'leases%2f..',
          'leases/one%00',
        ],
      ]) {
        const [, text] = await status(`${COORDINATION}/namespaces/team/${path}`, 'frida');
        assert.ok(!text.includes(secret), path);
      }
      for (const path of [
        '/leases',
        '/namespaces//leases',
        '/namespaces/%20/leases',
        '/namespaces/*/leases',
        '/namespaces/default/leases',
      ]) {
        const [code, text] = await status(COORDINATION + path, 'frida');
        assert.ok(code >= 400 && !text.includes(secret), `${path}: ${code}`);
      }
    });

    it('CVE-2022-3162: a resource name gives no access to one that begins alike', async () => {
      await people.role('team', 'one-name', [
        rule('get', 'coordination.cluster.io', 'leases', 'ab'),
      ]);
      await people.grant('dora', 'one-name', 'team', 'Role');
      for (const name of ['a', 'abc', 'ab.c', 'AB', 'ab%20', 'ab%2f']) {
        const reply = await people.as(
          'dora',
          'GET',
          `${COORDINATION}/namespaces/team/leases/${name}`,
        );
        assert.ok(isRefused(reply) || name === 'ab%2f', `${name}: ${reply.status}`);
      }
      for (const group of [
        'coordination.cluster.io.evil',
        'evil.coordination.cluster.io',
        'coordination',
      ]) {
        const reply = await people.as('dora', 'GET', `/apis/${group}/v1/namespaces/team/leases/ab`);
        assert.ok(isRefused(reply), group);
      }
    });
  });

  it('CVE-2022-3294: no path is forwarded to the address in a Node', async () => {
    await people.make('POST', '/api/v1/nodes', { metadata: { name: 'bait' } });
    const { json } = await people.plinth.get('/api/v1/nodes/bait');
    const addresses = [{ type: 'InternalIP', address: '169.254.169.254' }];
    await people.make('PUT', '/api/v1/nodes/bait/status', { ...json, status: { addresses } });
    for (const path of ['proxy', 'proxy/latest/meta-data', 'exec', 'log', 'proxy?path=/']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status } = await people.plinth.send(method, `/api/v1/nodes/bait/${path}`);
        assert.ok([404, 405].includes(status), `${method} ${path}: ${status}`);
      }
    }
    for (const path of ['/api/v1/proxy/nodes/bait/', '/api/v1/nodes/bait:80/proxy/']) {
      assert.ok([404, 405].includes((await people.plinth.get(path)).status), path);
    }
  });

  describe('credential leaks', () => {
    it('credential leaks: every failed authentication has the same message', async () => {
      const headers = [
        'Bearer x',
        `Bearer ${tokenOf('alice')}x`,
        `Bearer ${tokenOf('alice').slice(0, -1)}`,
        'Basic YTpi',
        'Bearer a.b.c',
        '',
      ];
      const texts = await Promise.all(
        headers.map(async (authorization) => {
          const reply = await people.plinth.send('GET', '/api/v1/nodes', undefined, {
            authorization,
          });
          assert.equal(reply.headers['www-authenticate'], undefined);
          return `${reply.status} ${reply.text}`;
        }),
      );
      assert.equal(new Set(texts).size, 1);
      assert.match(texts[0]!, /^401 .*"message":"Unauthorized"/s);
    });

    it('a token in the wrong place is ignored, and no metric contains a token', async () => {
      const token = tokenOf('alice');
      for (const path of [`/api?access_token=${token}`, `/api?token=${token}`]) {
        assert.equal((await people.as(undefined, 'GET', path)).status, 401);
      }
      await people.as('alice', 'GET', '/api', undefined, { 'user-agent': token });
      const metrics = await people.plinth.get('/metrics');
      assert.ok(!metrics.text.includes(token) && !metrics.text.includes('"alice"'));
    });
  });
});
