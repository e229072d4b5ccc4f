// What a program does with kubernetes-fluent-client. Prints one line for each step.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [kubeconfig, packages] = process.argv.slice(2);
process.env.KUBECONFIG = kubeconfig;
const found = createRequire(`${packages}/`).resolve('kubernetes-fluent-client');
const { K8s, kind } = await import(pathToFileURL(found).href);

const namespace = 'default';
const seen = [];
let changed = () => undefined;
const watcher = K8s(kind.ConfigMap)
  .InNamespace(namespace)
  .WithLabel('fluent', 'yes')
  .Watch((object, phase) => {
    seen.push(`${phase} ${object.metadata.name}`);
    changed();
  });
const until = async (event) => {
  while (!seen.includes(event)) await new Promise((resolve) => (changed = resolve));
};
await watcher.start();
const metadata = { name: 'fluent', namespace, labels: { fluent: 'yes' } };
await K8s(kind.ConfigMap).Apply({ metadata, data: { a: '1' } });
await until('ADDED fluent');
await K8s(kind.ConfigMap, { name: 'fluent', namespace }).Patch([
  { op: 'add', path: '/data/b', value: '2' },
]);
await until('MODIFIED fluent');
const { items } = await K8s(kind.ConfigMap).InNamespace(namespace).WithLabel('fluent', 'yes').Get();
console.log('found', JSON.stringify(items.map(({ data }) => data)));
await K8s(kind.ConfigMap).InNamespace(namespace).Delete('fluent');
await until('DELETED fluent');
watcher.close();
console.log('watch', seen.join(', '));

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a' }] },
};
const spec = { selector: { matchLabels: { app: 'a' } }, template };
const { status } = await K8s(kind.Deployment)
  .Apply({ metadata: { name: 'fluent', namespace }, spec })
  .then(() => ({ status: 200 }));
console.log('deployment', status);
process.exit(0);
