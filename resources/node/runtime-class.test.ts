import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { apiObjectOf } from '../../api/object.ts';
import { ALL_FEATURE_GATES, DEFAULT_FEATURE_GATES, type FeatureGates } from '../feature-gates.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { runtimeClassDefinition } from './runtime-class.ts';

const definition = runtimeClassDefinition(DEFAULT_FEATURE_GATES);
const gated = runtimeClassDefinition(ALL_FEATURE_GATES);

function runtimeClass(fields: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'node.cluster.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'gvisor' },
    handler: 'runsc',
    ...fields,
  };
}
const overhead = (podFixed: JsonObject): JsonObject => runtimeClass({ overhead: { podFixed } });
const selector = (nodeSelector: JsonObject): JsonObject =>
  runtimeClass({ scheduling: { nodeSelector } });
const toleration = (fields: JsonObject): JsonObject =>
  runtimeClass({ scheduling: { tolerations: [fields] } });
const AT = 'scheduling.tolerations[0]';

const FULL = {
  overhead: { podFixed: { cpu: '250m', memory: '120Mi', 'example.com/device': '1' } },
  scheduling: {
    nodeSelector: { runtime: 'kata', 'example.com/zone': '' },
    tolerations: [
      { key: 'runtime', operator: 'Equal', value: 'kata', effect: 'NoSchedule' },
      { operator: 'Exists' },
      { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -5 },
      { key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 30 },
    ],
  },
};

