import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { blockOf, ROOT, type } from '../docs/blocks.ts';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const DEFINITIONS = 'examples/builtin-groups/';
const CHART = 'examples/builtin-groups/chart/rendered.yaml';
const COUNT = parseAllDocuments(readFileSync(CHART, 'utf8')).length;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };

function definition(group: string, plural: string, kind: string): any {
  return {
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}

describe('kinds of Kubernetes that definitions bring', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    plinth = await Plinth.start({ args: ['--allow-builtin-groups'] });
    kubectl = new Kubectl(plinth.kubeconfig);
    const { commands } = blockOf('docs/ecosystem.md', 'Kinds of workloads');
    const env = { HOME: plinth.dataDir, KUBECONFIG: plinth.kubeconfig };
    await type(commands, { cwd: ROOT, env });
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  for (const side of [[], ['--server-side']]) {
    it(`a chart is installed unchanged, shows no difference, and goes ${side.join('')}`, async () => {
      const apply = ['apply', ...side, '-f', CHART];
      const lines = (await kubectl.ok(apply)).trim().split('\n');
      assert.equal(lines.length, COUNT);
      const same = await kubectl.run(['diff', ...side, '-f', CHART]);
      assert.deepEqual([same.code, same.out], [0, ''], same.err);
      await kubectl.ok(apply);
      const deleted = await kubectl.ok(['delete', '-f', CHART]);
      assert.equal(deleted.trim().split('\n').length, COUNT);
    });
  }

  it('commands that know the kinds work: apply of a change, set image, scale, describe, expose, run', async () => {
    await kubectl.ok(['apply', '-f', CHART]);
    const changed = readFileSync(CHART, 'utf8').replace('value: info', 'value: debug');
    assert.match(
      await kubectl.ok(['apply', '-f', '-'], changed),
      /deployment.apps\/shop configured/,
    );
    await kubectl.ok(['set', 'image', 'deployment/shop', 'proxy=proxy:2']);
    await kubectl.ok(['scale', 'deployment', 'shop', '--replicas=4']);
    const { spec } = await kubectl.json(['get', 'deploy', 'shop']);
    assert.equal(spec.replicas, 4);
    assert.deepEqual(
      spec.template.spec.containers.map(({ name, image, env }: any) => [
        name,
        image,
        env?.[0].value,
      ]),
      [
        ['shop', 'registry.example.com/shop:1.0.0', 'debug'],
        ['proxy', 'proxy:2', undefined],
      ],
    );
    assert.match(await kubectl.ok(['describe', 'deployment', 'shop']), /Image: +proxy:2/);
    await kubectl.ok(['expose', 'deployment', 'shop', '--name=exposed', '--port=80']);
    await kubectl.ok(['run', 'once', '--image=example']);
    const all = await kubectl.ok(['get', 'all', '-o', 'name']);
    for (const name of [
      'pod/once',
      'service/exposed',
      'deployment.apps/shop',
      'cronjob.batch/shop-report',
    ]) {
      assert.ok(all.includes(`${name}\n`), all);
    }
    await kubectl.ok(['delete', 'deploy,svc,po', '--all']);
  });

  it('a priority class is created by its command, and keeps its value', async () => {
    await kubectl.ok(['create', 'priorityclass', 'urgent', '--value=1000', '--description=first']);
    const { value, description, preemptionPolicy } = await kubectl.json(['get', 'pc', 'urgent']);
    assert.deepEqual(
      [value, description, preemptionPolicy],
      [1000, 'first', 'PreemptLowerPriority'],
    );
    await kubectl.ok(['delete', 'pc', 'urgent']);
  });

  it('an autoscaler is created by its command', async () => {
    await kubectl.ok(['create', 'deployment', 'scaled', '--image=registry.example/web:1']);
    await kubectl.ok(['autoscale', 'deployment', 'scaled', '--min=1', '--max=3']);
    const { spec } = await kubectl.json(['get', 'hpa', 'scaled']);
    assert.deepEqual([spec.minReplicas, spec.maxReplicas], [1, 3]);
    assert.equal(spec.scaleTargetRef.name, 'scaled');
    await kubectl.ok(['delete', 'hpa,deployment', 'scaled']);
  });

  it('prune without an allowlist finds the kinds that it looks for', async () => {
    const maps = ['kept', 'given-up'].map((name) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { set: 'pruned' } },
    }));
    const prune = ['apply', '--prune', '-l', 'set=pruned', '-f', '-'];
    await kubectl.ok(prune, { apiVersion: 'v1', kind: 'List', items: maps });
    const pruned = await kubectl.ok(prune, maps[0]);
    assert.deepEqual(pruned.trim().split('\n'), [
      'configmap/kept unchanged',
      'configmap/given-up pruned',
    ]);
  });

  it('an Ingress has the one name of its definition, in every answer', async () => {
    await kubectl.ok(['apply', '-f', CHART]);
    const ask = (path: string, headers = {}) => plinth.get(path, headers);
    const { json: one, text } = await ask(`${INGRESSES}/shop`);
    assert.equal(one.apiVersion, 'networking.k8s.io/v1');
    assert.ok(one.metadata.managedFields.every((m: any) => m.apiVersion === one.apiVersion));
    assert.doesNotMatch(text, /cluster\.io/);
    const { json: list } = await ask(INGRESSES);
    assert.deepEqual(
      [list.kind, list.apiVersion, list.items.length],
      ['IngressList', one.apiVersion, 1],
    );
    assert.deepEqual(list.items[0], one);
    const table = await ask(INGRESSES, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' });
    assert.deepEqual(table.json.rows[0].cells.slice(0, 3), ['shop', 'public', 'shop.example.com']);
    const watched = await ask(`${INGRESSES}?watch=1&timeoutSeconds=1`);
    assert.deepEqual(JSON.parse(watched.text.split('\n')[0] ?? '').object, one);
    for (const path of ['namespaces/default/ingresses', 'namespaces/default/ingresses/shop']) {
      assert.equal((await ask(`/apis/networking.cluster.io/v1/${path}`)).status, 404);
    }
    const groups = (await ask('/apis/networking.cluster.io/v1')).json.resources;
    assert.ok(!groups.some(({ name }: any) => name === 'ingresses'));
    assert.match(await kubectl.ok(['explain', 'ing']), /GROUP: +networking.k8s.io/);
    assert.match(await kubectl.ok(['get', 'ing']), /shop +public/);
    const patched = await plinth.send(
      'PATCH',
      `${INGRESSES}/shop`,
      { spec: { ingressClassName: 'x' } },
      STRATEGIC,
    );
    assert.deepEqual(
      [patched.status, patched.json.apiVersion],
      [200, one.apiVersion],
      patched.text,
    );
  });

  it('rights and owners mean the group by either name', async () => {
    await kubectl.ok(['apply', '-f', CHART]);
    await kubectl.ok([
      'create',
      'role',
      'ing',
      '--verb=get',
      '--resource=ingresses.networking.k8s.io',
    ]);
    await kubectl.ok(['create', 'rolebinding', 'ing', '--role=ing', '--user=alice']);
    const as = ['--as=alice', 'get', 'ingresses.networking.k8s.io'];
    assert.match(await kubectl.ok([...as, 'shop']), /shop/);
    assert.match(await kubectl.refused(as), /cannot list resource "ingresses"/);
    const { json: owner } = await plinth.get(`${INGRESSES}/shop`);
    const { apiVersion, kind, metadata } = owner;
    await plinth.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: {
        name: 'owned',
        ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }],
      },
    });
    await kubectl.ok(['delete', 'ing', 'shop']);
    await eventually(
      async () => (await plinth.get('/api/v1/namespaces/default/configmaps/owned')).status === 404,
      'what the Ingress owns is gone',
    );
  });

  it('bodies in protobuf, which typed clients send, store what JSON stores', async () => {
    const commands = [
      ['deployment', 'web', '--image=web', '--replicas=0', '--port=80'],
      ['job', 'once', '--image=busybox', '--', 'true'],
      ['cronjob', 'often', '--image=busybox', '--schedule=* * * * *', '--', 'true'],
      ['service', 'clusterip', 'web', '--tcp=80:8080'],
      ['ingress', 'web', '--rule=a.example.com/x*=web:80,tls=secret'],
      ['poddisruptionbudget', 'web', '--selector=app=web', '--min-available=1'],
    ];
    for (const command of commands) {
      const [kind = ''] = command;
      const name = command.find((word, i) => i > 0 && word !== 'clusterip') ?? '';
      const { sent, stored } = await madeBothWays(['create', ...command], `${kind}/${name}`);
      assert.deepEqual(stored, sent, kind);
    }
    const expose = [
      'expose',
      'deployment/web',
      '--name=exposed',
      '--port=80',
      '--target-port=http',
    ];
    const { sent, stored } = await madeBothWays(expose, 'service/exposed');
    assert.deepEqual(stored, sent);
    const made = ['deployment/web', 'job/once', 'cronjob/often', 'service/web', 'service/exposed'];
    await kubectl.ok(['delete', ...made, 'ingress/web', 'poddisruptionbudget/web']);
  });

  /** The spec of what a command makes: from the JSON that it prints, and from the protobuf that it sends. */
  async function madeBothWays(
    command: string[],
    name: string,
  ): Promise<{ sent: any; stored: any }> {
    const options = command.indexOf('--');
    const dry = ['--dry-run=client', '-o', 'json'];
    const place = options === -1 ? command.length : options;
    const printed = await kubectl.ok([...command.slice(0, place), ...dry, ...command.slice(place)]);
    // kubectl 1.32 prints times that are not set
    const json = JSON.parse(printed, (_key, value) => (value === null ? undefined : value));
    await kubectl.ok(['create', '-f', '-'], json);
    const sent = (await kubectl.json(['get', name])).spec;
    await kubectl.ok(['delete', name]);
    await kubectl.ok(command);
    const stored = (await kubectl.json(['get', name])).spec;
    return { sent, stored };
  }

  it('controllers update what they have made without a resourceVersion, save for a PodDisruptionBudget', async () => {
    const updated = async (path: string, object: any): Promise<number> => {
      const made = await plinth.send('POST', path, object);
      assert.equal(made.status, 201, made.text);
      object.metadata.labels = { changed: 'yes' };
      const { status, json } = await plinth.send('PUT', `${path}/${object.metadata.name}`, object);
      if (status === 200) assert.equal(json.metadata.labels.changed, 'yes');
      return status;
    };
    const labels = { app: 'made' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } };
    assert.equal(
      await updated('/apis/apps/v1/namespaces/default/deployments', {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'made' } },
        spec: { selector: { matchLabels: labels }, template },
      }),
      200,
    );
    assert.equal(
      await updated('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
        ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'made' } },
        spec: { minAvailable: 1 },
      }),
      422,
    );
    await kubectl.ok(['delete', 'deploy,pdb', 'made']);
  });

  it('bodies in protobuf of unknown kinds are answered with 415', async () => {
    const reply = await plinth.send(
      'POST',
      '/apis/apps/v1/namespaces/default/deployments',
      'k8s\0',
      {
        'content-type': 'application/vnd.kubernetes.protobuf',
        accept: 'application/vnd.kubernetes.protobuf,application/json',
      },
    );
    assert.deepEqual([reply.status, reply.json?.reason], [415, 'UnsupportedMediaType'], reply.text);
  });

  it('lists without keys are not merged by a patch that expects keys', async () => {
    const { metadata, spec } = definition('batch', 'things', 'Thing');
    assert.equal((await plinth.send('POST', CRDS, { metadata, spec })).status, 201);
    await kubectl.definitionsAre('Established', 'things.batch');
    const things = '/apis/batch/v1/namespaces/default/things';
    const items = [{ name: 'a', size: 1 }, { name: 'b' }];
    const made = await plinth.send('POST', things, {
      apiVersion: 'batch/v1',
      kind: 'Thing',
      metadata: { name: 'one' },
      spec: { items },
    });
    assert.equal(made.status, 201, made.text);
    const patch = {
      spec: {
        '$setElementOrder/items': [{ name: 'a' }, { name: 'b' }],
        items: [{ name: 'a', size: 2 }],
      },
    };
    const refused = await plinth.send('PATCH', `${things}/one`, patch, STRATEGIC);
    assert.equal(refused.status, 400, refused.text);
    assert.deepEqual((await plinth.get(`${things}/one`)).json.spec.items, items);
  });

  it('a definition takes the place of an empty kind, ends its watches, and gives it back', async () => {
    const path = '/api/v1/replicationcontrollers';
    const ended = plinth.get(`${path}?watch=1&timeoutSeconds=600`);
    const { metadata, spec } = definition(
      'core',
      'replicationcontrollers',
      'ReplicationController',
    );
    assert.equal((await plinth.send('POST', CRDS, { metadata, spec })).status, 201);
    assert.equal((await ended).status, 200);
    const own = '/api/v1/namespaces/default/replicationcontrollers';
    const object = { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'one' } };
    const made = await plinth.send('POST', own, object);
    assert.equal(made.status, 201, made.text);
    assert.equal((await plinth.get(path)).json.items.length, 1);
    assert.equal((await plinth.send('DELETE', `${CRDS}/${metadata.name}`)).status, 200);
    await eventually(
      async () => (await plinth.send('POST', own, object)).status === 405,
      'the kind is read only again',
    );
    assert.deepEqual((await plinth.get(path)).json.items, []);
  });

  it('a definition under the other name of a group waits until the names are free', async () => {
    const { metadata, spec } = definition('networking.cluster.io', 'ingresses', 'Ingress');
    assert.equal((await plinth.send('POST', CRDS, { metadata, spec })).status, 201);
    await kubectl.definitionsAre('NamesAccepted=False', metadata.name);
    assert.equal((await plinth.get(INGRESSES)).status, 200);
    await plinth.send('DELETE', `${CRDS}/${metadata.name}`);
  });

  it('what is built in stays as it is', async () => {
    const { metadata, spec } = definition('core', 'secrets', 'Secret');
    assert.equal((await plinth.send('POST', CRDS, { metadata, spec })).status, 201);
    const { json } = await plinth.send('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'own' },
      stringData: { a: 'b' },
    });
    assert.deepEqual(json.data, { a: 'Yg==' });
    await plinth.send('DELETE', `${CRDS}/${metadata.name}`);
    assert.equal((await plinth.get('/api/v1/namespaces/default/secrets/own')).status, 200);
  });

  it('a definition in a group of Kubernetes says that it is not approved', async () => {
    const { metadata, spec } = definition('networking.k8s.io', 'others', 'Other');
    const refused = await plinth.send('POST', CRDS, { metadata: { name: metadata.name }, spec });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /protected groups must have approval annotation/);
  });

  it('without the flag nothing of them is served, and what they leave goes with their definition', async () => {
    await kubectl.ok(['apply', '-f', CHART]);
    await plinth.stop();
    const without = await Plinth.start({ dataDir: plinth.dataDir });
    try {
      for (const path of [
        ...[INGRESSES, '/apis/apps/v1/deployments', '/apis/batch/v1/cronjobs', '/api/v1/services'],
      ]) {
        assert.deepEqual((await without.get(path)).json.items, [], path);
        assert.equal((await without.send('POST', path, {})).status, 405, path);
      }
      for (const group of ['apps', 'core', 'batch', 'networking.k8s.io']) {
        const { metadata, spec } = definition(group, 'things', 'Thing');
        const refused = await without.send('POST', CRDS, { metadata, spec });
        assert.equal(refused.status, 422, refused.text);
        assert.match(refused.json.message, /spec\.group: Invalid value/);
      }
      for (const name of ['deployments.apps', 'services.core', 'ingresses.networking.k8s.io']) {
        const marked = await without.send(
          'PATCH',
          `${CRDS}/${name}`,
          { metadata: { labels: { a: 'b' } } },
          { 'content-type': 'application/merge-patch+json' },
        );
        assert.equal(marked.status, 200, marked.text);
        await without.send('DELETE', `${CRDS}/${name}`);
        await eventually(
          async () => (await without.get(`${CRDS}/${name}`)).status === 404,
          `${name} is gone`,
        );
      }
    } finally {
      await without.stop();
    }
    await plinth.start();
    await kubectl.ok(['apply', '-f', DEFINITIONS]);
    await kubectl.definitionsAre('Established', '--all');
    for (const path of [INGRESSES, '/apis/apps/v1/deployments', '/api/v1/services']) {
      assert.deepEqual((await plinth.get(path)).json.items, [], path);
    }
    assert.equal((await plinth.get('/apis/batch/v1/cronjobs')).json.items.length, 1);
  });
});
