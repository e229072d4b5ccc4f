import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { apiObjectOf } from '../../api/object.ts';
import type { WebhookValue } from '../../resources/admissionregistration/webhook-schema.ts';
import { compileWebhooks, webhooksOf, type Webhook } from './webhook.ts';

function compiled(...webhooks: readonly object[]): readonly Webhook[] {
  return compileWebhooks(
    apiObjectOf({
      apiVersion: 'admissionregistration.cluster.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'c', uid: 'u' },
      webhooks: webhooks.map((value): JsonObject => ({ name: 'w', clientConfig: {}, ...value })),
    }),
  );
}

describe('a webhook of a configuration', () => {
  it('has a unique id even when two webhooks share a name', () => {
    const ids = compiled({ name: 'a' }, { name: 'b' }, { name: 'a' }).map(({ id }) => id);
    assert.deepEqual(ids, ['c/a/0', 'c/b/0', 'c/a/1']);
  });

  it('has an index over all webhooks, not within its configuration', () => {
    const all = webhooksOf([compiled({}, {}), compiled({})]);
    assert.deepEqual(
      all.map(({ index }) => index),
      [0, 1, 2],
    );
  });

  it('is called in a dry run only when it declares no side effects for dry runs', () => {
    const effects = ['None', 'NoneOnDryRun', 'Some', 'Unknown', undefined];
    const allowed = compiled(...effects.map((sideEffects) => ({ sideEffects }) as WebhookValue));
    assert.deepEqual(
      allowed.map(({ allowsDryRun }) => allowsDryRun),
      [true, true, false, false, false],
    );
  });

  it('is called with the first review version that it lists and the server supports', () => {
    const versions = [['v2', 'v1beta1', 'v1'], ['v1'], ['v2'], undefined];
    const webhooks = compiled(
      ...versions.map((admissionReviewVersions) => ({ admissionReviewVersions }) as WebhookValue),
    );
    assert.deepEqual(
      webhooks.map(({ reviewVersion }) => reviewVersion),
      ['v1beta1', 'v1', undefined, undefined],
    );
  });
});
