// What a program does with the newest @kubernetes/client-node. Prints one line for each step.
import { createRequire } from 'node:module';

const [kubeconfig, packages] = process.argv.slice(2);
const { pathToFileURL } = await import('node:url');
const found = createRequire(`${packages}/`).resolve('@kubernetes/client-node');
const {
  CoreV1Api,
  CoordinationV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
} = await import(pathToFileURL(found).href);

const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const core = config.makeApiClient(CoreV1Api);
const namespace = 'default';

const seen = [];
const list = () => core.listNamespacedConfigMap({ namespace });
const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
let changed = () => undefined;
for (const event of ['add', 'update', 'delete']) {
  informer.on(event, ({ metadata }) => {
    seen.push(`${event} ${metadata.name}`);
    changed();
  });
}
const until = async (event) => {
  while (!seen.includes(event)) await new Promise((resolve) => (changed = resolve));
};
informer.on('error', () => undefined);
await informer.start();
await core.createNamespacedConfigMap({
  namespace,
  body: { metadata: { name: 'one' }, data: { a: '1' } },
});
await until('add one');
await core.patchNamespacedConfigMap({
  namespace,
  name: 'one',
  body: [{ op: 'add', path: '/data/b', value: '2' }],
});
await until('update one');
await core.deleteNamespacedConfigMap({ namespace, name: 'one' });
await until('delete one');
await informer.stop();
console.log('informer', seen.join(', '));

const apply = (value, fieldManager, force) =>
  core.patchNamespacedConfigMap(
    {
      namespace,
      name: 'applied',
      fieldManager,
      force,
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
const refused = await apply('2', 'second').then(
  () => 200,
  (error) => error.code,
);
console.log('apply', refused, (await apply('3', 'second', true)).data.a);

const leases = config.makeApiClient(CoordinationV1Api);
const made = await leases.createNamespacedLease({
  namespace,
  body: { metadata: { name: 'lease' }, spec: { renewTime: new V1MicroTime() } },
});
made.spec.holderIdentity = 'me';
const taken = await leases.replaceNamespacedLease({ namespace, name: 'lease', body: made });
const stale = await leases.replaceNamespacedLease({ namespace, name: 'lease', body: made }).then(
  () => 200,
  (error) => error.code,
);
console.log('lease', taken.spec.holderIdentity, stale);

const objects = KubernetesObjectApi.makeApiClient(config);
const role = await objects.create({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'client' },
  rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get'] }],
});
console.log('object', role.apiVersion, role.rules[0].apiGroups[0]);
process.exit(0);
