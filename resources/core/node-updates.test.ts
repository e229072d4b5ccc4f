import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, updated } from '../testing/harness.ts';
import { nodeDefinition as definition } from './node.ts';

function node(
  spec: JsonObject = {},
  status: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'worker', ...metadata },
    spec,
    status,
  };
}
const FULL_SPEC = {
  podCIDR: '10.244.3.0/24',
  podCIDRs: ['10.244.3.0/24', 'fd00:10:244:3::/64'],
  providerID: 'example://zone-1/i-1',
  unschedulable: true,
  taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
};
const FULL_STATUS = { capacity: { cpu: '8' }, phase: 'Running' };

describe('Node', () => {
  describe('updates', () => {
    const old = created(definition, node({ ...FULL_SPEC, externalID: 'e' }, FULL_STATUS)).object;
    const put = (spec: JsonObject): string[] =>
      problems(updated(definition, old, node({ ...FULL_SPEC, externalID: 'e', ...spec })));

    it('may change taints and unschedulable, and leave the status alone', () => {
      const outcome = updated(definition, old, node({ ...FULL_SPEC, externalID: 'e', taints: [] }));
      assert.deepEqual(problems(outcome), []);
      assert.deepEqual(outcome.object['status'], old['status']);
    });

    const refused: Record<string, [JsonObject, string]> = {
      'providerID once it is set': [{ providerID: 'x' }, 'spec.providerID'],
      'providerID to nothing': [{ providerID: null }, 'spec.providerID'],
      'podCIDRs once they are set': [
        { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] },
        'spec.podCIDRs',
      ],
      'podCIDRs to none': [{ podCIDR: '', podCIDRs: [] }, 'spec.podCIDRs'],
      externalID: [{ externalID: 'f' }, 'spec.externalID'],
    };
    for (const [what, [spec, path]] of Object.entries(refused)) {
      it(`may not change ${what}`, () => {
        assert.deepEqual(put(spec), [`FieldValueForbidden ${path}`]);
      });
    }

    it('may set providerID and podCIDRs where they are not set yet', () => {
      const bare = created(definition, node()).object;
      assert.deepEqual(problems(updated(definition, bare, node(FULL_SPEC))), []);
      assert.deepEqual(problems(updated(definition, bare, node({ externalID: 'e' }))), [
        'FieldValueForbidden spec.externalID',
      ]);
    });

    it('of the status leave the spec alone, and keep other metadata', () => {
      const body = node({}, { phase: 'Pending' }, { labels: { a: 'b' } });
      const outcome = updated(definition, old, body, 'status');
      assert.deepEqual(problems(outcome), []);
      assert.deepEqual(outcome.object['spec'], old['spec']);
      assert.deepEqual(outcome.object.metadata.labels, { a: 'b' });
      const { phase, capacity } = outcome.object['status'] as JsonObject;
      assert.deepEqual([phase, capacity], ['Pending', undefined]);
    });

    it('of the status let pass what was wrong before', () => {
      const wrong = { conditions: [{ type: 'X', status: 'yes' }], phase: 'Dozing' };
      const stored = created(definition, node({}, wrong)).object;
      assert.deepEqual(problems(updated(definition, stored, node({}, wrong), 'status')), []);
    });
  });
});
