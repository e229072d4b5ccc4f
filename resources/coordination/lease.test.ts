import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { ALL_FEATURE_GATES, DEFAULT_FEATURE_GATES } from '../feature-gates.ts';
import { created, problems, rowOf, updated } from '../testing/harness.ts';
import { leaseDefinition } from './lease.ts';

const definition = leaseDefinition(ALL_FEATURE_GATES);
const ungated = leaseDefinition(DEFAULT_FEATURE_GATES);

function lease(spec?: JsonObject): JsonObject {
  const head = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', metadata: { name: 'a' } };
  return spec === undefined ? head : { ...head, spec };
}

const FULL = {
  holderIdentity: 'node-1_uuid',
  leaseDurationSeconds: 15,
  acquireTime: '1999-01-02T03:04:05.000006Z',
  renewTime: '1999-01-02T03:04:15.123456Z',
  leaseTransitions: 3,
  strategy: 'example.com/rotation',
  preferredHolder: 'node-2',
};

describe('Lease', () => {
  const kept: Record<string, [JsonObject | undefined, JsonObject]> = {
    'no spec is an empty one': [undefined, {}],
    'every field': [FULL, FULL],
    'what is given stays, empty and zero too': [
      { holderIdentity: '', leaseTransitions: 0, preferredHolder: '' },
      { holderIdentity: '', leaseTransitions: 0, preferredHolder: '' },
    ],
    'null is like absent': [
      { holderIdentity: null, leaseDurationSeconds: null, renewTime: null, strategy: null },
      {},
    ],
    'the largest numbers': [
      { leaseDurationSeconds: 2147483647, leaseTransitions: 2147483647 },
      { leaseDurationSeconds: 2147483647, leaseTransitions: 2147483647 },
    ],
    'a strategy of the server': [
      { strategy: 'OldestEmulationVersion' },
      { strategy: 'OldestEmulationVersion' },
    ],
    'a time in another zone, in UTC': [
      { renewTime: '1999-01-02T05:05:00.500000+02:00' },
      { renewTime: '1999-01-02T03:05:00.500000Z' },
    ],
  };
  for (const [name, [given, served]] of Object.entries(kept)) {
    it(`keeps: ${name}`, () => {
      const outcome = created(definition, lease(given));
      assert.deepEqual(problems(outcome), []);
      assert.deepEqual(outcome.object, { ...lease(), spec: served });
    });
  }

  const refused: Record<string, [JsonObject, string[]]> = {
    'leaseDurationSeconds is above 0': [
      { leaseDurationSeconds: 0 },
      ['FieldValueInvalid spec.leaseDurationSeconds'],
    ],
    'leaseTransitions is not negative': [
      { leaseTransitions: -1 },
      ['FieldValueInvalid spec.leaseTransitions'],
    ],
    'preferredHolder needs a strategy': [
      { preferredHolder: 'y' },
      ['FieldValueForbidden spec.preferredHolder'],
    ],
    'a strategy without domain is one that the server knows': [
      { strategy: 'Newest' },
      ['FieldValueNotSupported spec.strategy'],
    ],
    'an empty strategy is none': [
      { strategy: '', preferredHolder: 'y' },
      ['FieldValueNotSupported spec.strategy', 'FieldValueForbidden spec.preferredHolder'],
    ],
    'a strategy with a domain is a qualified name': [
      { strategy: 'example.com/bad name' },
      ['FieldValueInvalid spec.strategy'],
    ],
    'all that is wrong is told': [
      { leaseDurationSeconds: -1, leaseTransitions: -1 },
      ['FieldValueInvalid spec.leaseDurationSeconds', 'FieldValueInvalid spec.leaseTransitions'],
    ],
  };
  for (const [rule, [spec, expected]] of Object.entries(refused)) {
    it(`refuses: ${rule}`, () => {
      assert.deepEqual(problems(created(definition, lease(spec))), expected);
      const old = created(definition, lease()).object;
      assert.deepEqual(problems(updated(definition, old, lease(spec))), expected, 'on update');
    });
  }

  const undecodable: Record<string, JsonObject> = {
    'spec.leaseDurationSeconds: must be a 32-bit integer, not 2147483648': {
      leaseDurationSeconds: 2147483648,
    },
    'spec.leaseDurationSeconds: must be a 32-bit integer, not 1.5': { leaseDurationSeconds: 1.5 },
    'spec.strategy: must be a string, not a number': { strategy: 5 },
    'spec.renewTime: must be a time as a string, not an object': { renewTime: { seconds: 1 } },
  };
  for (const [text, spec] of Object.entries(undecodable)) {
    it(`is not decoded: ${text}`, () => {
      assert.throws(() => created(definition, lease(spec)), {
        code: 400,
        message: `Lease in version "v1" cannot be handled as a Lease: ${text}`,
      });
    });
  }

  it('tells unknown fields', () => {
    const { object, unknownFields } = created(definition, {
      ...lease({ holder: 'x', holderIdentity: 'y' }),
      status: {},
    });
    assert.deepEqual(unknownFields, ['spec.holder', 'status']);
    assert.deepEqual(object['spec'], { holderIdentity: 'y' });
  });

  it('is named like a DNS subdomain', () => {
    const body = { ...lease(), metadata: { name: 'Upper' } };
    assert.deepEqual(problems(created(definition, body)), ['FieldValueInvalid metadata.name']);
  });

  it('is created by PUT, and never updated without a resourceVersion', () => {
    assert.equal(definition.strategy.createOnUpdate, true);
    assert.equal(definition.strategy.unconditionalUpdate, false);
  });

  it('shows its holder in tables', () => {
    assert.deepEqual(rowOf(definition, created(definition, lease(FULL)).object), {
      Name: 'a',
      Holder: 'node-1_uuid',
      Age: '<unknown>',
    });
    assert.equal(rowOf(definition, created(definition, lease()).object)['Holder'], '');
  });

  describe('without the gate CoordinatedLeaderElection', () => {
    const coordinated = { strategy: 'example.com/x', preferredHolder: 'y', holderIdentity: 'z' };

    it('drops strategy and preferredHolder', () => {
      const outcome = created(ungated, lease(coordinated));
      assert.deepEqual(problems(outcome), []);
      assert.deepEqual(outcome.object['spec'], { holderIdentity: 'z' });
      const again = updated(ungated, outcome.object, lease(coordinated));
      assert.deepEqual(again.object['spec'], { holderIdentity: 'z' });
    });

    it('keeps them where the object has them from before', () => {
      const old = created(definition, lease(coordinated)).object;
      const outcome = updated(ungated, old, lease({ ...coordinated, preferredHolder: 'w' }));
      assert.deepEqual(outcome.object['spec'], { ...coordinated, preferredHolder: 'w' });
    });
  });
});
