import assert from 'node:assert/strict';
import { getPath } from '../../api/json.ts';
import { Kubectl } from '../support/kubectl.ts';
import { Plinth } from '../support/plinth.ts';
import { defineGadgets, patchOf, SUBJECTS } from './subjects.ts';

describe('kubectl changes', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;

  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
    await defineGadgets(kubectl);
    for (const { object } of SUBJECTS) await kubectl.ok(['create', '-f', '-'], object);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  for (const subject of SUBJECTS) {
    const { resource, name, path, value, strategic, object } = subject;
    describe(subject.what, () => {
      const get = (): Promise<any> => kubectl.json(['get', resource, name]);
      const seen = async (): Promise<unknown> => getPath(await get(), ...path);

      it('is labelled, relabelled and unlabelled', async () => {
        await kubectl.ok(['label', resource, name, 'colour=red']);
        assert.equal((await get()).metadata.labels.colour, 'red');
        const kept = await kubectl.refused(['label', resource, name, 'colour=blue']);
        assert.match(kept, /already has a value/);
        await kubectl.ok(['label', resource, name, 'colour=blue', '--overwrite']);
        assert.equal((await get()).metadata.labels.colour, 'blue');
        await kubectl.ok(['label', resource, name, 'colour-']);
        assert.deepEqual((await get()).metadata.labels, { tier: 'a' });
      });

      it('is annotated', async () => {
        await kubectl.ok(['annotate', resource, name, 'note=kept']);
        assert.equal((await get()).metadata.annotations.note, 'kept');
        await kubectl.ok(['annotate', resource, name, 'note-']);
        assert.equal((await get()).metadata.annotations?.note, undefined);
      });

      it('is patched by merge', async () => {
        const patch = JSON.stringify(patchOf(subject, 4));
        await kubectl.ok(['patch', resource, name, '--type', 'merge', '-p', patch]);
        assert.equal(await seen(), value(4));
        const again = await kubectl.ok(['patch', resource, name, '--type', 'merge', '-p', patch]);
        assert.match(again, /patched \(no change\)/);
      });

      it('is patched by operations', async () => {
        const patch = [
          { op: 'test', path: `/${path.join('/')}`, value: value(4) },
          { op: 'replace', path: `/${path.join('/')}`, value: value(6) },
        ];
        const args = ['patch', resource, name, '--type', 'json', '-p', JSON.stringify(patch)];
        await kubectl.ok(args);
        assert.equal(await seen(), value(6));
        const failed = [{ op: 'test', path: '/metadata/name', value: 'other' }];
        const refused = await kubectl.refused([...args.slice(0, -1), JSON.stringify(failed)]);
        assert.match(refused, /test|failed/i);
      });

      it(strategic ? 'is patched strategically' : 'takes no strategic patch', async () => {
        const args = ['patch', resource, name, '-p', JSON.stringify(patchOf(subject, 8))];
        if (strategic) {
          await kubectl.ok(args);
          assert.equal(await seen(), value(8));
        } else {
          assert.match(await kubectl.refused(args), /strategic-merge-patch\+json is not supported/);
        }
      });

      it('is edited', async () => {
        const script = `sed -i 's/tier: a/tier: edited/' "$1"`;
        assert.match(await kubectl.ok(['edit', resource, name], undefined, script), /edited/);
        assert.equal((await get()).metadata.labels.tier, 'edited');
        const cancelled = await kubectl.run(['edit', resource, name], undefined, 'true');
        assert.match(cancelled.err, /no changes made/);
      });

      it('is replaced', async () => {
        await kubectl.ok(['replace', '-f', '-'], object);
        const { metadata, spec } = await get();
        assert.deepEqual(metadata.labels, { tier: 'a' });
        assert.deepEqual(spec, {
          ...(object['spec'] as object),
          ...(resource === 'node' ? { podCIDRs: ['10.1.0.0/24'] } : {}),
        });
      });

      it('refuses unknown fields before anything is changed', async () => {
        const wrong = { ...object, unheard: 1 };
        assert.match(
          await kubectl.refused(['replace', '-f', '-'], wrong),
          /unknown field "unheard"/,
        );
      });
    });
  }

  it('a Node is tainted, untainted, cordoned and uncordoned', async () => {
    const spec = async (): Promise<any> => (await kubectl.json(['get', 'node', 'n1'])).spec;
    await kubectl.ok(['taint', 'node', 'n1', 'busy=yes:NoSchedule']);
    assert.deepEqual((await spec()).taints, [{ key: 'busy', value: 'yes', effect: 'NoSchedule' }]);
    await kubectl.ok(['taint', 'node', 'n1', 'busy=no:NoSchedule', '--overwrite']);
    assert.equal((await spec()).taints[0].value, 'no');
    await kubectl.ok(['taint', 'node', 'n1', 'busy:NoSchedule-']);
    assert.equal((await spec()).taints, undefined);
    await kubectl.ok(['cordon', 'n1']);
    assert.equal((await spec()).unschedulable, true);
    assert.match(await kubectl.ok(['get', 'node', 'n1']), /SchedulingDisabled/);
    await kubectl.ok(['uncordon', 'n1']);
    assert.equal((await spec()).unschedulable, undefined);
  });

  it('a custom resource is scaled, when it has as many as were expected', async () => {
    const replicas = async (): Promise<number> =>
      (await kubectl.json(['get', 'gadget', 'g1'])).spec.replicas;
    await kubectl.ok(['scale', 'gadget', 'g1', '--replicas=5']);
    assert.equal(await replicas(), 5);
    await kubectl.ok(['scale', 'gadget', 'g1', '--current-replicas=5', '--replicas=3']);
    assert.equal(await replicas(), 3);
    const args = ['scale', 'gadget', 'g1', '--current-replicas=9', '--replicas=1'];
    assert.match(await kubectl.refused(args), /Expected replicas to be 9, was 3/);
    assert.equal(await replicas(), 3);
  });

  it('a status is patched through its own path, and nothing else by it', async () => {
    const patch = JSON.stringify({ spec: { replicas: 99 }, status: { replicas: 2 } });
    const args = ['patch', 'gadget', 'g1', '--subresource=status', '--type=merge', '-p', patch];
    await kubectl.ok(args);
    const { spec, status } = await kubectl.json(['get', 'gadget', 'g1']);
    assert.equal(status.replicas, 2);
    assert.equal(spec.replicas, 3);
  });
});
