import assert from 'node:assert/strict';
import { ApiError } from '../../api/api-error.ts';
import type { JsonObject } from '../../api/json.ts';
import { WebhookFailure } from './failures.ts';
import type { ReviewResponse } from './review-response.ts';
import { applyPatch, patchOperations } from './webhook-patch.ts';

const answer = (patch: string | undefined, patchType = 'JSONPatch'): ReviewResponse =>
  ({ patch, patchType }) as ReviewResponse;
const list = (...operations: readonly unknown[]): ReviewResponse =>
  answer(JSON.stringify(operations));

async function patched(
  response: ReviewResponse,
  object: JsonObject | undefined,
): Promise<JsonObject> {
  return applyPatch('w', response, await patchOperations('w', response), object);
}

describe('the patch of a webhook', () => {
  it('may be absent, null or empty', async () => {
    for (const patch of [undefined, 'null', '[]']) {
      assert.deepEqual(await patchOperations('w', answer(patch)), [], patch);
    }
  });

  it('produces a new object and leaves its input unchanged', async () => {
    const before = { metadata: { labels: { a: '1' } } };
    const after = await patched(
      list({ op: 'add', path: '/metadata/labels/b', value: '2' }),
      before,
    );
    assert.deepEqual(after, { metadata: { labels: { a: '1', b: '2' } } });
    assert.deepEqual(before, { metadata: { labels: { a: '1' } } });
  });

  it('that cannot be parsed is a webhook failure, and the error repeats nothing of its text', async () => {
    const cases: readonly [string, RegExp][] = [
      ['secret{', /it is not valid JSON$/],
      ['{"op":"secret"}', /it is not a list of operations$/],
      ['[{"op":"add","path":"/a","value":1},"secret"]', /operation 1 is not an object$/],
    ];
    for (const [patch, why] of cases) {
      await assert.rejects(
        () => patchOperations('w', answer(patch)),
        (error: unknown) => {
          assert.ok(error instanceof WebhookFailure, patch);
          assert.match(error.message, why);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    }
  });

  it('of a type other than JSONPatch is a webhook failure', async () => {
    const response = answer('[{"op":"add","path":"/a","value":1}]', 'MergePatch');
    await assert.rejects(() => patched(response, {}), WebhookFailure);
  });

  it('that does not apply, removes the object, or has no object to change is an error under every failurePolicy', async () => {
    const cases: readonly [ReviewResponse, JsonObject | undefined][] = [
      [list({ op: 'remove', path: '/missing' }), {}],
      [list({ op: 'replace', path: '', value: 1 }), {}],
      [list({ op: 'add', path: '/a', value: 1 }), undefined],
      [list({ op: 'conjure', path: '/a' }), {}],
    ];
    for (const [response, object] of cases) {
      await assert.rejects(
        () => patched(response, object),
        (error: unknown) => error instanceof ApiError && error.code === 500,
        response.patch,
      );
    }
  });
});
