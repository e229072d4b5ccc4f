import assert from 'node:assert/strict';
import { eventually } from '../support/plinth.ts';
import { isRefused, People, rule } from './people.ts';

const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const TYPES = { merge: 'application/merge-patch+json', json: 'application/json-patch+json' };

/** Classes of public vulnerabilities of such servers, by their names (docs/security.md). */
describe('classes of vulnerabilities', () => {
  let people: People;
  before(async () => {
    people = await People.start({ carol: [], emil: [], frida: [], gina: [] });
    await people.namespace('team');
    await people.make('POST', CRDS, crd('things', 'Namespaced'));
    await people.make('POST', CRDS, crd('rings', 'Cluster'));
    for (const plural of ['things', 'rings']) {
      await eventually(
        async () => (await people.plinth.get(`/apis/example.com/v1/${plural}`)).status === 200,
        plural,
      );
    }
  });
  after(() => people.dispose());

  describe('status or finalizers bypass', () => {
    const things = '/apis/example.com/v1/namespaces/team/things';
    before(async () => {
      await people.make('POST', things, {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: 'one' },
        spec: { a: 1 },
      });
      await people.role('team', 'things-only', [rule('get update patch', 'example.com', 'things')]);
      await people.grant('carol', 'things-only', 'team', 'Role');
      await people.role('team', 'status-only', [
        rule('get update patch', 'example.com', 'things/status'),
      ]);
      await people.grant('emil', 'status-only', 'team', 'Role');
      await people.clusterRole('namespaces-only', [rule('get update patch', '', 'namespaces')]);
      await people.grant('carol', 'namespaces-only');
    });
    const read = async (): Promise<any> => (await people.plinth.get(`${things}/one`)).json;

    it('status bypass: permission for an object gives no write access to its status', async () => {
      const object = await read();
      const put = await people.as('carol', 'PUT', `${things}/one`, { ...object, status: { b: 9 } });
      assert.equal(put.status, 200);
      assert.equal((await read()).status, undefined);
      const json = [{ op: 'add', path: '/status', value: { b: 9 } }];
      await people.as('carol', 'PATCH', `${things}/one`, json, { 'content-type': TYPES.json });
      assert.equal((await read()).status, undefined);
      assert.ok(isRefused(await people.as('carol', 'PUT', `${things}/one/status`, object)));
    });

    it('status bypass: permission for the status gives no write access to the rest', async () => {
      const object = await read();
      const changed = { ...object, spec: { a: 2 }, status: { b: 1 } };
      const put = await people.as('emil', 'PUT', `${things}/one/status`, changed);
      assert.equal(put.status, 200, put.text);
      const after = await read();
      assert.deepEqual([after.spec, after.status], [{ a: 1 }, { b: 1 }]);
      assert.ok(isRefused(await people.as('emil', 'PUT', `${things}/one`, changed)));
    });

    it('finalizers bypass: permission to update a namespace does not allow removing its finalizers', async () => {
      const namespace = (await people.plinth.get('/api/v1/namespaces/team')).json;
      const without = { ...namespace, spec: { finalizers: [] } };
      assert.ok(
        isRefused(await people.as('carol', 'PUT', '/api/v1/namespaces/team/finalize', without)),
      );
      await people.as('carol', 'PUT', '/api/v1/namespaces/team', without);
      const { json } = await people.plinth.get('/api/v1/namespaces/team');
      assert.deepEqual(json.spec.finalizers, ['cluster']);
    });
  });

  it('CVE-2019-11247, CRD scope bypass: a namespace path gives no access to cluster-scoped objects, nor the reverse', async () => {
    await people.role('team', 'all', [rule('*', '*', '*')]);
    await people.grant('frida', 'all', 'team', 'Role');
    const ring = { apiVersion: 'example.com/v1', kind: 'Ring', metadata: { name: 'one' } };
    await people.make('POST', '/apis/example.com/v1/rings', ring);
    const collection = '/apis/example.com/v1/namespaces/team/rings';
    for (const [method, path, body] of [
      ['GET', `${collection}/one`],
      ['GET', collection],
      ['GET', `${collection}?watch=1&timeoutSeconds=1`],
      ['POST', collection, { ...ring, metadata: { name: 'two' } }],
      ['PUT', `${collection}/one`, ring],
      ['PATCH', `${collection}/one`, {}],
      ['DELETE', `${collection}/one`],
      ['DELETE', collection],
      ['GET', `${collection}/one/status`],
    ] as [string, string, object?][]) {
      const type = method === 'PATCH' ? { 'content-type': TYPES.merge } : {};
      const reply = await people.as('frida', method, path, body, type);
      assert.ok([404, 405].includes(reply.status), `${method} ${path}: ${reply.status}`);
      const direct = path.replace('/namespaces/team', '');
      assert.ok(isRefused(await people.as('frida', method, direct, body, type)), direct);
    }
    for (const path of [
      '/apis/example.com/v1/things/one',
      '/apis/example.com/v1/namespaces/team/nodes/x',
    ]) {
      assert.notEqual((await people.plinth.get(path)).status, 200, path);
    }
  });

  it('scope bypass: rights in one namespace give no access to the other namespaces', async () => {
    await people.namespace('victim');
    await people.role('team', 'everything', [rule('*', '*', '*')]);
    await people.grant('gina', 'everything', 'team', 'Role');
    assert.equal((await people.as('gina', 'GET', '/api/v1/namespaces/team')).status, 200);
    const merge = { 'content-type': TYPES.merge };
    for (const below of ['', 'watch/']) {
      const nested = `/api/v1/${below}namespaces/team/namespaces`;
      for (const [method, path, body, headers] of [
        ['GET', nested],
        ['GET', `${nested}?watch=1&timeoutSeconds=1`],
        ['POST', nested, { metadata: { name: 'third' } }],
        ['DELETE', nested],
        ...['victim', 'team', 'victim/status', 'victim/finalize'].flatMap((item) => [
          ['GET', `${nested}/${item}`],
          ['PUT', `${nested}/${item}`, { metadata: { name: 'victim' } }],
          ['PATCH', `${nested}/${item}`, { metadata: { labels: { a: 'b' } } }, merge],
          ['DELETE', `${nested}/${item}`],
        ]),
      ] as [string, string, object?, Record<string, string>?][]) {
        const asked = `${method} ${path}`;
        assert.equal((await people.as('gina', method, path, body, headers)).status, 404, asked);
        assert.equal((await people.plinth.send(method, path, body, headers)).status, 404, asked);
      }
    }
    const { json } = await people.plinth.get('/api/v1/namespaces/victim');
    assert.equal(json.metadata.labels.a, undefined);
    assert.equal(json.metadata.deletionTimestamp, undefined);
  });

  it('a namespace may be called namespaces', async () => {
    await people.namespace('namespaces');
    for (const item of ['namespaces', 'namespaces/status']) {
      const { status, json } = await people.plinth.get(`/api/v1/namespaces/${item}`);
      assert.deepEqual([status, json.metadata.name], [200, 'namespaces']);
    }
    const inside = await people.plinth.get('/api/v1/namespaces/namespaces/configmaps');
    assert.equal(inside.status, 200);
  });
});

function crd(plural: string, scope: 'Namespaced' | 'Cluster'): object {
  const singular = plural.slice(0, -1);
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, singular, kind: singular.charAt(0).toUpperCase() + singular.slice(1) },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
                status: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  };
}
