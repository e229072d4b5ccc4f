import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { JsonObject } from '../api/json.ts';
import { customDefinition, requestOf } from './testing/definitions.ts';
import { bodyOf, failure, get, names, NEUTRAL, served, setCustom } from './testing/served.ts';

const KUBERNETES = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const BETA = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const EVERY_VERB = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const widgets = customDefinition({
  group: 'example.com',
  kind: 'Widget',
  versions: ['v1'],
  shortNames: ['wd'],
  categories: ['all', 'tools'],
  subresources: {
    status: {},
    scale: { specReplicas: ['spec'], statusReplicas: ['status'], labelSelector: undefined },
  },
});
const gizmos = customDefinition({
  group: 'example.com',
  kind: 'Gizmo',
  namespaced: false,
  versions: ['v1', 'v1beta1', 'v2', '-v3'],
});

describe('discovery', () => {
  it('names the core versions and the address', () => {
    const expected = {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'plinth:6443' }],
    };
    const { discovery } = served();
    assert.deepEqual(bodyOf(discovery, '/api'), expected);
    assert.deepEqual(bodyOf(discovery, '/api/'), expected);
  });

  it('describes a group with its versions in order, whether in the list or alone', () => {
    const { discovery } = served([gizmos, widgets]);
    const versions = ['v2', 'v1', 'v1beta1'].map((version) => ({
      groupVersion: `example.com/${version}`,
      version,
    }));
    const group = { name: 'example.com', versions, preferredVersion: versions[0] };
    assert.deepEqual(bodyOf(discovery, '/apis/example.com'), {
      kind: 'APIGroup',
      apiVersion: 'v1',
      ...group,
    });
    const { groups } = bodyOf(discovery, '/apis') as unknown as { groups: JsonObject[] };
    assert.deepEqual(groups.at(-1), group);
  });

  it('lists built-in resources with subresources of their own kind', () => {
    const { resources, ...head } = bodyOf(served().discovery, '/api/v1');
    assert.deepEqual(head, { kind: 'APIResourceList', groupVersion: 'v1' });
    assert.deepEqual(resources, [
      {
        name: 'namespaces',
        singularName: 'namespace',
        namespaced: false,
        kind: 'Namespace',
        verbs: EVERY_VERB.filter((verb) => verb !== 'deletecollection'),
        shortNames: ['ns'],
        storageVersionHash: 'Q3oi5N2YM8M=',
      },
      {
        name: 'namespaces/finalize',
        singularName: '',
        namespaced: false,
        kind: 'Namespace',
        verbs: ['update'],
      },
      {
        name: 'namespaces/status',
        singularName: '',
        namespaced: false,
        kind: 'Namespace',
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  it('lists custom resources, scale with the kind of autoscaling', () => {
    const list = bodyOf(served([widgets, gizmos]).discovery, '/apis/example.com/v1');
    const { resources, ...head } = list;
    assert.deepEqual(head, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
    });
    const [gizmo, widget, status, scale] = resources as JsonObject[];
    assert.deepEqual([gizmo?.['name'], gizmo?.['namespaced']], ['gizmos', false]);
    const { storageVersionHash, ...rest } = widget ?? {};
    assert.match(storageVersionHash as string, /^[\w+/]{11}=$/);
    assert.deepEqual(rest, {
      name: 'widgets',
      singularName: 'widget',
      namespaced: true,
      kind: 'Widget',
      verbs: EVERY_VERB,
      shortNames: ['wd'],
      categories: ['all', 'tools'],
    });
    assert.deepEqual(status, {
      name: 'widgets/status',
      singularName: '',
      namespaced: true,
      kind: 'Widget',
      verbs: ['get', 'patch', 'update'],
    });
    assert.deepEqual(scale, {
      name: 'widgets/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  it('shows the same storage version hash in every version', () => {
    const { discovery } = served([gizmos]);
    const hashes = ['v1', 'v2', 'v1beta1'].map((version) => {
      const { resources } = bodyOf(discovery, `/apis/example.com/${version}`);
      return (resources as JsonObject[])[0]?.['storageVersionHash'];
    });
    assert.equal(new Set(hashes).size, 1);
  });

  it('offers nothing that would add to a resource whose definition is being removed', () => {
    const { discovery } = served([
      customDefinition({ group: 'a.b', kind: 'C', terminating: true }),
    ]);
    const { resources } = bodyOf(discovery, '/apis/a.b/v1');
    assert.deepEqual((resources as JsonObject[])[0]?.['verbs'], [
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ]);
  });

  describe('aggregated', () => {
    it('contains all resources of a group', () => {
      const { kind, apiVersion, metadata, items } = bodyOf(
        served([widgets]).discovery,
        '/apis',
        NEUTRAL,
      );
      assert.deepEqual(
        [kind, apiVersion, metadata],
        ['APIGroupDiscoveryList', 'apidiscovery.cluster.io/v2', {}],
      );
      const ownKind = { group: 'example.com', version: 'v1', kind: 'Widget' };
      assert.deepEqual((items as JsonObject[])[1], {
        metadata: { name: 'example.com' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                resource: 'widgets',
                responseKind: ownKind,
                scope: 'Namespaced',
                singularResource: 'widget',
                verbs: EVERY_VERB,
                shortNames: ['wd'],
                categories: ['all', 'tools'],
                subresources: [
                  {
                    subresource: 'status',
                    responseKind: ownKind,
                    verbs: ['get', 'patch', 'update'],
                  },
                  {
                    subresource: 'scale',
                    responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                    verbs: ['get', 'patch', 'update'],
                  },
                ],
              },
            ],
            freshness: 'Current',
          },
        ],
      });
    });

    it('leaves group and version of built-in kinds empty', () => {
      const { items } = bodyOf(served().discovery, '/apis', NEUTRAL);
      assert.deepEqual(items, [
        {
          metadata: { name: 'coordination.cluster.io' },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'leases',
                  responseKind: { group: '', version: '', kind: 'Lease' },
                  scope: 'Namespaced',
                  singularResource: 'lease',
                  verbs: EVERY_VERB,
                },
              ],
              freshness: 'Current',
            },
          ],
        },
      ]);
    });

    it('shows the core group under /api only, without a name', () => {
      const { discovery } = served([widgets]);
      const { items } = bodyOf(discovery, '/api', NEUTRAL) as unknown as { items: JsonObject[] };
      assert.deepEqual(
        items.map(({ metadata }) => metadata),
        [{}],
      );
      const others = bodyOf(discovery, '/apis', NEUTRAL) as unknown as { items: JsonObject[] };
      assert.deepEqual(
        others.items.map(({ metadata }) => metadata),
        [{ name: 'coordination.cluster.io' }, { name: 'example.com' }],
      );
    });

    it('speaks both names of its group, as the client asked', () => {
      const { discovery } = served();
      for (const [accept, apiVersion] of [
        [NEUTRAL, 'apidiscovery.cluster.io/v2'],
        [KUBERNETES, 'apidiscovery.k8s.io/v2'],
        [`${KUBERNETES},${BETA},application/json`, 'apidiscovery.k8s.io/v2'],
        [`${KUBERNETES};profile=nopeer,application/json;q=0.9`, 'apidiscovery.k8s.io/v2'],
      ] as const) {
        const { headers, body } = get(discovery, '/apis', { headers: { accept } });
        assert.equal(headers['content-type'], accept.split(/,|;profile/)[0]);
        assert.equal(
          (JSON.parse((body as Buffer).toString()) as JsonObject)['apiVersion'],
          apiVersion,
        );
      }
    });

    it('is cached by clients for as long as nothing changes', () => {
      const { catalog, discovery } = served();
      const first = get(discovery, '/apis', { headers: { accept: NEUTRAL } });
      const etag = first.headers['etag'] as string;
      assert.match(etag, /^"[0-9A-F]{128}"$/);
      assert.deepEqual(
        [first.headers['vary'], first.headers['cache-control']],
        ['Accept', 'public'],
      );
      const headers = { accept: NEUTRAL, 'if-none-match': `"x", W/${etag}` };
      const second = get(discovery, '/apis', { headers });
      assert.deepEqual([second.status, (second.body as Buffer).length], [304, 0]);
      assert.equal(second.headers['etag'], etag);
      setCustom(catalog, [widgets]);
      const third = get(discovery, '/apis', { headers });
      assert.equal(third.status, 200);
      assert.notEqual(third.headers['etag'], etag);
    });

    it('is compressed when it is long, for clients that take that', async () => {
      const { discovery } = served(
        Array.from({ length: 1000 }, (_, i) => customDefinition({ group: 'a.io', kind: `K${i}` })),
      );
      const plain = get(discovery, '/apis', { headers: { accept: NEUTRAL } });
      const { headers, body } = get(discovery, '/apis', {
        headers: { accept: NEUTRAL, 'accept-encoding': 'gzip' },
      });
      assert.deepEqual(
        [headers['content-encoding'], headers['vary'], headers['etag']],
        ['gzip', 'Accept, Accept-Encoding', plain.headers['etag']],
      );
      const pieces: Buffer[] = [];
      for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
      assert.deepEqual(gunzipSync(Buffer.concat(pieces)), plain.body);
    });

    it('supports YAML', () => {
      const { discovery } = served([widgets, gizmos]);
      const accept = NEUTRAL.replace('json', 'yaml');
      const { headers, body } = get(discovery, '/apis', { headers: { accept } });
      assert.equal(headers['content-type'], accept);
      assert.deepEqual(parse((body as Buffer).toString()), bodyOf(discovery, '/apis', NEUTRAL));
    });
  });

  const choices: Record<string, [string, string, number | 'plain']> = {
    'a version that is gone': ['/apis', BETA, 406],
    'a version that is gone, or plain': ['/apis', `${BETA},application/json`, 'plain'],
    'an unknown version': ['/apis', NEUTRAL.replace('v2', 'v9'), 406],
    'aggregated without a group': ['/apis', 'application/json;v=v2;as=APIGroupDiscoveryList', 406],
    'another kind': ['/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=Table', 406],
    'one group aggregated': ['/apis/coordination.cluster.io', NEUTRAL, 406],
    'one version aggregated': ['/apis/coordination.cluster.io/v1', NEUTRAL, 406],
    'one group, or plain': [
      '/apis/coordination.cluster.io',
      `${NEUTRAL},application/json`,
      'plain',
    ],
    'a page': ['/apis', 'text/html', 406],
    'a page or whatever there is': ['/apis', 'text/html, */*;q=0.1', 'plain'],
    'anything of a kind': ['/apis', 'application/*', 'plain'],
  };
  for (const [what, [url, accept, expected]] of Object.entries(choices)) {
    it(`asked for ${what}: ${expected}`, () => {
      const { discovery } = served();
      if (expected === 'plain') {
        const { status, headers } = get(discovery, url, { headers: { accept } });
        assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
      } else assert.equal(failure(discovery, url, { headers: { accept } }), expected);
    });
  }

  it('distinguishes unknown versions and unknown groups', () => {
    const { discovery } = served([gizmos]);
    assert.equal(failure(discovery, '/api/v2'), 404);
    assert.equal(failure(discovery, '/apis/example.com/v3'), 404);
    assert.equal(failure(discovery, '/apis/coordination.cluster.io/V1/'), 404);
    for (const url of [
      '/apis/none.example.com',
      '/apis/Coordination.cluster.io/v1',
      '/apis//coordination.cluster.io',
      '/apis/coordination.cluster.io/v1/leases',
      '/apis/%zz',
      '/apis/__proto__',
      '/api/v1/namespaces',
      '//apis',
      '/version',
    ]) {
      assert.equal(discovery.handle(requestOf(url)), undefined, url);
    }
  });

  it('is read-only', () => {
    const { discovery } = served();
    assert.equal(get(discovery, '/apis', { method: 'HEAD' }).status, 200);
    assert.equal(failure(discovery, '/apis', { method: 'POST' }), 405);
  });

  it('is indented for people', () => {
    const { discovery } = served();
    const pretty = get(discovery, '/api?pretty=true');
    assert.match((pretty.body as Buffer).toString(), /^\{\n {2}"kind": "APIVersions",\n/);
    assert.match((get(discovery, '/api').body as Buffer).toString(), /^\{"kind":"APIVersions",/);
  });

  it('follows the catalog', () => {
    const { catalog, discovery } = served();
    assert.deepEqual(names(discovery), ['coordination.cluster.io']);
    setCustom(catalog, [gizmos]);
    assert.deepEqual(names(discovery), ['coordination.cluster.io', 'example.com']);
    assert.ok(discovery.paths().includes('/apis/example.com/v1beta1'));
    assert.ok(!discovery.paths().includes('/apis/example.com/v3'));
    setCustom(catalog, []);
    assert.equal(discovery.hasGroup('example.com'), false);
    assert.equal(discovery.handle(requestOf('/apis/example.com')), undefined);
  });

  it('knows no group of which no version is served', () => {
    const none = customDefinition({ group: 'none.io', kind: 'None', versions: ['-v1'] });
    assert.deepEqual(names(served([none]).discovery), ['coordination.cluster.io']);
  });
});
