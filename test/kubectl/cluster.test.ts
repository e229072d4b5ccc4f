import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_SERVICES, ExtensionServer, writeEndpoints } from '../support/extension-server.ts';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';

const METRICS = 'metrics.k8s.io/v1beta1';
/** As kubectl asks for what is served. */
const DISCOVERY = {
  accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
};

/** What a metrics server measures of one node and one pod. */
function measured(url: string): object {
  const usage = { cpu: '250m', memory: '64Mi' };
  const of = { timestamp: '2024-01-02T03:04:05Z', window: '10s' };
  return url.includes('/pods')
    ? {
        kind: 'PodMetricsList',
        apiVersion: METRICS,
        items: [
          {
            metadata: { name: 'web-0', namespace: 'default' },
            ...of,
            containers: [{ name: 'web', usage }],
          },
        ],
      }
    : {
        kind: 'NodeMetricsList',
        apiVersion: METRICS,
        items: [{ metadata: { name: 'worker' }, ...of, usage }],
      };
}

const METRICS_RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: METRICS,
  resources: [
    { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['list'] },
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['list'] },
  ],
};

describe('kubectl on a cluster', function () {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-cluster-'));
  const endpoints = join(dir, 'endpoints');
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    writeEndpoints(endpoints, {});
    plinth = await Plinth.start({ args: ['--service-endpoints-file', endpoints] });
    kubectl = new Kubectl(plinth.kubeconfig);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
    rmSync(dir, { recursive: true });
  });

  const map = (name: string, labels = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
  });
  const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });
  const lines = (text: string): string[] => text.trim().split('\n');

  it('cluster-info names the server', async () => {
    assert.ok((await kubectl.ok(['cluster-info'])).includes(plinth.url));
  });

  it('apply --prune deletes what is no longer applied, of the kinds it may', async () => {
    const labels = { set: 'pruned' };
    const [kept, gone] = [map('kept', labels), map('gone', labels)];
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other', labels } };
    const apply = ['apply', '-l', 'set=pruned', '-f', '-'];
    await kubectl.ok(apply, list(kept, gone, secret));
    const prune = [...apply, '--prune', '--prune-allowlist=core/v1/ConfigMap'];
    assert.deepEqual(lines(await kubectl.ok(prune, kept)), [
      'configmap/kept unchanged',
      'configmap/gone pruned',
    ]);
    assert.deepEqual(lines(await kubectl.ok(['get', 'secret', 'other', '-o', 'name'])), [
      'secret/other',
    ]);
  });

  it('apply --prune without an allowlist finds the kinds that it looks for', async () => {
    const labels = { set: 'unlisted' };
    const [kept, gone] = [map('kept', labels), map('gone', labels)];
    const prune = ['apply', '-l', 'set=unlisted', '--prune', '-f', '-'];
    await kubectl.ok(prune, list(kept, gone));
    assert.deepEqual(lines(await kubectl.ok(prune, kept)), [
      'configmap/kept unchanged',
      'configmap/gone pruned',
    ]);
  });

  for (const [side, applied] of [
    [[], 'unchanged'],
    [['--server-side'], 'serverside-applied'],
  ] as const) {
    for (const parent of ['secrets', 'configmaps']) {
      it(`an ApplySet in ${parent} prunes what has left it ${side.join('')}`, async () => {
        const set = `${parent}${side.length}`;
        const apply = [
          ...['apply', ...side, '-f', '-', '-n', 'default', '--prune'],
          `--applyset=${parent}/${set}`,
        ];
        const [kept, gone] = [map(`${set}-kept`), map(`${set}-gone`)];
        const role = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: `${set}-role` },
          rules: [],
        };
        await kubectl.ok(apply, list(kept, gone, role));
        const { metadata } = await kubectl.json(['get', parent, set]);
        assert.equal(
          metadata.annotations['applyset.kubernetes.io/contains-group-kinds'],
          'ConfigMap,Role.rbac.authorization.k8s.io',
        );
        const pruned = lines(await kubectl.ok(apply, kept));
        assert.deepEqual(pruned.sort(), [
          `configmap/${set}-gone pruned`,
          `configmap/${set}-kept ${applied}`,
          `role.rbac.authorization.k8s.io/${set}-role pruned`,
        ]);
      });
    }
  }

  it('events -w shows events as they come', async () => {
    let shown = '';
    const stop = kubectl.follow(['events', '-w'], (text) => (shown += text));
    const event = (n: number) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `event-${n}`, namespace: 'default' },
      involvedObject: { kind: 'ConfigMap', name: 'kept', namespace: 'default' },
      reason: 'Seen',
      message: `event number ${n}.`,
      type: 'Normal',
    });
    let n = 0;
    try {
      await eventually(async () => {
        await plinth.send('POST', '/api/v1/namespaces/default/events', event(++n));
        return shown.includes('event number');
      }, 'the first event');
      await plinth.send('POST', '/api/v1/namespaces/default/events', event(++n));
      await eventually(() => shown.includes(`event number ${n}.`), 'the last event');
    } finally {
      await stop();
    }
    assert.match(shown, /Normal +Seen +ConfigMap\/kept +event number/);
  });

  it('describe role shows every rule, and whoami, version and api-versions answer', async () => {
    await kubectl.ok(['create', 'role', 'reader', '--verb=get', '--resource=configmaps,secrets']);
    const described = await kubectl.ok(['describe', 'role', 'reader']);
    assert.match(described, /configmaps[^]*secrets[^]*get/);
    const long = await kubectl.ok(['describe', 'role.rbac.authorization.k8s.io', 'reader']);
    assert.match(long, /Resources +Non-Resource URLs +Resource Names +Verbs/);
    assert.match(long, /configmaps +\[\] +\[\] +\[get\]/);
    assert.match(await kubectl.ok(['auth', 'whoami']), /admin/);
    assert.match(await kubectl.ok(['version']), /Server Version: v1/);
    const versions = lines(await kubectl.ok(['api-versions']));
    for (const name of ['rbac.authorization.k8s.io/v1', 'rbac.authorization.cluster.io/v1']) {
      assert.ok(versions.includes(name), name);
    }
  });

  it('top shows what a metrics server behind the aggregation measures', async () => {
    assert.match(await kubectl.refused(['top', 'nodes']), /Metrics API not available/);
    const extension = await ExtensionServer.start(plinth.dataDir);
    try {
      extension.handler = ({ url = '' }, response) =>
        answerJson(response, /\/v1beta1\/?(\?|$)/.test(url) ? METRICS_RESOURCES : measured(url));
      writeEndpoints(endpoints, { metrics: extension.port });
      await kubectl.ok(['apply', '-f', '-'], {
        ...extension.apiService({ group: 'metrics.k8s.io', version: 'v1beta1' }),
        metadata: { name: 'v1beta1.metrics.k8s.io' },
      });
      const name = 'v1beta1.metrics.k8s.io';
      await kubectl.ok(['wait', '--for=condition=Available', `apiservice/${name}`]);
      assert.equal((await plinth.get(`${API_SERVICES}/${name}`)).status, 200);
      await eventually(async () => {
        const { items } = (await plinth.get('/apis', DISCOVERY)).json;
        const group = items.find(({ metadata }: any) => metadata.name === 'metrics.k8s.io');
        return group?.versions[0].freshness === 'Current';
      }, 'discovery has the resources of the group');
      await plinth.send('POST', '/api/v1/nodes', { metadata: { name: 'worker' } });
      const status = {
        capacity: { cpu: '1', memory: '128Mi' },
        allocatable: { cpu: '1', memory: '128Mi' },
      };
      await plinth.send(
        'PATCH',
        '/api/v1/nodes/worker/status',
        { status },
        { 'content-type': 'application/merge-patch+json' },
      );
      assert.match(await kubectl.ok(['top', 'nodes']), /worker +250m +25% +64Mi +50%/);
      assert.match(await kubectl.ok(['top', 'pods']), /web-0 +250m +64Mi/);
    } finally {
      await extension.close();
    }
  });
});
