import assert from 'node:assert/strict';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';

const MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'map' },
  data: { colour: 'red' },
};

/** The commands that no other file of this folder runs. docs/ecosystem.md lists all of them. */
describe('kubectl commands', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;
  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });
  afterEach(() => kubectl.ok(['delete', 'configmap', 'map', '--ignore-not-found']));

  const colour = async (): Promise<string> =>
    (await kubectl.json(['get', 'configmap', 'map'])).data.colour;

  it('apply view-, edit- and set-last-applied read and write what was applied last', async () => {
    await kubectl.ok(['apply', '-f', '-'], MAP);
    const view = ['apply', 'view-last-applied', 'configmap', 'map'];
    assert.match(await kubectl.ok(view), /colour: red/);
    const edit = ['apply', 'edit-last-applied', 'configmap', 'map'];
    await kubectl.ok(edit, undefined, `sed -i 's/colour: red/colour: blue/' "$1"`);
    assert.match(await kubectl.ok(view), /colour: blue/);
    assert.equal(await colour(), 'red');
    await kubectl.ok(['apply', 'set-last-applied', '-f', '-'], MAP);
    assert.match(await kubectl.ok(view), /colour: red/);
  });

  it('replace --force makes the object a second time', async () => {
    await kubectl.ok(['create', '-f', '-'], MAP);
    const { uid } = (await kubectl.json(['get', 'configmap', 'map'])).metadata;
    const changed = { ...MAP, data: { colour: 'green' } };
    await kubectl.ok(['replace', '--force', '-f', '-'], changed);
    assert.equal(await colour(), 'green');
    assert.notEqual((await kubectl.json(['get', 'configmap', 'map'])).metadata.uid, uid);
  });

  it('wait ends when an object is there, has a value, and is gone', async () => {
    const wait = (what: string) => kubectl.ok(['wait', 'configmap/map', `--for=${what}`]);
    const created = wait('create');
    await kubectl.ok(['create', '-f', '-'], MAP);
    await created;
    const changed = wait('jsonpath={.data.colour}=blue');
    const patch = JSON.stringify({ data: { colour: 'blue' } });
    await kubectl.ok(['patch', 'configmap', 'map', '--type=merge', '-p', patch]);
    await changed;
    const gone = wait('delete');
    await kubectl.ok(['delete', 'configmap', 'map']);
    await gone;
  });

  it('delete leaves dependents with --cascade=orphan, and takes them in the other ways', async () => {
    const child = (uid: string): object => ({
      ...MAP,
      metadata: {
        name: 'child',
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'map', uid }],
      },
    });
    for (const cascade of ['orphan', 'background', 'foreground']) {
      await kubectl.ok(['create', '-f', '-'], MAP);
      const { uid } = (await kubectl.json(['get', 'configmap', 'map'])).metadata;
      await kubectl.ok(['create', '-f', '-'], child(uid));
      await kubectl.ok(['delete', 'configmap', 'map', `--cascade=${cascade}`]);
      if (cascade === 'orphan') {
        const { metadata } = await kubectl.json(['get', 'configmap', 'child']);
        assert.equal(metadata.ownerReferences, undefined);
        await kubectl.ok(['delete', 'configmap', 'child']);
      } else {
        await kubectl.ok(['wait', 'configmap/child', '--for=delete']);
      }
    }
  });

  it('create token gives an account what whoami knows it by', async () => {
    await kubectl.ok(['create', 'serviceaccount', 'robot']);
    const token = (await kubectl.ok(['create', 'token', 'robot', '--duration=10m'])).trim();
    const { status, json } = await plinth.send(
      'POST',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { authorization: `Bearer ${token}` },
    );
    assert.equal(status, 201);
    assert.equal(json.status.userInfo.username, 'system:serviceaccount:default:robot');
    const bound = ['--bound-object-kind=Secret', '--bound-object-name=none'];
    const refused = await kubectl.refused(['create', 'token', 'robot', ...bound]);
    assert.match(refused, /secrets "none" not found/);
  });

  it('auth can-i answers for others, and lists what is allowed', async () => {
    assert.match(await kubectl.ok(['auth', 'can-i', 'create', 'configmaps']), /^yes/);
    const { code, out } = await kubectl.run(['auth', 'can-i', 'create', 'cm', '--as=stranger']);
    assert.equal(code, 1);
    assert.match(out, /^no/);
    assert.match(await kubectl.ok(['auth', 'can-i', '--list']), /\*\.\* +\[\] +\[\] +\[\*\]/);
  });

  it('set subject changes a binding by its full name', async () => {
    await kubectl.ok(['create', 'rolebinding', 'bound', '--role=any', '--user=jane']);
    const full = 'rolebindings.rbac.authorization.k8s.io/bound';
    await kubectl.ok(['set', 'subject', full, '--user=john']);
    const { subjects } = await kubectl.json(['get', full]);
    assert.deepEqual(
      subjects.map(({ name }: { name: string }) => name),
      ['jane', 'john'],
    );
  });

  it('api-resources finds the verbs of each kind, and get takes every format', async () => {
    const wide = await kubectl.ok(['api-resources', '-o', 'wide', '--verbs=list,create']);
    assert.match(wide, /^configmaps +cm +v1 +true +ConfigMap +create,delete,.*watch/m);
    await kubectl.ok(['create', '-f', '-'], MAP);
    const get = (...args: string[]): Promise<string> =>
      kubectl.ok(['get', 'configmap', '--field-selector=metadata.name=map', ...args]);
    assert.equal(await get('-o', 'jsonpath={.items[*].data.colour}'), 'red');
    assert.equal(await get('-o', 'go-template={{len .items}}'), '1');
    assert.match(await get('-o', 'custom-columns=N:.metadata.name'), /^N\nmap\n$/);
    assert.match(await get('--sort-by=.metadata.name', '--chunk-size=1'), /^NAME +DATA +AGE\nmap/);
    assert.equal(await kubectl.ok(['get', '--raw', '/readyz']), 'ok');
  });

  it('cluster-info dump writes what there is', async () => {
    const dump = await kubectl.ok(['cluster-info', 'dump']);
    assert.match(dump, /"kind": "PodList"/);
  });

  it('kinds of flow control are not here, and kubectl says so', async () => {
    for (const kind of ['flowschemas', 'prioritylevelconfigurations']) {
      const refused = await kubectl.refused(['get', kind]);
      assert.match(refused, /doesn't have a resource type/);
    }
  });
});
