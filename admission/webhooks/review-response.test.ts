import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { InvalidResponse, readResponse, type ReviewResponse } from './review-response.ts';

const V1 = { version: 'v1', uid: 'u', mutating: true } as const;
const PATCH = Buffer.from('[]').toString('base64');

const review = (response: JsonValue, apiVersion = 'admission.cluster.io/v1'): JsonObject => ({
  apiVersion,
  kind: 'AdmissionReview',
  response,
});

function read(
  response: JsonObject,
  expected: Parameters<typeof readResponse>[1] = V1,
): ReviewResponse {
  const apiVersion = `admission.cluster.io/${expected.version}`;
  return readResponse(review({ uid: 'u', ...response }, apiVersion), expected);
}

function refuses(act: () => unknown, why: RegExp): void {
  assert.throws(act, (error) => error instanceof InvalidResponse && why.test(error.message));
}

describe("a webhook's answer", () => {
  it('refuses the request unless allowed is true', () => {
    assert.equal(read({ allowed: true }).allowed, true);
    assert.equal(read({}).allowed, false);
    assert.equal(read({ allowed: null }).allowed, false);
    refuses(() => read({ allowed: 'true' }), /response\.allowed must be a boolean/);
  });

  it('must be a review in the version that was sent, under either name of the group', () => {
    const answer = { uid: 'u', allowed: true };
    assert.ok(readResponse(review(answer, 'admission.k8s.io/v1'), V1).allowed);
    refuses(() => readResponse(review(answer, 'admission.k8s.io/v1beta1'), V1), /expected webhook/);
    refuses(() => readResponse({ response: answer }, V1), /expected webhook response/);
    refuses(() => readResponse({ ...review(answer), kind: 'Other' }, V1), /Kind=Other/);
    refuses(() => readResponse('no object', V1), /must be a JSON object/);
    refuses(() => readResponse(review(null), V1), /response was absent/);
  });

  it('in v1beta1 may omit its type and the uid', () => {
    const old = { ...V1, version: 'v1beta1' } as const;
    assert.ok(readResponse({ response: { allowed: true } }, old).allowed);
    assert.ok(read({ allowed: true, uid: 'other' }, old).allowed);
  });

  it('must repeat the uid of the request; a long uid is truncated in the message', () => {
    refuses(() => read({ uid: 'x'.repeat(1_000) }), /^expected response\.uid="u", got "x{64}"$/);
  });

  it('has both patch and patchType, or neither', () => {
    const both = read({ allowed: true, patch: PATCH, patchType: 'JSONPatch' });
    assert.deepEqual([both.patch, both.patchType], ['[]', 'JSONPatch']);
    refuses(() => read({ patch: PATCH }), /response\.patch but not response\.patchType/);
    refuses(() => read({ patchType: 'JSONPatch' }), /response\.patchType but not response\.patch/);
    refuses(() => read({ patch: PATCH, patchType: '' }), /invalid response\.patchType/);
    for (const patch of ['%%', 'W10', 'W10=W10=', 'W===', '=', '====', 'W1=0', 'W10=\u0000']) {
      refuses(() => read({ patch, patchType: 'JSONPatch' }), /response\.patch must be base64/);
    }
    for (const patch of ['W10=', 'W10K', 'W10\r\nK', 'W10KCg==', 'W1==']) {
      const text = Buffer.from(patch, 'base64').toString();
      assert.equal(read({ patch, patchType: 'JSONPatch' }).patch, text);
    }
  });

  it('of a validating webhook has no patch', () => {
    const validating = { ...V1, mutating: false };
    refuses(() => read({ patch: PATCH }, validating), /may not return response\.patch$/);
    refuses(() => read({ patchType: '' }, validating), /may not return response\.patchType$/);
  });

  it('carries status, warnings and audit annotations, each of its declared type', () => {
    const causes = [{ reason: 'r', message: 'm', other: 1 }];
    const { result, warnings, auditAnnotations } = read({
      status: { message: 'no', code: 418, details: { name: 'n', causes, retryAfterSeconds: 3 } },
      warnings: ['careful'],
      auditAnnotations: { a: 'b' },
    });
    assert.equal(result?.message, 'no');
    assert.equal(result.code, 418);
    assert.deepEqual(result.details, {
      name: 'n',
      causes: [{ reason: 'r', message: 'm' }],
      retryAfterSeconds: 3,
    });
    assert.deepEqual(warnings, ['careful']);
    assert.deepEqual([...auditAnnotations], [['a', 'b']]);
    refuses(() => read({ warnings: [1] }), /response\.warnings must be a list of strings/);
    refuses(() => read({ auditAnnotations: { a: 1 } }), /auditAnnotations\.\* must be a string/);
    refuses(() => read({ status: { code: 2 ** 31 } }), /status\.code must be a 32-bit integer/);
    refuses(() => read({ status: { details: { causes: [1] } } }), /causes\[0\] must be an object/);
  });
});
