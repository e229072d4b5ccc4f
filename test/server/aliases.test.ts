import assert from 'node:assert/strict';
import {
  CoordinationV1Api,
  EventsV1Api,
  KubeConfig,
  V1MicroTime,
  Watch,
  type V1Lease,
} from '@kubernetes/client-node';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const SECOND = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const LED = { holderIdentity: 'server-a' };

/** Typed clients have Kubernetes' names of groups built in: what controllers elect their leaders with. */
describe('typed clients of leases and events, which know only the aliases of their groups', () => {
  let plinth: Plinth;
  let config: KubeConfig;
  before(async () => {
    plinth = await Plinth.start();
    config = new KubeConfig();
    config.loadFromFile(plinth.kubeconfig);
  });
  after(() => plinth.dispose());

  const namespace = 'default';

  it('elect a leader: create, renew, lose to a newer resourceVersion', async () => {
    const api = config.makeApiClient(CoordinationV1Api);
    const body: V1Lease = { metadata: { name: 'election' }, spec: { holderIdentity: 'a' } };
    const created = await api.createNamespacedLease({ namespace, body });
    assert.equal(created.apiVersion, 'coordination.k8s.io/v1');
    const stale = structuredClone(created.metadata!);
    const renewed = await api.replaceNamespacedLease({
      name: 'election',
      namespace,
      body: { ...created, spec: { holderIdentity: 'a', renewTime: new V1MicroTime() } },
    });
    assert.notEqual(renewed.metadata?.resourceVersion, stale.resourceVersion);
    await assert.rejects(
      api.replaceNamespacedLease({
        name: 'election',
        namespace,
        body: { metadata: stale, spec: { holderIdentity: 'b' } },
      }),
      /HTTP-Code: 409/,
    );
    const { json } = await plinth.get(`${LEASES}/election`);
    assert.equal(json.apiVersion, 'coordination.cluster.io/v1');
    assert.equal(json.spec.holderIdentity, 'a');
    assert.equal(json.metadata.managedFields[0].apiVersion, 'coordination.cluster.io/v1');
  });

  it('see the same objects in lists, watches and patches, under the name that they asked for', async () => {
    const seen: string[] = [];
    const stream = await new Watch(config).watch(
      SECOND,
      { resourceVersion: '0' },
      (type, object) => seen.push(`${type} ${object.apiVersion} ${object.metadata.name}`),
      () => undefined,
    );
    await plinth.send('POST', LEASES, { metadata: { name: 'shared' } });
    const api = config.makeApiClient(CoordinationV1Api);
    const { items } = await api.listNamespacedLease({ namespace });
    assert.ok(items.some(({ metadata }) => metadata?.name === 'shared'));
    const { status, json } = await plinth.send(
      'PATCH',
      `${SECOND}/shared?fieldManager=elector`,
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { holderIdentity: 'c' } },
      { 'content-type': 'application/apply-patch+yaml' },
    );
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.apiVersion, 'coordination.k8s.io/v1');
    const wanted = 'ADDED coordination.k8s.io/v1 shared,MODIFIED coordination.k8s.io/v1 shared';
    await eventually(() => seen.filter((e) => e.endsWith(' shared')).join() === wanted, 'events');
    stream.abort();
  });

  it('refuse a body that has the other name of its group, as the paths of the first one do', async () => {
    const body = (apiVersion: string, name: string) => ({
      ...{ apiVersion, kind: 'Lease', metadata: { name }, spec: LED },
    });
    const [neutral, alias] = ['coordination.cluster.io/v1', 'coordination.k8s.io/v1'];
    for (const [path, own, other, message] of [
      [LEASES, neutral, alias, `(${alias}) does not match the expected API version (${neutral})`],
      [SECOND, alias, neutral, `does not match the expected API version (${alias})`],
    ] as const) {
      const name = `named-by-${own.replace('/', '-')}`;
      const created = await plinth.send('POST', path, body(other, name));
      const refused = [400, `the API version in the data ${message}`];
      assert.deepEqual([created.status, created.json.message], refused);
      assert.equal((await plinth.send('POST', path, body(own, name))).status, 201);
      const put = await plinth.send('PUT', `${path}/${name}`, body(other, name));
      assert.deepEqual([put.status, put.json.message], refused);
      for (const [type, status] of [
        ['merge-patch+json', 422],
        ['strategic-merge-patch+json', 200],
        ['apply-patch+yaml', 400],
      ] as const) {
        const headers = { 'content-type': `application/${type}` };
        const query = '?fieldManager=namer';
        const sent = body(other, name);
        const patched = await plinth.send('PATCH', `${path}/${name}${query}`, sent, headers);
        assert.equal(patched.status, status, `${path} ${type}: ${patched.text}`);
      }
    }
  });

  describe('patches', () => {
    const patch = (path: string, type: string, body: unknown) =>
      plinth.send('PATCH', path, body, { 'content-type': `application/${type}+json` });
    const apiVersion = 'coordination.k8s.io/v1';

    it('that merge may tell the type of the object by the name that it was read by', async () => {
      await plinth.send('POST', LEASES, { metadata: { name: 'patched' }, spec: LED });
      const path = `${SECOND}/patched`;
      for (const type of ['merge-patch', 'strategic-merge-patch']) {
        const body = { apiVersion, kind: 'Lease', spec: { holderIdentity: type } };
        const { status, json } = await patch(path, type, body);
        assert.equal(status, 200, JSON.stringify(json));
        assert.deepEqual([json.apiVersion, json.spec.holderIdentity], [apiVersion, type]);
        const elsewhere = await patch(path, type, { ...body, apiVersion: 'events.k8s.io/v1' });
        // what merges by the schema of the kind is of the kind, whatever it says
        assert.equal(elsewhere.status, type === 'merge-patch' ? 422 : 200);
      }
      const { json } = await plinth.get(`${LEASES}/patched`);
      assert.equal(json.apiVersion, 'coordination.cluster.io/v1');
      for (const manager of json.metadata.managedFields) {
        assert.equal(manager.apiVersion, 'coordination.cluster.io/v1');
      }
    });

    it('in JSON test what their client has read', async () => {
      await plinth.send('POST', LEASES, { metadata: { name: 'tested' } });
      const operations = (value: string) => [
        { op: 'test', path: '/apiVersion', value },
        { op: 'add', path: '/spec/holderIdentity', value: 'd' },
      ];
      const done = await patch(`${SECOND}/tested`, 'json-patch', operations(apiVersion));
      assert.equal(done.status, 200, done.text);
      const first = operations('coordination.cluster.io/v1');
      assert.equal((await patch(`${SECOND}/tested`, 'json-patch', first)).status, 422);
      assert.equal((await patch(`${LEASES}/tested`, 'json-patch', first)).status, 200);
    });

    it('and updates of bindings name their roles as their client has read them', async () => {
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
      const apiGroup = 'rbac.authorization.k8s.io';
      const roleRef = { apiGroup, kind: 'ClusterRole', name: 'view' };
      const subject = (name: string) => ({ kind: 'User', apiGroup, name });
      await plinth.send('POST', roles, {
        ...{ metadata: { name: 'viewers' }, roleRef, subjects: [subject('a')] },
      });
      const tested = await patch(`${roles}/viewers`, 'json-patch', [
        { op: 'test', path: '/roleRef', value: roleRef },
        { op: 'test', path: '/subjects/0', value: subject('a') },
        { op: 'add', path: '/subjects/-', value: subject('b') },
      ]);
      assert.equal(tested.status, 200, tested.text);
      assert.deepEqual(tested.json.subjects, [subject('a'), subject('b')]);
      const merged = await patch(`${roles}/viewers`, 'merge-patch', {
        roleRef,
        subjects: [subject('c')],
      });
      assert.deepEqual(merged.json.subjects, [subject('c')]);
      const put = await plinth.send('PUT', `${roles}/viewers`, merged.json);
      assert.equal(put.status, 200, put.text);
      assert.deepEqual(put.json.metadata.managedFields, merged.json.metadata.managedFields);
    });
  });

  it('leave the owners of fields as they are when entries come back under the other name', async () => {
    const [neutral, alias] = ['coordination.cluster.io/v1', 'coordination.k8s.io/v1'];
    const name = 'owned-by-two';
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const config = { apiVersion: neutral, kind: 'Lease', metadata: { name }, spec: LED };
    await plinth.send('PATCH', `${LEASES}/${name}?fieldManager=elector`, config, apply);
    const labels = { metadata: { labels: { a: 'b' } } };
    const merge = { 'content-type': 'application/merge-patch+json' };
    await plinth.send('PATCH', `${LEASES}/${name}?fieldManager=labeller`, labels, merge);
    const before = (await plinth.get(`${LEASES}/${name}`)).json;
    assert.equal(before.metadata.managedFields.length, 2);
    for (const [own, other, path] of [
      [neutral, SECOND, LEASES],
      [alias, LEASES, SECOND],
    ] as const) {
      const read = (await plinth.get(`${other}/${name}`)).json;
      const { managedFields } = read.metadata;
      const put = await plinth.send('PUT', `${path}/${name}`, { ...read, apiVersion: own });
      assert.equal(put.status, 200, put.text);
      const patched = await plinth.send(
        'PATCH',
        `${path}/${name}`,
        { metadata: { managedFields } },
        merge,
      );
      assert.equal(patched.status, 200, patched.text);
    }
    const protobuf = 'application/vnd.kubernetes.protobuf';
    for (const [from, to] of [
      [SECOND, LEASES],
      [LEASES, SECOND],
    ]) {
      const { bytes } = await plinth.get(`${from}/${name}`, { accept: protobuf });
      const put = await plinth.send('PUT', `${to}/${name}`, bytes, { 'content-type': protobuf });
      assert.equal(put.status, 200, put.text);
    }
    assert.deepEqual((await plinth.get(`${LEASES}/${name}`)).json, before);
  });

  it('record events', async () => {
    const api = config.makeApiClient(EventsV1Api);
    const recorded = await api.createNamespacedEvent({
      namespace,
      body: {
        metadata: { generateName: 'recorded-' },
        eventTime: new V1MicroTime(),
        reportingController: 'example.com/controller',
        reportingInstance: 'controller-0',
        action: 'Elect',
        reason: 'Elected',
        type: 'Normal',
        regarding: { kind: 'Lease', namespace, name: 'election' },
        note: 'a leads',
      },
    });
    const { json } = await plinth.get(
      `/apis/events.cluster.io/v1/namespaces/default/events/${recorded.metadata?.name}`,
    );
    assert.equal(json.note, 'a leads');
  });

  it('find events by the version of what they regard, in either name', async () => {
    const groups = ['events.cluster.io', 'events.k8s.io'];
    const versions = ['coordination.cluster.io/v1', 'coordination.k8s.io/v1'];
    const events = (group: string): string => `/apis/${group}/v1/namespaces/default/events`;
    const event = {
      eventTime: '2026-01-02T03:04:05.000000Z',
      reportingController: 'example.com/controller',
      reportingInstance: 'controller-0',
      action: 'Elect',
      reason: 'Regarded',
      type: 'Normal',
    };
    for (const group of groups) {
      for (const apiVersion of versions) {
        const regarding = { apiVersion, kind: 'Lease', namespace: 'default', name: 'regarded' };
        const metadata = { generateName: 'regarding-' };
        await plinth.send('POST', events(group), { metadata, ...event, regarding });
      }
    }
    const selected = (field: string, version: string): string =>
      `?fieldSelector=${encodeURIComponent(`${field}=${version},reason=Regarded`)}`;
    const count = async (path: string): Promise<number> =>
      (await plinth.get(path)).json.items.length;
    for (const version of versions) {
      for (const group of groups) {
        const path = events(group) + selected('regarding.apiVersion', version);
        assert.equal(await count(path), 4, path);
      }
      const core = `/api/v1/namespaces/default/events`;
      assert.equal(await count(core + selected('involvedObject.apiVersion', version)), 4);
    }
    const all = events(groups[1]!) + selected('regarding.apiVersion', versions[1]!);
    assert.equal((await plinth.send('DELETE', all)).status, 200);
    assert.equal(await count(events(groups[0]!) + '?fieldSelector=reason%3DRegarded'), 0);
  });
});
