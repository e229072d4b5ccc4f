import assert from 'node:assert/strict';
import { isExemptFromPolicies, isExemptFromWebhooks } from './exempt.ts';

const of = (
  kind: string,
  group = 'admissionregistration.cluster.io',
): Parameters<typeof isExemptFromPolicies>[0] => ({
  kind: { group, version: 'v1', kind },
});

describe('what configures admission', () => {
  it('passes no webhook, so that it can be mended', () => {
    assert.ok(isExemptFromWebhooks(of('ValidatingWebhookConfiguration')));
    assert.ok(isExemptFromWebhooks(of('MutatingAdmissionPolicyBinding')));
    assert.ok(!isExemptFromWebhooks(of('ValidatingWebhookConfiguration', 'example.com')));
    assert.ok(!isExemptFromWebhooks(of('Lease', 'coordination.cluster.io')));
  });

  it('is guarded by policies where it is a webhook, and not where it is a policy', () => {
    assert.ok(isExemptFromPolicies(of('ValidatingAdmissionPolicy')));
    assert.ok(isExemptFromPolicies(of('MutatingAdmissionPolicy')));
    assert.ok(!isExemptFromPolicies(of('MutatingWebhookConfiguration')));
  });
});
