import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import {
  created,
  problems,
  rowOf,
  testChecker,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import {
  mutatingWebhookConfigurationDefinition,
  validatingWebhookConfigurationDefinition,
} from './webhook-configurations.ts';

const validating = validatingWebhookConfigurationDefinition(testChecker);
const mutating = mutatingWebhookConfigurationDefinition(testChecker);

const RULE = {
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['lamps'],
};
const HOOK = {
  name: 'check.example.com',
  clientConfig: { url: 'https://hooks.example.com/check' },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const DEFAULTED = {
  ...HOOK,
  rules: [{ ...RULE, scope: '*' }],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

function configuration(webhooks: JsonObject[] | undefined, kind = 'Validating'): JsonObject {
  return {
    apiVersion: 'admissionregistration.cluster.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'hooks' },
    ...(webhooks === undefined ? {} : { webhooks }),
  };
}
const served = (webhooks: JsonObject[] | undefined, kind?: string): JsonObject => ({
  ...configuration(webhooks, kind),
  metadata: { name: 'hooks', generation: 1 },
});
const hook = (fields: JsonObject): JsonObject => configuration([{ ...HOOK, ...fields }]);
const client = (clientConfig: JsonObject): JsonObject => hook({ clientConfig });
const service = (fields: JsonObject): JsonObject =>
  client({ service: { namespace: 'team', name: 'hooks', ...fields } });
const conditions = (...matchConditions: JsonObject[]): JsonObject => hook({ matchConditions });
const AT = 'webhooks[0]';
const URL_AT = `FieldValueInvalid ${AT}.clientConfig.url`;

describe('ValidatingWebhookConfiguration', () => {
  testKept(validating, {
    'no webhooks': [configuration(undefined), served(undefined)],
    'a webhook, completed': [configuration([HOOK]), served([DEFAULTED])],
    'every field as it is given': [
      hook({
        rules: [
          { ...RULE, scope: 'Cluster' },
          { ...RULE, scope: '' },
        ],
        failurePolicy: 'Ignore',
        matchPolicy: 'Exact',
        namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
        objectSelector: { matchLabels: { a: 'b' } },
        timeoutSeconds: 30,
        sideEffects: 'NoneOnDryRun',
        admissionReviewVersions: ['v2', 'v1beta1'],
        matchConditions: [{ name: 'example.com/a', expression: 'true' }],
      }),
      served([
        {
          ...HOOK,
          rules: [
            { ...RULE, scope: 'Cluster' },
            { ...RULE, scope: '' },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Exact',
          namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
          objectSelector: { matchLabels: { a: 'b' } },
          timeoutSeconds: 30,
          sideEffects: 'NoneOnDryRun',
          admissionReviewVersions: ['v2', 'v1beta1'],
          matchConditions: [{ name: 'example.com/a', expression: 'true' }],
        },
      ]),
    ],
    'a service, on port 443 unless said': [
      service({ path: '/a/b.c/', name: 'Hooks' }),
      served([
        {
          ...DEFAULTED,
          clientConfig: {
            service: { namespace: 'team', name: 'Hooks', path: '/a/b.c/', port: 443 },
          },
        },
      ]),
    ],
  });

  testRefused(validating, {
    'a webhook without anything': [
      configuration([{}]),
      [
        `FieldValueRequired ${AT}.name`,
        `FieldValueRequired ${AT}.sideEffects`,
        `FieldValueRequired ${AT}.clientConfig`,
        `FieldValueRequired ${AT}.admissionReviewVersions`,
      ],
    ],
    'a name that is not fully qualified': [
      hook({ name: 'example.com' }),
      [`FieldValueInvalid ${AT}.name`],
    ],
    'two webhooks of one name': [
      configuration([HOOK, HOOK]),
      ['FieldValueDuplicate webhooks[1].name'],
    ],
    'side effects that only v1beta1 had': [
      hook({ sideEffects: 'Some' }),
      [`FieldValueNotSupported ${AT}.sideEffects`],
    ],
    'an unknown failurePolicy': [
      hook({ failurePolicy: 'Retry' }),
      [`FieldValueNotSupported ${AT}.failurePolicy`],
    ],
    'an unknown matchPolicy': [
      hook({ matchPolicy: 'Similar' }),
      [`FieldValueNotSupported ${AT}.matchPolicy`],
    ],
    'no time to answer': [hook({ timeoutSeconds: 0 }), [`FieldValueInvalid ${AT}.timeoutSeconds`]],
    'more than 30 seconds': [
      hook({ timeoutSeconds: 31 }),
      [`FieldValueInvalid ${AT}.timeoutSeconds`],
    ],
    'no known review version': [
      hook({ admissionReviewVersions: ['v2'] }),
      [`FieldValueInvalid ${AT}.admissionReviewVersions`],
    ],
    'a review version twice, and one that is none': [
      hook({ admissionReviewVersions: ['v1', 'v1', 'V2'] }),
      [
        `FieldValueInvalid ${AT}.admissionReviewVersions[1]`,
        `FieldValueInvalid ${AT}.admissionReviewVersions[2]`,
      ],
    ],
    'a selector that is none': [
      hook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
      [`FieldValueRequired ${AT}.namespaceSelector.matchExpressions[0].values`],
    ],
    'a selector with a value that no label has': [
      hook({
        objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] },
      }),
      [`FieldValueInvalid ${AT}.objectSelector.matchExpressions[0].values[0]`],
    ],
    'both url and service': [
      client({ url: 'https://h', service: { namespace: 'a', name: 'b' } }),
      [`FieldValueRequired ${AT}.clientConfig`],
    ],
    'another scheme than https': [client({ url: 'http://h' }), [URL_AT]],
    'a url without scheme and host': [client({ url: 'h/check' }), [URL_AT, URL_AT]],
    'a url with user information': [client({ url: 'https://u:p@h' }), [URL_AT]],
    'a url with a query': [client({ url: 'https://h?a=b' }), [URL_AT]],
    'a url with a fragment': [client({ url: 'https://h#a' }), [URL_AT]],
    'a url that does not parse': [
      client({ url: 'https://h:port/' }),
      [`FieldValueRequired ${AT}.clientConfig.url`],
    ],
    'a service without name and namespace': [
      client({ service: {} }),
      [
        `FieldValueRequired ${AT}.clientConfig.service.name`,
        `FieldValueRequired ${AT}.clientConfig.service.namespace`,
      ],
    ],
    'port 0': [service({ port: 0 }), [`FieldValueInvalid ${AT}.clientConfig.service.port`]],
    'port 65536': [service({ port: 65536 }), [`FieldValueInvalid ${AT}.clientConfig.service.port`]],
    'a path that does not begin with a slash': [
      service({ path: 'a' }),
      [`FieldValueInvalid ${AT}.clientConfig.service.path`],
    ],
    'a path with an empty segment and a bad one': [
      service({ path: '/a//B' }),
      [
        `FieldValueInvalid ${AT}.clientConfig.service.path`,
        `FieldValueInvalid ${AT}.clientConfig.service.path`,
      ],
    ],
    'a match condition without name and expression': [
      conditions({ expression: '  ' }),
      [
        `FieldValueRequired ${AT}.matchConditions[0].expression`,
        `FieldValueRequired ${AT}.matchConditions[0].name`,
      ],
    ],
    'a match condition that does not compile, with a bad name': [
      conditions({ name: 'not a name', expression: 'broken' }),
      [
        `FieldValueInvalid ${AT}.matchConditions[0].expression`,
        `FieldValueInvalid ${AT}.matchConditions[0].name`,
      ],
    ],
    'two match conditions of one name': [
      conditions({ name: 'a', expression: 'true' }, { name: 'a', expression: 'false' }),
      [`FieldValueDuplicate ${AT}.matchConditions[1].name`],
    ],
    '65 match conditions': [
      conditions(...Array.from({ length: 65 }, (_, i) => ({ name: `c${i}`, expression: 'true' }))),
      [`FieldValueTooMany ${AT}.matchConditions`],
    ],
  });

  it('counts the generation on when webhooks change, and only then', () => {
    const old = created(validating, configuration([HOOK])).object;
    const label = { ...configuration([HOOK]), metadata: { name: 'hooks', labels: { a: 'b' } } };
    assert.equal(updated(validating, old, label).object.metadata.generation, 1);
    const outcome = updated(validating, old, hook({ timeoutSeconds: 5 }));
    assert.equal(outcome.object.metadata.generation, 2);
  });

  it('takes 64 match conditions', () => {
    const many = Array.from({ length: 64 }, (_, i) => ({ name: `c${i}`, expression: 'true' }));
    assert.deepEqual(problems(created(validating, conditions(...many))), []);
  });

  it('takes webhooks of one name only where there have been such', () => {
    const twice = configuration([HOOK, HOOK]);
    const duplicate = ['FieldValueDuplicate webhooks[1].name'];
    const { object, ...outcome } = created(validating, twice);
    assert.deepEqual(problems({ object, ...outcome }), duplicate);
    assert.deepEqual(problems(updated(validating, object, twice)), []);
    const once = created(validating, configuration([HOOK])).object;
    assert.deepEqual(problems(updated(validating, once, twice)), duplicate);
  });

  it('does not enforce on an update what the stored object broke already', () => {
    const old = created(
      validating,
      configuration([
        { ...HOOK, sideEffects: 'Some', admissionReviewVersions: ['v2'] },
        {
          ...HOOK,
          matchConditions: [{ name: 'a', expression: 'broken' }],
          objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] },
        },
      ]),
    ).object;
    const webhooks = old['webhooks'] as JsonObject[];
    const relabelled = {
      ...configuration(webhooks),
      metadata: { name: 'hooks', labels: { a: 'b' } },
    };
    assert.deepEqual(problems(updated(validating, old, relabelled)), []);
    assert.deepEqual(problems(updated(validating, old, hook({ sideEffects: 'Few' }))), [
      `FieldValueNotSupported ${AT}.sideEffects`,
    ]);
  });

  it('is never updated without a resourceVersion', () => {
    assert.equal(validating.strategy.unconditionalUpdate, false);
    assert.equal(validating.strategy.createOnUpdate, false);
  });

  it('shows how many webhooks it has in tables', () => {
    const count = (body: JsonObject): unknown =>
      rowOf(validating, created(validating, body).object)['Webhooks'];
    assert.equal(count(configuration([HOOK])), 1);
    assert.equal(count(configuration(undefined)), 0);
  });
});

describe('MutatingWebhookConfiguration', () => {
  testKept(mutating, {
    'a webhook, completed': [
      configuration([HOOK], 'Mutating'),
      served([{ ...DEFAULTED, reinvocationPolicy: 'Never' }], 'Mutating'),
    ],
    'its reinvocationPolicy': [
      configuration([{ ...HOOK, reinvocationPolicy: 'IfNeeded' }], 'Mutating'),
      served([{ ...DEFAULTED, reinvocationPolicy: 'IfNeeded' }], 'Mutating'),
    ],
  });

  testRefused(mutating, {
    'an unknown reinvocationPolicy': [
      configuration([{ ...HOOK, reinvocationPolicy: 'Always' }], 'Mutating'),
      [`FieldValueNotSupported ${AT}.reinvocationPolicy`],
    ],
  });

  it('has reinvocationPolicy for itself', () => {
    const { unknownFields } = created(validating, hook({ reinvocationPolicy: 'Never' }));
    assert.deepEqual(unknownFields, ['webhooks[0].reinvocationPolicy']);
  });
});
