// Made from json-patch.ts by `npm run generate:twins`: the same without rests.
import type { JsonPatchOperation } from './json-patch-parse.ts';
import { MAX_JSON_DEPTH } from '../api/json-parse.ts';
import { depthWithin } from './json-work.ts';
import {
  type JsonPatchOptions,
  type JsonPatchOutcome,
  MAX_JSON_PATCH_WORK,
  OPERATIONS_PER_STEP,
  type Run,
  TOO_DEEP,
  applyOperation,
  exhausted,
  rejected,
  restingPoint,
  withRootedPaths,
} from './json-patch.ts';
import { type JsonValue, deepClone } from '../api/json.ts';

/**
 * Applies a JSON patch (RFC 6902) in order, all or nothing. Neither the
 * document nor the operations change, and the result shares nothing with them.
 * Time and growth are bounded by {@link MAX_JSON_PATCH_WORK},
 * {@link MAX_COPIED_BYTES} and the depth of documents.
 */
export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): JsonPatchOutcome {
  const forgiving = options.forgiving === true;
  const run: Run = {
    document: deepClone(document),
    copiedBytes: 0,
    budget: { left: MAX_JSON_PATCH_WORK },
    dialect: options.dialect ?? 'lenient',
    forgiving,
  };
  let rest = restingPoint(run);
  let sinceRest = 0;
  for (const operation of forgiving ? operations.map(withRootedPaths) : operations) {
    const failure = applyOperation(run, operation) ?? exhausted(run);
    if (failure !== undefined) return rejected(failure, forgiving, operation.op === 'test');
    const { budget, copiedBytes } = run;
    if (
      ++sinceRest >= OPERATIONS_PER_STEP ||
      budget.left < rest.budget ||
      copiedBytes > rest.copied
    ) {
      sinceRest = 0;
      rest = restingPoint(run);
    }
  }
  if (!depthWithin(run.document, MAX_JSON_DEPTH)) return rejected(TOO_DEEP, forgiving);
  return { ok: true, value: run.document };
}
