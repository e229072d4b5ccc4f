import assert from 'node:assert/strict';
import { denied, failedClosed, WebhookFailure } from './failures.ts';

describe('a denial by a webhook', () => {
  it('names the webhook, and prefers its message to its reason', () => {
    const said = (result: Parameters<typeof denied>[1]): string => denied('w', result).message;
    assert.equal(said({ message: 'no' }), 'admission webhook "w" denied the request: no');
    assert.equal(
      said({ reason: 'Forbidden' }),
      'admission webhook "w" denied the request: Forbidden',
    );
    assert.equal(said(undefined), 'admission webhook "w" denied the request without explanation');
  });

  it('keeps an error code of the webhook, and uses 400 for any other code', () => {
    const codes = [undefined, 0, 200, 399, 400, 409, 599, 600, 999, 100_000];
    const shown = codes.map((code) => denied('w', code === undefined ? {} : { code }).code);
    assert.deepEqual(shown, [400, 400, 400, 400, 400, 409, 599, 400, 400, 400]);
  });

  it('keeps reason and details', () => {
    const { status } = denied('w', { reason: 'Invalid', details: { name: 'x' }, code: 422 });
    assert.equal(status.reason, 'Invalid');
    assert.deepEqual(status.details, { name: 'x' });
  });
});

describe('a webhook that cannot be asked', () => {
  it('is an internal error with its cause under failurePolicy Fail', () => {
    const failure = new WebhookFailure('w', 'connection refused', 503);
    const error = failedClosed(failure);
    assert.equal(error.code, 500);
    assert.match(error.message, /failed calling webhook "w": connection refused/);
    assert.equal(error.cause, failure);
  });
});
