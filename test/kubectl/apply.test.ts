import assert from 'node:assert/strict';
import { getPath, type JsonObject } from '../../api/json.ts';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';
import { changed, defineGadgets, SUBJECTS } from './subjects.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

describe('kubectl applies', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;

  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
    await defineGadgets(kubectl);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  for (const subject of SUBJECTS) {
    const { resource, name, path, value } = subject;
    const field = path.at(-1);
    describe(subject.what, () => {
      const get = (): Promise<any> =>
        kubectl.json(['get', resource, name, '--show-managed-fields']);
      const seen = async (): Promise<unknown> => getPath(await get(), ...path);
      const bare = (n: number | undefined): JsonObject => changed(subject, n, {});
      const apply = ['apply', '-f', '-'];
      const serverSide = ['apply', '--server-side', '-f', '-'];

      it('by comparing with what was applied last', async () => {
        assert.match(await kubectl.ok(apply, changed(subject, 2)), /created/);
        assert.match(await kubectl.ok(apply, changed(subject, 2)), /unchanged/);
        await kubectl.ok(['label', resource, name, 'other=kept']);
        assert.match(await kubectl.ok(apply, bare(4)), /configured/);
        const { metadata } = await get();
        assert.deepEqual(metadata.labels, { other: 'kept' }, 'what others set stays');
        assert.equal(await seen(), value(4));
        assert.ok(metadata.annotations[LAST_APPLIED].length > 0);
      });

      it('after showing the difference', async () => {
        const same = await kubectl.run(['diff', '-f', '-'], bare(4));
        assert.deepEqual([same.code, same.out], [0, ''], same.err);
        const other = await kubectl.run(['diff', '-f', '-'], bare(5));
        assert.equal(other.code, 1, other.err);
        assert.match(other.out, new RegExp(`^\\+ +${field}: ${value(5)}$`, 'm'));
        assert.equal(await seen(), value(4), 'nothing has changed');
      });

      it('on the server, taking over what was applied before', async () => {
        assert.match(await kubectl.ok(serverSide, bare(5)), /serverside-applied/);
        const { metadata } = await get();
        assert.equal(await seen(), value(5));
        const managers = metadata.managedFields.map(
          (entry: any) => `${entry.operation} ${entry.manager}`,
        );
        assert.ok(managers.includes('Apply kubectl'), managers.join());
        assert.ok(!managers.includes('Update kubectl-client-side-apply'), managers.join());
        const before = metadata.resourceVersion;
        await kubectl.ok(serverSide, bare(5));
        assert.equal((await get()).metadata.resourceVersion, before, 'nothing was written');
      });

      it('on the server, not over what another manager owns, unless it is forced', async () => {
        const other = [...serverSide, '--field-manager=other'];
        const refused = await kubectl.refused(other, bare(8));
        assert.ok(refused.includes('conflict with "kubectl"'), refused);
        assert.ok(refused.includes(`.${path.join('.')}`), refused);
        assert.equal(await seen(), value(5));
        await kubectl.ok([...other, '--force-conflicts'], bare(8));
        assert.equal(await seen(), value(8));
      });

      it('on the server, showing the difference first', async () => {
        const args = ['diff', '--server-side', '--field-manager=other', '-f', '-'];
        const same = await kubectl.run(args, bare(8));
        assert.deepEqual([same.code, same.out], [0, ''], same.err);
        const { code, out, err } = await kubectl.run(args, bare(7));
        assert.equal(code, 1, err);
        assert.match(out, new RegExp(`^\\+ +${field}: ${value(7)}$`, 'm'));
      });

      it('and prunes what is given up', async () => {
        await kubectl.ok([...serverSide, '--field-manager=other'], bare(undefined));
        assert.equal(await seen(), undefined, 'only one owned it');
      });
    });
  }

  it('many objects at once, in dry runs of both kinds first', async () => {
    const items = [1, 2, 3].map((n) => ({
      ...SUBJECTS[2]!.object,
      metadata: { name: `many-${n}`, namespace: 'default', labels: { set: 'many' } },
    }));
    const list = { apiVersion: 'v1', kind: 'List', items };
    await kubectl.ok(['apply', '--dry-run=client', '-f', '-'], list);
    await kubectl.ok(['apply', '--dry-run=server', '-f', '-'], list);
    await kubectl.ok(['apply', '--server-side', '--dry-run=server', '-f', '-'], list);
    const count = async (): Promise<number> =>
      (await kubectl.json(['get', 'gadgets', '-l', 'set=many'])).items.length;
    assert.equal(await count(), 0);
    await kubectl.ok(['apply', '-f', '-'], list);
    assert.equal(await count(), 3);
    const fewer = { ...list, items: items.slice(0, 1) };
    const prune = ['--prune', '-l', 'set=many', '--prune-allowlist=example.com/v1/Gadget'];
    await kubectl.ok(['apply', '-f', '-', ...prune], fewer);
    assert.equal(await count(), 1);
  });

  it('a definition with the extension keys of Kubernetes again, without a change', async () => {
    const manifest = {
      apiVersion: 'apiextensions.cluster.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'shelves.test.example.com' },
      spec: {
        group: 'test.example.com',
        scope: 'Cluster',
        names: { plural: 'shelves', singular: 'shelf', kind: 'Shelf' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  tags: {
                    type: 'array',
                    items: { type: 'string' },
                    'x-kubernetes-list-type': 'set',
                  },
                },
              },
            },
          },
        ],
      },
    };
    const apply = ['apply', '-f', '-'];
    assert.match(await kubectl.ok(apply, manifest), /created/);
    assert.match(await kubectl.ok(apply, manifest), /unchanged/);
    const same = await kubectl.run(['diff', '-f', '-'], manifest);
    assert.deepEqual([same.code, same.out], [0, ''], same.err);
    const shelf = { apiVersion: 'test.example.com/v1', kind: 'Shelf', metadata: { name: 'a' } };
    await kubectl.definitionsAre('Established', manifest.metadata.name);
    const twice = await kubectl.refused(['create', '-f', '-'], { ...shelf, tags: ['a', 'a'] });
    assert.match(twice, /Duplicate value/, 'the key counts');
  });

  it('an empty map on the server, in place of what was applied before', async () => {
    const runtime = (nodeSelector: JsonObject): JsonObject => ({
      apiVersion: 'node.cluster.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'emptied' },
      handler: 'h',
      scheduling: { nodeSelector },
    });
    await kubectl.ok(['apply', '-f', '-'], runtime({ disk: 'ssd' }));
    await kubectl.ok(['apply', '--server-side', '-f', '-'], runtime({}));
    const { scheduling } = await kubectl.json(['get', 'runtimeclass', 'emptied']);
    assert.deepEqual(scheduling.nodeSelector ?? {}, {}, 'no label is asked for any more');
  });
});