describe('RuntimeClass', () => {
  it('names the operators that there are, those of a closed gate not among them', () => {
    const outcome = (gates: FeatureGates): string | undefined =>
      created(runtimeClassDefinition(gates), toleration({ key: 'a', operator: 'Near' })).errors[0]
        ?.detail;
    assert.equal(outcome(ALL_FEATURE_GATES), 'supported values: "Equal", "Exists", "Lt", "Gt"');
    assert.equal(outcome(DEFAULT_FEATURE_GATES), 'supported values: "Equal", "Exists"');
  });

  testKept(definition, {
    'a name and a handler': [runtimeClass(), runtimeClass()],
    'every field': [runtimeClass(FULL), runtimeClass(FULL)],
    'empty parts that are given': [
      runtimeClass({ overhead: { podFixed: {} }, scheduling: { tolerations: [] } }),
      runtimeClass({ overhead: {}, scheduling: {} }),
    ],
    'amounts no finer than a thousandth': [overhead({ cpu: '1u' }), overhead({ cpu: '1m' })],
    'no operator, which means Equal': [toleration({ key: 'a' }), toleration({ key: 'a' })],
  });

  testRefused(definition, {
    'no handler': [runtimeClass({ handler: '' }), ['FieldValueRequired handler']],
    'a handler that is not a DNS label': [
      runtimeClass({ handler: 'Bad.Name' }),
      ['FieldValueInvalid handler'],
    ],
    'a negative overhead': [overhead({ cpu: '-1' }), ['FieldValueInvalid overhead.podFixed[cpu]']],
    'a fraction of an extended resource': [
      overhead({ 'example.com/device': '0.5' }),
      ['FieldValueInvalid overhead.podFixed[example.com/device]'],
    ],
    'a resource that containers do not have': [
      overhead({ pods: '1' }),
      ['FieldValueInvalid overhead.podFixed[pods]'],
    ],
    'a resource that is not a qualified name': [
      overhead({ 'bad name': '1' }),
      ['FieldValueInvalid overhead.podFixed[bad name]'],
    ],
    'a bad key in nodeSelector': [
      selector({ 'bad key': 'x' }),
      ['FieldValueInvalid scheduling.nodeSelector'],
    ],
    'a bad value in nodeSelector': [
      selector({ a: 'bad value' }),
      ['FieldValueInvalid scheduling.nodeSelector'],
    ],
    'a toleration without key that is not Exists': [
      toleration({ operator: 'Equal' }),
      [`FieldValueInvalid ${AT}.operator`],
    ],
    'a toleration whose key is not a qualified name': [
      toleration({ key: 'bad key', operator: 'Exists' }),
      [`FieldValueInvalid ${AT}.key`],
    ],
    'Exists with a value': [
      toleration({ key: 'a', operator: 'Exists', value: 'b' }),
      [`FieldValueInvalid ${AT}.value`],
    ],
    'Equal with a value that is not a label value': [
      toleration({ key: 'a', operator: 'Equal', value: 'b c' }),
      [`FieldValueInvalid ${AT}.value`],
    ],
    'the same toleration twice, for another time': [
      runtimeClass({
        scheduling: {
          tolerations: [
            { key: 'a', operator: 'Exists', effect: 'NoExecute' },
            { key: 'b', operator: 'Exists', effect: 'NoExecute' },
            { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
          ],
        },
      }),
      ['FieldValueDuplicate scheduling.tolerations[2]'],
    ],
    'huge pages without processor and memory': [
      overhead({ 'hugepages-2Mi': '4Mi' }),
      ['FieldValueForbidden overhead'],
    ],
    'a part of a huge page': [
      overhead({ cpu: '1', 'hugepages-2Mi': '3Mi' }),
      ['FieldValueInvalid overhead.podFixed[hugepages-2Mi]'],
    ],
    'an unknown operator': [
      toleration({ key: 'a', operator: 'Like' }),
      [`FieldValueNotSupported ${AT}.operator`],
    ],
    'an unknown effect': [
      toleration({ key: 'a', operator: 'Exists', effect: 'Never' }),
      [`FieldValueNotSupported ${AT}.effect`],
    ],
    'Lt and Gt without their gate': [
      toleration({ key: 'a', operator: 'Lt', value: '5' }),
      [`FieldValueNotSupported ${AT}.operator`],
    ],
    'capitals in its name': [
      { ...runtimeClass(), metadata: { name: 'Gvisor' } },
      ['FieldValueInvalid metadata.name'],
    ],
  });

  it('never changes its handler', () => {
    const old = created(definition, runtimeClass()).object;
    const put = (fields: JsonObject): string[] =>
      problems(updated(definition, old, runtimeClass(fields)));
    assert.deepEqual(put(FULL), []);
    assert.deepEqual(put({ handler: 'kata' }), ['FieldValueInvalid handler']);
    assert.deepEqual(put({ handler: '' }), [
      'FieldValueRequired handler',
      'FieldValueInvalid handler',
    ]);
  });

  describe('with the gate TaintTolerationComparisonOperators', () => {
    const compare = (value: string): JsonObject =>
      toleration({ key: 'a', operator: 'Gt', value, effect: 'NoSchedule' });

    it('takes numbers of 64 bits for Lt and Gt', () => {
      for (const value of ['0', '950', '-7', '9223372036854775807']) {
        assert.deepEqual(problems(created(gated, compare(value))), [], value);
      }
      for (const value of ['', 'x', '01', '+1', '1.5', '-0', '9223372036854775808']) {
        assert.deepEqual(problems(created(gated, compare(value))), [
          `FieldValueInvalid ${AT}.value`,
        ]);
      }
    });

    it('keeps what an object has from before when the gate is closed again', () => {
      const old = created(gated, compare('5')).object;
      assert.deepEqual(problems(updated(definition, old, compare('6'))), []);
    });
  });

  it('is created by PUT, and never updated without a resourceVersion', () => {
    assert.equal(definition.strategy.createOnUpdate, true);
    assert.equal(definition.strategy.unconditionalUpdate, false);
  });

  it('shows its handler in tables', () => {
    const row = rowOf(definition, created(definition, runtimeClass()).object);
    assert.deepEqual(row, { Name: 'gvisor', Handler: 'runsc', Age: '<unknown>' });
  });
});

describe('warnings about RuntimeClasses', () => {
  it('name labels of nodes that have newer names', () => {
    const warnings = (nodeSelector: JsonObject): string[] | undefined =>
      definition.strategy.warnings?.(apiObjectOf(selector(nodeSelector)), undefined);
    assert.deepEqual(warnings({ 'beta.cluster.io/os': 'linux', 'cluster.io/os': 'linux' }), [
      'scheduling.nodeSelector[beta.cluster.io/os]: deprecated since v1.14; use "cluster.io/os" instead',
    ]);
    assert.deepEqual(warnings({ zone: 'a' }), []);
  });
});
