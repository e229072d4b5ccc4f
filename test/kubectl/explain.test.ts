import assert from 'node:assert/strict';
import { SPECIFIED } from '../../resources/testing/specified-fields.ts';
import { KINDS } from '../kinds/operations.ts';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';
import { defineGadgets } from './subjects.ts';

const GATES = 'CoordinatedLeaderElection=true,DynamicResourceAllocation=true';

/** A field of an explanation: how deep it stands, its name and type. */
interface Shown {
  readonly depth: number;
  readonly name: string;
  readonly type: string;
}

/** The lines `  spec	<LeaseSpec>` below FIELDS. */
function fieldsIn(text: string): Shown[] {
  const [, fields = ''] = text.split('\nFIELDS:\n');
  return [...fields.matchAll(/^( +)(\S+)\t<(\S+)>/gm)].map(
    ([, indent = '', name = '', type = '']) => ({
      depth: indent.length / 2,
      name,
      type,
    }),
  );
}

/** `spec.taints.key` for every field of a recursive explanation. */
function pathsIn(text: string): Set<string> {
  const paths = new Set<string>();
  const above: string[] = [];
  for (const { depth, name } of fieldsIn(text)) {
    above.length = depth - 1;
    above.push(name);
    paths.add(above.join('.'));
  }
  return paths;
}

describe('kubectl explain', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;

  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    kubectl = new Kubectl(plinth.kubeconfig);
    await defineGadgets(kubectl);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  for (const { kind, apiVersion, definition, version } of KINDS) {
    const explain = ['explain', '--api-version', apiVersion, definition.names.plural];

    it(`tells what ${kind.kind} is, and each of its fields with a type`, async () => {
      const text = await kubectl.ok(explain);
      assert.match(text, new RegExp(`^KIND: +${kind.kind}$`, 'm'));
      assert.doesNotMatch(text, /<empty>|<no description>/);
      const names = fieldsIn(text).map(({ name }) => name);
      assert.deepEqual(names.sort(), [...(version.schema().properties?.keys() ?? [])].sort());
    });

    const specified = SPECIFIED[kind.kind];
    if (specified === undefined) continue;
    it(`tells every field that the specification has for ${kind.kind}`, async () => {
      const paths = pathsIn(await kubectl.ok([...explain, '--recursive']));
      const wanted = specified
        .trim()
        .split('\n')
        .map((line) => line.trim().split(' ')[0]!);
      assert.deepEqual(
        wanted.filter((path) => !paths.has(path)),
        [],
      );
    });
  }

  it('describes a field, with the values that it may have', async () => {
    const text = await kubectl.ok(['explain', 'runtimeclass.scheduling.tolerations.effect']);
    assert.match(text, /FIELD: effect <string>/);
    assert.match(text, /NoExecute/);
  });

  it('describes a custom resource and its fields in the words of its definition', async () => {
    const whole = await kubectl.ok(['explain', 'gadget']);
    assert.match(whole, /A thing that has parts\./);
    const field = await kubectl.ok(['explain', 'gadget.spec.replicas']);
    assert.match(field, /FIELD: replicas <integer>/);
    assert.match(field, /How many there should be\./);
    assert.match(await kubectl.ok(['explain', 'gd.spec.parts']), /name\t<string> -required-/);
  });

  it('reports an unknown field', async () => {
    assert.match(await kubectl.refused(['explain', 'lease.spec.nothing']), /does not exist/);
  });
});
