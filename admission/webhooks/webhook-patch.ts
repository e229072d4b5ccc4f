import { internalError } from '../../api/api-error.ts';
import { JsonSyntaxError } from '../../api/json-error.ts';
import { parseLargeJson } from '../../api/json-parse.ts';
import { inTurns } from '../../api/steps.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { parseLargeJsonPatch, type JsonPatchOperation } from '../../patch/json-patch-parse.ts';
import { jsonPatchSteps } from '../../patch/json-patch.ts';
import { WebhookFailure } from './failures.ts';
import type { ReviewResponse } from './review-response.ts';

const FORGIVING = { forgiving: true };

/**
 * The operations of an answer; empty when there is nothing to do. Anything else than
 * a list of operations is a failure of the webhook, which failurePolicy may ignore;
 * unknown operations are not. Source: k8s.io/apiserver
 * pkg/admission/plugin/webhook/mutating, and recordings of it.
 *
 * @throws WebhookFailure, ApiError 500
 */
export async function patchOperations(
  webhook: string,
  { patch }: ReviewResponse,
): Promise<readonly JsonPatchOperation[]> {
  if (patch === undefined) return [];
  const problem = await patchProblem(patch);
  if (problem !== undefined) {
    const why = `received undecodable patch in webhook response: ${problem}`;
    throw new WebhookFailure(webhook, why, 400);
  }
  const parsed = await parseLargeJsonPatch(patch, FORGIVING);
  if (!parsed.ok) throw internalError(parsed.error.message, parsed.error);
  return parsed.operations;
}

/**
 * The object after the operations; shares nothing with the one before.
 *
 * @throws WebhookFailure, ApiError 500
 */
export async function applyPatch(
  webhook: string,
  { patchType }: ReviewResponse,
  operations: readonly JsonPatchOperation[],
  object: JsonObject | undefined,
): Promise<JsonObject> {
  const name = `admission webhook ${JSON.stringify(webhook)}`;
  if (object === undefined) {
    throw internalError(
      `${name} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== 'JSONPatch') {
    throw new WebhookFailure(webhook, `unsupported patch type ${JSON.stringify(patchType)}`, 400);
  }
  const result = await inTurns(jsonPatchSteps(object, operations, FORGIVING));
  if (!result.ok) throw internalError(result.error.message, result.error);
  if (!isObject(result.value)) throw internalError(`the patch of ${name} must leave an object`);
  return result.value;
}

/** Why a patch cannot be read, without a word of it; undefined: it can. */
async function patchProblem(text: string): Promise<string | undefined> {
  let value: JsonValue;
  try {
    ({ value } = await parseLargeJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return 'it is not valid JSON';
    throw error;
  }
  if (value === null) return undefined;
  if (!Array.isArray(value)) return 'it is not a list of operations';
  const wrong = value.findIndex((item) => !isObject(item));
  return wrong < 0 ? undefined : `operation ${wrong} is not an object`;
}
