import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { serviceCidrDefinition as definition } from './service-cidr.ts';

const V4 = '198.18.3.0/24';
const V6 = '2001:db8:1::/112';

function range(cidrs: string[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'networking.cluster.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'range' },
    spec: { cidrs },
    ...more,
  };
}

const CONDITION = {
  type: 'Ready',
  status: 'True',
  observedGeneration: 1,
  lastTransitionTime: '2024-01-02T03:04:05Z',
  reason: 'Allocated',
  message: '',
};

describe('ServiceCIDR', () => {
  testKept(definition, {
    'one range': [range([V4]), range([V4], { status: {} })],
    'two ranges of two families': [range([V6, V4]), range([V6, V4], { status: {} })],
    'no status that a client sends along': [
      range([V4], { status: { conditions: [CONDITION] } }),
      range([V4], { status: {} }),
    ],
  });

  testRefused(definition, {
    'no range': [range([]), ['FieldValueRequired spec.cidrs']],
    'three ranges': [range([V4, V6, '198.18.4.0/24']), ['FieldValueInvalid spec.cidrs']],
    'two ranges of one family': [range([V4, '198.18.4.0/24']), ['FieldValueInvalid spec.cidrs']],
    'two ranges of one family, and bits behind a prefix': [
      range([V4, '198.18.4.1/24']),
      ['FieldValueInvalid spec.cidrs[1]', 'FieldValueInvalid spec.cidrs'],
    ],
    'an address without a prefix length': [
      range(['198.18.3.0']),
      ['FieldValueInvalid spec.cidrs[0]'],
    ],
    'leading zeros': [range([V6, '198.018.3.0/24']), ['FieldValueInvalid spec.cidrs[1]']],
    'bits behind the prefix': [range(['198.18.3.1/24']), ['FieldValueInvalid spec.cidrs[0]']],
    'what is not canonical': [range(['2001:DB8:1::/112']), ['FieldValueInvalid spec.cidrs[0]']],
    'an IPv4-mapped range': [range(['::ffff:198.18.3.0/120']), ['FieldValueInvalid spec.cidrs[0]']],
  });

  describe('updates', () => {
    const one = created(definition, range([V4])).object;
    const two = created(definition, range([V4, V6])).object;

    it('may bring the same ranges', () => {
      assert.deepEqual(problems(updated(definition, two, range([V4, V6]))), []);
    });

    const refused: Record<string, [typeof one, string[], string[]]> = {
      'another range': [one, ['198.18.4.0/24'], ['FieldValueInvalid spec.cidrs[0]']],
      'a range of the other family': [one, [V4, V6], ['FieldValueInvalid spec.cidrs']],
      'a range before the first': [one, [V6, V4], ['FieldValueInvalid spec.cidrs']],
      'a second of the same family': [one, [V4, '198.18.4.0/24'], ['FieldValueInvalid spec.cidrs']],
      'fewer ranges': [two, [V4], ['FieldValueInvalid spec.cidrs']],
      'none any more': [two, [], ['FieldValueInvalid spec.cidrs']],
      'another second range': [two, [V4, '2001:db8:2::/112'], ['FieldValueInvalid spec.cidrs[1]']],
    };
    for (const [what, [old, cidrs, expected]] of Object.entries(refused)) {
      it(`may not bring ${what}`, () => {
        assert.deepEqual(problems(updated(definition, old, range(cidrs))), expected);
      });
    }

    it('leave the status alone', () => {
      const body = range([V4], { status: { conditions: [CONDITION] } });
      assert.deepEqual(updated(definition, one, body).object['status'], {});
    });
  });

  describe('updates of the status', () => {
    const old = created(definition, range([V4])).object;
    const put = (conditions: JsonObject[]) =>
      updated(
        definition,
        old,
        {
          ...range([V6]),
          metadata: { name: 'range', labels: { a: 'b' } },
          status: { conditions },
        },
        'status',
      );

    it('change nothing else', () => {
      const outcome = put([CONDITION]);
      assert.deepEqual(problems(outcome), []);
      assert.deepEqual(outcome.object, range([V4], { status: { conditions: [CONDITION] } }));
    });

    const refused: Record<string, [JsonObject, string[]]> = {
      'no type': [{ type: '' }, ['FieldValueRequired status.conditions[0].type']],
      'a type that is not a qualified name': [
        { type: 'is it ready' },
        ['FieldValueInvalid status.conditions[0].type'],
      ],
      'a status that is none of the three': [
        { status: 'Perhaps' },
        ['FieldValueNotSupported status.conditions[0].status'],
      ],
      'no time': [
        { lastTransitionTime: null },
        ['FieldValueRequired status.conditions[0].lastTransitionTime'],
      ],
      'a message over 32 Ki': [
        { message: 'x'.repeat(32_769) },
        ['FieldValueTooLong status.conditions[0].message'],
      ],
      'no reason': [{ reason: '' }, ['FieldValueRequired status.conditions[0].reason']],
      'a reason with blanks': [
        { reason: 'all is well' },
        ['FieldValueInvalid status.conditions[0].reason'],
      ],
      'a negative observedGeneration': [
        { observedGeneration: -1 },
        ['FieldValueInvalid status.conditions[0].observedGeneration'],
      ],
    };
    for (const [what, [fields, expected]] of Object.entries(refused)) {
      it(`refuse ${what}`, () => {
        assert.deepEqual(problems(put([{ ...CONDITION, ...fields }])), expected);
      });
    }
  });

  it('shows its ranges in tables', () => {
    const { object } = created(definition, range([V4, V6]));
    assert.equal(rowOf(definition, object)['CIDRs'], `${V4},${V6}`);
  });
});
