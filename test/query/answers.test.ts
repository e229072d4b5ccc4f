import assert from 'node:assert/strict';
import { install, shownAs } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const ALIASED = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const DATA = { k: 'v' };

describe('counts, orders and parts of objects', () => {
  let plinth: Plinth;
  let boxes: string;
  before(async () => {
    plinth = await Plinth.start();
    boxes = await install(plinth, { plural: 'boxes', kind: 'Box', versions: VERSIONS });
    const holders = ['one', 'two', 'one', undefined];
    for (const [i, holderIdentity] of holders.entries()) {
      await made(LEASES, {
        apiVersion: 'coordination.cluster.io/v1',
        kind: 'Lease',
        metadata: { name: `l${i}`, labels: DATA, annotations: DATA },
        spec: { holderIdentity, leaseDurationSeconds: 10 - i },
      });
    }
    for (const [name, size, amount] of [
      ['a', 3, '1Gi'],
      ['b', 10, '500M'],
      ['c', 3, 7],
    ]) {
      await made(boxes, {
        apiVersion: 'test.example.com/v1',
        kind: 'Box',
        metadata: { name },
        spec: { size, amount },
      });
    }
  });
  after(() => plinth.dispose());

  async function made(path: string, body: object): Promise<void> {
    const reply = await plinth.send('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
  }

  async function json(path: string, headers?: Record<string, string>): Promise<any> {
    const reply = await plinth.get(path, headers);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.json;
  }

  const names = async (path: string): Promise<string> =>
    (await json(path)).items.map((item: any) => item.metadata.name).join(' ');

  it('count the objects of a revision', async () => {
    for (const path of [LEASES, ALIASED]) {
      const list = await json(path);
      const { resourceVersion } = list.metadata;
      const at = `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      assert.deepEqual(await json(`${path}?count=true&limit=1&${at}`), {
        kind: 'Count',
        apiVersion: 'query.cluster.io/v1',
        metadata: { resourceVersion },
        count: 4,
      });
      assert.equal(
        (await json(`${path}?count=true&fieldSelector=spec.holderIdentity%3Done`)).count,
        2,
      );
      assert.equal((await json(`${path}?count=true&labelSelector=k!%3Dv`)).count, 0);
    }
    assert.equal((await json('/apis/coordination.cluster.io/v1/leases?count=true')).kind, 'Count');
    assert.equal((await json(`${LEASES}?count=5`)).kind, 'LeaseList', 'other values are ignored');
    assert.equal((await json(`${boxes}?count=true`)).count, 3);
  });

  it('count the objects by a value', async () => {
    const { groups, others, count } = await json(`${LEASES}?groupBy=spec.holderIdentity`);
    assert.deepEqual(groups, [
      { value: 'one', count: 2 },
      { value: 'two', count: 1 },
      { value: null, count: 1 },
    ]);
    assert.deepEqual([others, count], [0, 4]);
    const bySize = await json(`${boxes.replace('/v1/', '/v2/')}?groupBy=spec.size`);
    assert.deepEqual(bySize.groups, [
      { value: 3, count: 2 },
      { value: 10, count: 1 },
    ]);
  });

  it('order lists by numbers and quantities, page by page at one revision', async () => {
    assert.equal(await names(`${boxes}?orderBy=spec.size:desc`), 'b a c');
    assert.equal(await names(`${boxes}?orderBy=spec.size,spec.amount:desc`), 'a c b');
    assert.equal(await names(`${boxes}?orderBy=spec.amount`), 'c b a');
    for (const path of [LEASES, ALIASED]) {
      assert.equal(await names(`${path}?orderBy=spec.leaseDurationSeconds`), 'l3 l2 l1 l0');
      assert.equal(await names(`${path}?orderBy=spec.holderIdentity`), 'l0 l2 l1 l3');
    }
    const query = `${LEASES}?orderBy=spec.leaseDurationSeconds&limit=3`;
    const first = await json(query);
    assert.equal(first.metadata.remainingItemCount, 1);
    await made(LEASES, {
      apiVersion: 'coordination.cluster.io/v1',
      kind: 'Lease',
      metadata: { name: 'late' },
      spec: { leaseDurationSeconds: 100 },
    });
    const next = await json(`${query}&continue=${first.metadata.continue}`);
    assert.deepEqual(
      next.items.map((item: any) => item.metadata.name),
      ['l0'],
    );
    assert.equal(next.metadata.continue, undefined);
    await plinth.send('DELETE', `${LEASES}/late`);
  });

  it('refuse what the schema does not have', async () => {
    for (const query of [
      'groupBy=spec.nothing',
      'groupBy=spec',
      'groupBy=a b',
      'orderBy=spec.nothing',
      'orderBy=spec',
      'orderBy=kind,kind,kind,kind',
      'fields=spec.nothing',
      'fields=spec..x',
    ]) {
      const reply = await plinth.get(`${LEASES}?${encodeURI(query)}`);
      assert.equal(reply.status, 400, query);
      assert.match(reply.json.message, new RegExp(`^invalid ${query.split('=')[0]}`), query);
    }
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":-1,"start":"none\\u0000"}').toString(
      'base64url',
    );
    assert.equal((await plinth.get(`${LEASES}?orderBy=kind&continue=${token}`)).status, 410);
  });

  it('show the part of objects that is asked for', async () => {
    for (const [path, apiVersion] of [
      [LEASES, 'coordination.cluster.io/v1'],
      [ALIASED, 'coordination.k8s.io/v1'],
    ] as const) {
      const one = await json(`${path}/l0?fields=spec.holderIdentity,metadata.labels`);
      const { name, namespace, uid, resourceVersion } = one.metadata;
      assert.deepEqual(one, {
        apiVersion,
        kind: 'Lease',
        metadata: { name, namespace, uid, resourceVersion, labels: DATA },
        spec: { holderIdentity: 'one' },
      });
      const [first] = (await json(`${path}?fields=spec.holderIdentity,metadata.labels`)).items;
      assert.deepEqual({ apiVersion, kind: 'Lease', ...first }, one);
      const whole = await json(`${path}/l0`);
      assert.ok(whole.metadata.managedFields.length > 0);
      const { managedFields: _, ...metadata } = whole.metadata;
      assert.deepEqual(await json(`${path}/l0?managedFields=omit`), { ...whole, metadata });
      const [omitted] = (await json(`${path}?managedFields=omit`)).items;
      assert.deepEqual(omitted.metadata, metadata);
    }
    const [box] = (await json(`${boxes}?fields=spec.size`)).items;
    assert.deepEqual(box.spec, { size: 3 });
    const partial = await json(
      `${LEASES}/l0?fields=metadata.labels`,
      shownAs('PartialObjectMetadata'),
    );
    assert.deepEqual(Object.keys(partial.metadata).sort(), [
      'labels',
      'name',
      'namespace',
      'resourceVersion',
      'uid',
    ]);
    const table = await json(`${LEASES}?fields=metadata.labels`, shownAs('Table'));
    assert.equal(table.rows[0].cells[1], 'one', 'a table shows the whole object');
  });

  it('tell a watch only of changes that it shows', async () => {
    const frames: string[] = [];
    const stream = await plinth.watch(
      `${boxes}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fields=spec.size`,
      ({ type, object }) => {
        if (type === 'BOOKMARK')
          assert.ok(object.metadata.annotations['k8s.io/initial-events-end']);
        else assert.deepEqual(Object.keys(object.spec ?? {}), ['size']);
        frames.push(`${type} ${object.metadata.name ?? ''} ${object.spec?.size ?? ''}`);
      },
    );
    await eventually(() => frames.length === 4, 'the initial events');
    const change = async (name: string, spec: object): Promise<void> => {
      const reply = await plinth.send('PATCH', `${boxes}/${name}`, JSON.stringify({ spec }), {
        'content-type': 'application/merge-patch+json',
      });
      assert.equal(reply.status, 200, reply.text);
    };
    await change('a', { amount: '2Gi' });
    await change('b', { size: 11 });
    await plinth.send('DELETE', `${boxes}/c`);
    await eventually(() => frames.length >= 6, 'what has changed');
    stream.close();
    assert.deepEqual(frames.slice(4), ['MODIFIED b 11', 'DELETED c 3']);
  });

  it('reveal nothing to users who may not list', async () => {
    const role = await plinth.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'stranger' },
    });
    assert.equal(role.status, 201, role.text);
    const stranger = { 'impersonate-user': 'system:serviceaccount:default:stranger' };
    for (const query of [
      'count=true',
      'groupBy=spec.holderIdentity',
      'orderBy=kind',
      'fields=kind',
    ]) {
      assert.equal((await plinth.get(`${LEASES}?${query}`, stranger)).status, 403, query);
    }
  });
});

const spec = (fields: object): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: fields } },
  },
});
const size = { type: 'integer' };
const VERSIONS = [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: spec({ size, amount: { 'x-kubernetes-int-or-string': true } }),
  },
  { name: 'v2', served: true, storage: false, schema: spec({ size }) },
];
