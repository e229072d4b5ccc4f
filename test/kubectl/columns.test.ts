import assert from 'node:assert/strict';
import { NAMESPACE_OBJECT, objectOf } from '../kinds/objects.ts';
import { KINDS } from '../kinds/operations.ts';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { defineGadgets, SUBJECTS } from './subjects.ts';

const GATES = 'CoordinatedLeaderElection=true,DynamicResourceAllocation=true';

/** The definition of gadgets, and what the server registers for their group. */
const MADE_ALREADY = new Set(['APIService', 'CustomResourceDefinition']);

/** Headings as kubectl prints them: those of the definition, in capitals. */
function headings(text: string): string[] {
  return (text.split('\n')[0] ?? '').trim().split(/ {2,}/);
}

describe('kubectl get', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;

  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    kubectl = new Kubectl(plinth.kubeconfig);
    await kubectl.ok(['create', '-f', '-'], NAMESPACE_OBJECT);
    await defineGadgets(kubectl);
    const registered = ['get', 'apiservices', '-o', 'name'];
    await eventually(async () => (await kubectl.ok(registered)) !== '', 'an APIService of gadgets');
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  for (const served of KINDS) {
    const { kind, definition, version } = served;
    const resource = `${definition.names.plural}${kind.group === '' ? '' : `.${kind.group}`}`;

    it(`shows the columns of ${kind.kind}, all of them when it is asked for wide output`, async () => {
      if (definition.computed !== true && !MADE_ALREADY.has(kind.kind)) {
        await kubectl.ok(['create', '-f', '-'], objectOf(served));
      }
      const scope = definition.namespaced ? ['-n', 'team'] : [];
      const narrow = version.columns.filter(({ priority }) => priority === 0);
      const upper = (columns: typeof narrow): string[] =>
        columns.map(({ name }) => name.toUpperCase());
      const text = await kubectl.ok(['get', resource, ...scope]);
      assert.deepEqual(headings(text), upper(narrow));
      const rows = text.trimEnd().split('\n').slice(1);
      assert.ok(rows.length > 0, text);
      const wide = await kubectl.ok(['get', resource, ...scope, '-o', 'wide']);
      assert.deepEqual(headings(wide), upper([...version.columns]));
    });
  }

  it('shows the namespace of what is asked for in all of them, and an age', async () => {
    const text = await kubectl.ok([
      'get',
      'leases',
      '-A',
      '--field-selector=metadata.namespace=team',
    ]);
    assert.deepEqual(headings(text), ['NAMESPACE', 'NAME', 'HOLDER', 'AGE']);
    assert.match(text, /^team +sample +a +\d+s$/m);
  });

  it('shows the columns of a custom resource', async () => {
    await kubectl.ok(['create', '-f', '-'], SUBJECTS[2]!.object);
    const text = await kubectl.ok(['get', 'gd']);
    assert.deepEqual(headings(text), ['NAME', 'REPLICAS']);
    assert.match(text, /^g1 +1 *$/m);
  });

  it('finds kinds by their short names', async () => {
    for (const { definition } of KINDS) {
      for (const name of definition.names.shortNames) {
        const { code, err } = await kubectl.run(['get', name, '-o', 'name']);
        assert.equal(code, 0, err);
      }
    }
  });

  it('describes what it does not know by what the server says', async () => {
    const text = await kubectl.ok(['describe', 'lease', 'sample', '-n', 'team']);
    assert.match(text, /Holder Identity: +a/);
  });
});
