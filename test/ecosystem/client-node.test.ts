import assert from 'node:assert/strict';
import {
  ApiException,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const CHART = 'examples/builtin-groups/chart/rendered.yaml';
const namespace = 'default';

/** The code of the error that a call must end with. */
async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiException) return error.code;
    throw error;
  }
  throw new Error('the call was not refused');
}

describe('the JavaScript client (@kubernetes/client-node)', function () {
  this.timeout(300_000);
  let plinth: Plinth;
  let config: KubeConfig;
  let core: CoreV1Api;
  before(async () => {
    plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
    config = new KubeConfig();
    config.loadFromFile(plinth.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(() => plinth.dispose());

  it('an informer sees every change, also after the server has started again', async () => {
    const seen: string[] = [];
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const labelSelector = 'informed=yes';
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector });
    const informer = makeInformer<V1ConfigMap>(config, path, list, labelSelector);
    for (const event of ['add', 'update', 'delete'] as const) {
      informer.on(event, ({ metadata }) => void seen.push(`${event} ${metadata?.name}`));
    }
    let isStopped = false;
    informer.on('error', () => {
      if (!isStopped) setTimeout(() => void informer.start().catch(() => undefined), 200);
    });
    const make = (name: string) =>
      core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name, labels: { informed: 'yes' } } },
      });
    const has = (event: string) => eventually(() => seen.includes(event), event);
    try {
      await informer.start();
      await make('one');
      await has('add one');
      const body = [{ op: 'add', path: '/data', value: { a: '1' } }];
      await core.patchNamespacedConfigMap({ namespace, name: 'one', body });
      await has('update one');
      await plinth.stop();
      await plinth.start();
      await make('two');
      await core.deleteNamespacedConfigMap({ namespace, name: 'one' });
      await has('delete one');
      await has('add two');
    } finally {
      isStopped = true;
      await informer.stop();
    }
  });

  it('server-side apply: conflicts are told, and force takes over', async () => {
    const apply = (value: string, fieldManager: string, force?: boolean): Promise<V1ConfigMap> =>
      core.patchNamespacedConfigMap(
        {
          ...{ namespace, name: 'applied', fieldManager },
          ...(force === undefined ? {} : { force }),
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'applied' },
            data: { a: value },
          },
        },
        setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
      );
    await apply('1', 'first');
    assert.equal(await codeOf(apply('2', 'second')), 409);
    assert.deepEqual((await apply('3', 'second', true)).data, { a: '3' });
  });

  it('of two candidates that have both read a Lease one takes it', async () => {
    const leases = config.makeApiClient(CoordinationV1Api);
    const name = 'leader';
    const hold = async (holderIdentity: string): Promise<number> => {
      const lease = await leases.readNamespacedLease({ namespace, name });
      lease.spec = { holderIdentity, leaseDurationSeconds: 15, renewTime: new V1MicroTime() };
      // both have read before one of them writes
      await read();
      const write = leases.replaceNamespacedLease({ namespace, name, body: lease });
      return write.then(
        () => 200,
        (error: unknown) => (error instanceof ApiException ? error.code : 0),
      );
    };
    let waiting: (() => void)[] = [];
    const read = (): Promise<void> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length < 2) return;
        for (const go of waiting) go();
        waiting = [];
      });
    await leases.createNamespacedLease({ namespace, body: { metadata: { name } } });
    const codes = await Promise.all([hold('one'), hold('two')]);
    assert.deepEqual(codes.sort(), [200, 409]);
  });

  it('a chart is created object by object, and its Deployment scaled by the typed client', async () => {
    const kubectl = new Kubectl(plinth.kubeconfig);
    try {
      await kubectl.ok(['apply', '-f', 'examples/builtin-groups/']);
      await kubectl.definitionsAre('Established', '--all');
    } finally {
      kubectl.dispose();
    }
    const objects = KubernetesObjectApi.makeApiClient(config);
    const chart = parseAllDocuments(readFileSync(CHART, 'utf8')).map((document) => document.toJS());
    for (const object of chart) {
      const { metadata } = await objects.create({
        ...object,
        metadata: { namespace, ...object.metadata },
      });
      assert.ok(metadata?.uid !== undefined, object.kind);
    }
    const apps = config.makeApiClient(AppsV1Api);
    const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'shop' });
    scale.spec = { replicas: 4 };
    await apps.replaceNamespacedDeploymentScale({ namespace, name: 'shop', body: scale });
    const { spec } = await apps.readNamespacedDeployment({ namespace, name: 'shop' });
    assert.equal(spec?.replicas, 4);
  });
});
