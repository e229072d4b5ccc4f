import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { ALL_FEATURE_GATES } from '../feature-gates.ts';
import {
  created,
  problems,
  testChecker,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import { deviceClassDefinition } from './device-class.ts';

const definition = deviceClassDefinition(ALL_FEATURE_GATES, testChecker);

function deviceClass(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'resource.cluster.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpu', ...metadata },
    spec,
  };
}
const NEW = { generation: 1 };
const selector = (expression: string): JsonObject => ({ cel: { expression } });
const opaque = (fields: JsonObject): JsonObject => ({
  opaque: { driver: 'gpu.example.com', parameters: { a: 1 }, ...fields },
});
const withConfig = (fields: JsonObject): JsonObject => deviceClass({ config: [opaque(fields)] });
const named = (extendedResourceName: string | null): JsonObject =>
  deviceClass({ extendedResourceName });
const MANY_SELECTORS = Array<JsonObject>(32).fill(selector('true'));
const MANY_CONFIGS = Array<JsonObject>(32).fill(opaque({}));

describe('DeviceClass', () => {
  testKept(definition, {
    'an empty spec, in its first generation': [deviceClass({}), deviceClass({}, NEW)],
    'every field': [
      deviceClass({
        selectors: [selector('true')],
        config: [opaque({ parameters: { b: [1, 2.5, { c: null }], a: '' } })],
        extendedResourceName: 'example.com/GPU_1.x',
      }),
      deviceClass(
        {
          selectors: [selector('true')],
          config: [opaque({ parameters: { b: [1, 2.5, { c: null }], a: '' } })],
          extendedResourceName: 'example.com/GPU_1.x',
        },
        NEW,
      ),
    ],
    'an expression that costs all that it may': [
      deviceClass({ selectors: [selector('dear')] }),
      deviceClass({ selectors: [selector('dear')] }, NEW),
    ],
    'a resource of a domain that only ends like ours': [
      named('mycluster.io/gpu'),
      { ...named('mycluster.io/gpu'), metadata: { name: 'gpu', ...NEW } },
    ],
    'no extendedResourceName when it is null': [named(null), deviceClass({}, NEW)],
    '32 selectors and 32 configurations': [
      deviceClass({ selectors: MANY_SELECTORS, config: MANY_CONFIGS }),
      deviceClass({ selectors: MANY_SELECTORS, config: MANY_CONFIGS }, NEW),
    ],
    'parameters of 10 KiB': [
      withConfig({ parameters: { a: 'x'.repeat(10232) } }),
      {
        ...withConfig({ parameters: { a: 'x'.repeat(10232) } }),
        metadata: { name: 'gpu', ...NEW },
      },
    ],
  });

  testRefused(definition, {
    '33 selectors': [
      deviceClass({ selectors: Array<JsonObject>(33).fill(selector('true')) }),
      ['FieldValueTooMany spec.selectors'],
    ],
    'a selector without anything': [
      deviceClass({ selectors: [{}] }),
      ['FieldValueRequired spec.selectors[0].cel'],
    ],
    'an expression over 10 KiB': [
      deviceClass({ selectors: [selector('true'), selector('a'.repeat(10241))] }),
      ['FieldValueTooLong spec.selectors[1].cel.expression'],
    ],
    'an expression that does not compile': [
      deviceClass({ selectors: [selector('broken')] }),
      ['FieldValueInvalid spec.selectors[0].cel.expression'],
    ],
    'an expression that costs too much': [
      deviceClass({ selectors: [selector('costly')] }),
      ['FieldValueForbidden spec.selectors[0].cel.expression'],
    ],
    '33 configurations': [
      deviceClass({ config: Array<JsonObject>(33).fill(opaque({})) }),
      ['FieldValueTooMany spec.config'],
    ],
    'a configuration without anything': [
      deviceClass({ config: [{}] }),
      ['FieldValueRequired spec.config[0].opaque'],
    ],
    'no driver and no parameters': [
      withConfig({ driver: '', parameters: null }),
      [
        'FieldValueRequired spec.config[0].opaque.driver',
        'FieldValueRequired spec.config[0].opaque.parameters',
      ],
    ],
    'a driver that is not a DNS subdomain': [
      withConfig({ driver: 'gpu_a.example.com' }),
      ['FieldValueInvalid spec.config[0].opaque.driver'],
    ],
    'a driver in capitals': [
      withConfig({ driver: 'GPU.example.com' }),
      ['FieldValueInvalid spec.config[0].opaque.driver'],
    ],
    'a driver of 64 characters': [
      withConfig({ driver: 'a'.repeat(64) }),
      ['FieldValueTooLong spec.config[0].opaque.driver'],
    ],
    'parameters that are not an object': [
      withConfig({ parameters: [1] }),
      ['FieldValueInvalid spec.config[0].opaque.parameters'],
    ],
    'parameters over 10 KiB': [
      withConfig({ parameters: { a: 'x'.repeat(10233) } }),
      ['FieldValueTooLong spec.config[0].opaque.parameters'],
    ],
    'an extended resource without a domain': [
      named('gpu'),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
    'an empty extended resource': [named(''), ['FieldValueInvalid spec.extendedResourceName']],
    'an extended resource of the project': [
      named('node.cluster.io/gpu'),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
    "an extended resource of the project's other name": [
      named('kubernetes.io/gpu'),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
    'an extended resource of a domain below it': [
      named('node.kubernetes.io/gpu'),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
    'an extended resource with the prefix of quotas': [
      named('requests.example.com/gpu'),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
    'an extended resource with a name of 64 characters': [
      named(`example.com/${'a'.repeat(64)}`),
      ['FieldValueInvalid spec.extendedResourceName'],
    ],
  });

  it('counts the generation on when spec changes, and only then', () => {
    const old = created(definition, deviceClass({ selectors: [selector('true')] })).object;
    const label = deviceClass({ selectors: [selector('true')] }, { labels: { a: 'b' } });
    assert.equal(updated(definition, old, label).object.metadata.generation, 1);
    assert.equal(updated(definition, old, deviceClass({})).object.metadata.generation, 2);
  });

  it('does not compile again what is stored', () => {
    const old = created(definition, deviceClass({ selectors: [selector('broken')] })).object;
    const same = deviceClass({ selectors: [selector('broken')] }, { labels: { a: 'b' } });
    assert.deepEqual(problems(updated(definition, old, same)), []);
    const more = deviceClass({ selectors: [selector('broken'), selector('true')] });
    assert.deepEqual(problems(updated(definition, old, more)), [
      'FieldValueInvalid spec.selectors[0].cel.expression',
    ]);
  });

  it('drops extendedResourceName without its gate, unless it is there from before', () => {
    const gated = deviceClassDefinition(
      { ...ALL_FEATURE_GATES, DRAExtendedResource: false },
      testChecker,
    );
    assert.deepEqual(created(gated, named('example.com/gpu')).object['spec'], {});
    const old = created(definition, named('example.com/gpu')).object;
    assert.deepEqual(updated(gated, old, named('example.com/b')).object['spec'], {
      extendedResourceName: 'example.com/b',
    });
  });

  it('is answered when it is deleted', () => assert.equal(definition.deleteReturnsObject, true));
});
