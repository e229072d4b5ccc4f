import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';

describe('events and workloads of the core group', function () {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
    await plinth.send('POST', '/api/v1/nodes', { metadata: { name: 'worker' } });
    const { json: lease } = await plinth.send('POST', leases, { metadata: { name: 'told-of' } });
    for (const [name, regarding] of [
      ['first', { kind: 'Lease', namespace: 'default', name: 'told-of', uid: lease.metadata.uid }],
      ['second', { kind: 'Lease', namespace: 'default', name: 'another' }],
    ] as const) {
      const { status, text } = await plinth.send('POST', EVENTS, {
        metadata: { name },
        eventTime: new Date().toISOString().replace('Z', '000Z'),
        reportingController: 'example.com/controller',
        reportingInstance: 'controller-0',
        action: 'Elect',
        reason: 'Elected',
        type: 'Normal',
        note: `this is the ${name} one`,
        regarding: { apiVersion: 'coordination.cluster.io/v1', ...regarding },
      });
      assert.equal(status, 201, text);
    }
  });
  after(() => plinth.dispose());

  function kubectl(...args: string[]): string {
    const run = spawnSync('kubectl', ['--kubeconfig', plinth.kubeconfig, ...args], {
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stderr);
    return run.stdout;
  }

  it('kubectl events shows events with what they are about', () => {
    assert.match(kubectl('events'), /Normal +Elected +Lease\/told-of +this is the first one/);
    const about = kubectl('events', '--for', 'Lease/another');
    assert.match(about, /second one/);
    assert.doesNotMatch(about, /first one/);
  });

  it('kubectl describe ends with the events of the object', () => {
    const text = kubectl('describe', 'lease', 'told-of');
    assert.match(text, /Elected .* this is the first one/);
    assert.doesNotMatch(text, /second one/);
  });

  it('kubectl describe node shows an empty list of pods', () => {
    assert.match(kubectl('describe', 'node', 'worker'), /Non-terminated Pods: +\(0 in total\)/);
  });

  it('kubectl get all, of what every cluster has, finds nothing', () => {
    assert.equal(kubectl('get', 'all,limits,podtemplates', '-A', '-o', 'name'), '');
    const kinds = ['ds', 'deploy', 'rs', 'sts', 'controllerrevisions', 'hpa', 'cj', 'jobs', 'pdb'];
    const others = ['ing', 'ingressclasses', 'netpol', 'endpointslices', 'pc', 'sc'];
    assert.equal(kubectl('get', [...kinds, ...others].join(','), '-o', 'name'), '');
    const all = kubectl('api-resources', '--categories=all', '-o', 'name').trim().split('\n');
    assert.deepEqual(all.sort(), [
      ...['cronjobs.batch', 'daemonsets.apps', 'deployments.apps'],
      ...['horizontalpodautoscalers.autoscaling', 'jobs.batch', 'pods', 'replicasets.apps'],
      ...['replicationcontrollers', 'services', 'statefulsets.apps'],
    ]);
    assert.match(kubectl('describe', 'namespace', 'default'), /No LimitRange resource/);
  });

  it('a kind of workloads has the one name of its group that clients know', async () => {
    const path = '/apis/networking.k8s.io/v1/ingresses';
    const { json } = await plinth.get(path);
    assert.deepEqual([json.apiVersion, json.items], ['networking.k8s.io/v1', []]);
    assert.equal((await plinth.get(path.replace('k8s.io', 'cluster.io'))).status, 404);
  });

  it('an owner in a group of workloads is not missed: it may live on another server', async () => {
    const owned = (name: string, apiVersion: string, kind: string): object => ({
      metadata: {
        name,
        ownerReferences: [{ apiVersion, kind, name: 'elsewhere', uid: `uid-${name}` }],
      },
    });
    const path = '/api/v1/namespaces/default/configmaps';
    assert.equal(
      (await plinth.send('POST', path, owned('kept', 'apps/v1', 'Deployment'))).status,
      201,
    );
    assert.equal((await plinth.send('POST', path, owned('goes', 'v1', 'Pod'))).status, 201);
    await eventually(async () => (await plinth.get(`${path}/goes`)).status === 404, 'a collection');
    assert.equal((await plinth.get(`${path}/kept`)).status, 200);
  });

  it('kubectl get events shows a table', () => {
    const table = kubectl('get', 'events');
    assert.match(table, /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/);
    assert.match(table, /Normal +Elected +lease\/told-of +this is the first one/);
  });

  it('an event that a recorder writes is one object in both groups', async () => {
    const core = '/api/v1/namespaces/default/events';
    const { status, json, text } = await plinth.send('POST', core, {
      metadata: { name: 'recorded' },
      involvedObject: {
        apiVersion: 'coordination.cluster.io/v1',
        kind: 'Lease',
        namespace: 'default',
        name: 'recorded',
      },
      reason: 'Renewed',
      message: 'renewed once',
      source: { component: 'recorder' },
      firstTimestamp: '2024-01-02T03:04:05Z',
      lastTimestamp: '2024-01-02T03:04:05Z',
      count: 1,
      type: 'Normal',
    });
    assert.equal(status, 201, text);
    assert.equal(json.apiVersion, 'v1');
    assert.equal(json.reportingComponent, '');
    const count = { count: 2, message: 'renewed twice', lastTimestamp: '2024-01-02T03:05:05Z' };
    const patched = await plinth.send('PATCH', `${core}/recorded`, count, {
      'content-type': 'application/strategic-merge-patch+json',
    });
    assert.equal(patched.status, 200, patched.text);
    assert.equal(patched.json.count, 2);
    const { json: stored } = await plinth.get(`${EVENTS}/recorded`);
    assert.deepEqual(
      [stored.apiVersion, stored.note, stored.deprecatedCount, stored.regarding.name],
      ['events.cluster.io/v1', 'renewed twice', 2, 'recorded'],
    );
    assert.deepEqual(
      [stored.reportingController, stored.reportingInstance],
      [undefined, undefined],
    );
    const labelled = await plinth.send(
      'PATCH',
      `${EVENTS}/recorded`,
      { metadata: { labels: { seen: 'true' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(labelled.status, 200, labelled.text);
    const { json: again } = await plinth.get(`${core}/recorded`);
    assert.deepEqual([again.metadata.labels, again.reportingComponent], [{ seen: 'true' }, '']);
    assert.deepEqual(owners(stored, 'f:note'), ['events.cluster.io/v1']);
    assert.deepEqual(owners(patched.json, 'f:message'), ['v1']);
    assert.match(kubectl('events', '--for', 'Lease/recorded'), /renewed twice/);
    assert.equal(
      kubectl('delete', 'events.v1.', 'recorded', '-o', 'name').trim(),
      'event/recorded',
    );
    assert.equal((await plinth.get(`${EVENTS}/recorded`)).status, 404);
  });

  it('an apply in one form conflicts with what was applied in the other', async () => {
    const apply = (path: string, manager: string, object: object): Promise<Reply> =>
      plinth.send('PATCH', `${path}/applied?fieldManager=${manager}`, object, {
        'content-type': 'application/apply-patch+yaml',
      });
    const base = { kind: 'Event', metadata: { name: 'applied', namespace: 'default' } };
    const first = await apply('/api/v1/namespaces/default/events', 'one', {
      ...base,
      apiVersion: 'v1',
      involvedObject: { namespace: 'default', name: 'x' },
      type: 'Normal',
    });
    assert.equal(first.status, 201, first.text);
    const second = await apply(EVENTS, 'two', {
      ...base,
      apiVersion: 'events.cluster.io/v1',
      type: 'Warning',
    });
    assert.equal(second.status, 409, second.text);
    assert.match(second.text, /conflict with \\"one\\"/);
  });

  it('a watch of the core group shows events in its form', async () => {
    const path =
      '/api/v1/events?watch=1&fieldSelector=involvedObject.name%3Danother&timeoutSeconds=1';
    const { text } = await plinth.get(path);
    const [line = ''] = text.split('\n');
    const { type, object } = JSON.parse(line);
    assert.deepEqual(
      [type, object.apiVersion, object.message, object.regarding],
      ['ADDED', 'v1', 'this is the second one', undefined],
    );
  });

  it('empty kinds are listed and watched, and nothing can be written', async () => {
    const pods = (await plinth.get('/api/v1/pods?fieldSelector=spec.nodeName%3Dworker')).json;
    assert.deepEqual([pods.kind, pods.items], ['PodList', []]);
    assert.match(pods.metadata.resourceVersion, /^[1-9]\d*$/);
    const { status, text } = await plinth.get(
      '/api/v1/services?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
    );
    assert.equal(status, 200, text);
    assert.match(text, /^{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Service"/);
    const namespaced = '/api/v1/namespaces/default/pods';
    assert.equal((await plinth.send('POST', namespaced, {})).status, 405);
    assert.equal((await plinth.get(`${namespaced}/x`)).status, 404);
  });

  it('the lists are real: pages, selectors, errors', async () => {
    const page = (await plinth.get('/api/v1/events?limit=1')).json;
    assert.equal(page.kind, 'EventList');
    assert.equal(page.apiVersion, 'v1');
    assert.equal(page.items.length, 1);
    const unknown = await plinth.get('/api/v1/events?fieldSelector=regarding.name%3Dx');
    assert.equal(unknown.status, 400);
  });
});

/** The versions of the entries that own a field. */
function owners({ metadata }: any, field: string): string[] {
  return metadata.managedFields
    .filter(({ fieldsV1 }: any) => field in fieldsV1)
    .map(({ apiVersion }: any) => apiVersion);
}
