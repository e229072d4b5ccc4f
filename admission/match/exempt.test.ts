import assert from 'node:assert/strict';
import { isExemptFromPolicies, isExemptFromWebhooks } from './exempt.ts';

const of = (
  kind: string,
  group = 'admissionregistration.cluster.io',
): Parameters<typeof isExemptFromPolicies>[0] => ({
  kind: { group, version: 'v1', kind },
});

describe('the configuration of admission', () => {
  it('skips webhooks, so that a broken one can be repaired', () => {
    assert.ok(isExemptFromWebhooks(of('ValidatingWebhookConfiguration')));
    assert.ok(isExemptFromWebhooks(of('MutatingAdmissionPolicyBinding')));
    assert.ok(!isExemptFromWebhooks(of('ValidatingWebhookConfiguration', 'example.com')));
    assert.ok(!isExemptFromWebhooks(of('Lease', 'coordination.cluster.io')));
  });

  it('is checked by policies where it is a webhook configuration, and skipped where it is a policy', () => {
    assert.ok(isExemptFromPolicies(of('ValidatingAdmissionPolicy')));
    assert.ok(isExemptFromPolicies(of('MutatingAdmissionPolicy')));
    assert.ok(!isExemptFromPolicies(of('MutatingWebhookConfiguration')));
  });
});
