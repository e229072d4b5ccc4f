import assert from 'node:assert/strict';
import { parseAuthorizationConfiguration } from './configuration.ts';

const HOOK = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/hook.kubeconfig' },
};
const webhook = (more: object = {}, name = 'hook'): object => ({
  type: 'Webhook',
  name,
  webhook: { ...HOOK, ...more },
});
const rbac = { type: 'RBAC', name: 'roles' };
const conditions = (...expressions: string[]): object => ({
  matchConditions: expressions.map((expression) => ({ expression })),
});

describe('AuthorizationConfiguration', () => {
  const parsed = (authorizers: readonly object[], more: object = {}) =>
    parseAuthorizationConfiguration(
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthorizationConfiguration',
        authorizers,
        ...more,
      }),
    );

  it('is accepted with defaults for omitted fields', () => {
    const [first, second, third] = parsed([
      webhook(),
      webhook(
        {
          authorizedTTL: '10s',
          unauthorizedTTL: '1m',
          cacheUnauthorizedRequests: false,
          timeout: '500ms',
          failurePolicy: 'NoOpinion',
        },
        'other',
      ),
      rbac,
    ]);
    assert.ok(first?.type === 'Webhook' && second?.type === 'Webhook');
    const { conditions: _none, ...defaults } = first.webhook;
    assert.deepEqual(defaults, {
      kubeConfigFile: '/etc/hook.kubeconfig',
      timeoutMs: 3_000,
      allowedTtlMs: 300_000,
      otherTtlMs: 30_000,
      onFailure: 'deny',
    });
    const { timeoutMs, allowedTtlMs, otherTtlMs, onFailure } = second.webhook;
    assert.deepEqual(
      [timeoutMs, allowedTtlMs, otherTtlMs, onFailure],
      [500, 10_000, 0, 'noOpinion'],
    );
    assert.deepEqual(third, rbac);
  });

  for (const [what, authorizers, why] of [
    ['an empty list', [], /authorizers must NOT have fewer than 1 items/],
    ['an unknown type', [{ type: 'Node', name: 'n' }], /authorizers\.0\.type must be one of RBAC/],
    ['no name', [{ type: 'RBAC', name: '' }], /authorizers\.0\.name must be a DNS subdomain/],
    ['a type twice', [rbac, { ...rbac, name: 'other' }], /authorizers\.1: RBAC occurs twice/],
    ['a name twice', [webhook(), webhook()], /authorizers\.1: name hook occurs twice/],
    ['a webhook elsewhere', [{ ...rbac, webhook: HOOK }], /is allowed only with type Webhook/],
    ['no webhook', [{ type: 'Webhook', name: 'h' }], /webhook is required/],
    ['no timeout', [webhook({ timeout: '0s' })], /timeout must be a duration above 0s/],
    ['a long timeout', [webhook({ timeout: '31s' })], /timeout must be at most 30s/],
    [
      'a relative path',
      [webhook({ connectionInfo: { ...HOOK.connectionInfo, kubeConfigFile: 'x' } })],
      /must be an absolute path/,
    ],
    [
      'another policy',
      [webhook({ failurePolicy: 'Allow' })],
      /failurePolicy must be equal to one of/,
    ],
    ['an unknown field', [webhook({ retries: 3 })], /must NOT have additional properties/],
    [
      'a condition of no type',
      [webhook(conditions('request.user'))],
      /matchConditions\.0\.expression: .*must evaluate to bool/,
    ],
    [
      'a condition on no field',
      [webhook(conditions('true', 'request.who == 1'))],
      /matchConditions\.1\.expression: .*undefined field 'who'/,
    ],
    [
      'a condition twice',
      [webhook(conditions('true', 'true'))],
      /matchConditions\.1\.expression occurs twice/,
    ],
    [
      'an empty condition',
      [webhook(conditions(' '))],
      /matchConditions\.0\.expression is required/,
    ],
    [
      'conditions on no version',
      [webhook({ ...conditions('true'), matchConditionSubjectAccessReviewVersion: undefined })],
      /matchConditionSubjectAccessReviewVersion is required/,
    ],
  ] as const) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => parsed(authorizers), why);
    });
  }

  it('is refused in an unknown version, or with a duplicate key', () => {
    assert.throws(() => parsed([rbac], { apiVersion: 'v1' }), /apiVersion must be one of/);
    assert.throws(() => parseAuthorizationConfiguration('kind: a\nkind: b'), /occurs twice/);
  });
});
