import { andThen } from '../api/and-then.ts';
import { badRequest, type ApiError } from '../api/api-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { JsonSyntaxError } from '../api/json-error.ts';
import { MAX_REQUEST_FIELDS, parseLargeJson, type ParsedJson } from '../api/json-parse.ts';
import { inTurns } from '../api/steps.ts';
import { parseLargeJsonPatch } from '../patch/json-patch-parse.ts';
import { applyJsonPatch } from '../patch/json-patch-at-once.ts';
import { applyMergePatch } from '../patch/merge-patch-at-once.ts';
import { jsonPatchSteps } from '../patch/json-patch.ts';
import { mergePatchSteps } from '../patch/merge-patch.ts';
import { strategicSteps } from '../patch/strategic.ts';
import { applyStrategicMergePatch } from '../patch/strategic-at-once.ts';
import { duplicateFields } from './body.ts';
import type { RegistryParts } from './parts.ts';
import type { WriteRequest } from './write-request.ts';

export interface TextPatch {
  readonly type: 'json' | 'merge' | 'strategic';
  readonly text: string;
  /** It speaks of the object by its alias. */
  readonly alias?: boolean;
}

/** Of a longer patch the work is cut into steps. */
const LONG_TEXT = 16 * 1024;

/** How kube-apiserver reads JSON patches. */
const FORGIVING = { forgiving: true };

export interface ReadPatch {
  /** In turns when the object is `large`. */
  readonly apply: (current: JsonObject, large: boolean) => JsonValue | Promise<JsonValue>;
  /** Problems of the patch's own text, for fieldValidation. */
  readonly problems: readonly string[];
  /** Of a merge patch, whose text becomes part of a built-in kind: see {@link ParsedJson.floats}. */
  readonly floats?: ReadonlyMap<string, string> | undefined;
}

/**
 * A promise only of a JSON patch and of a large one.
 *
 * @throws ApiError (also as rejection) for a patch that cannot be read; `apply` throws for one that does not fit
 */
export function readPatch(
  parts: RegistryParts,
  request: WriteRequest,
  { type, text }: TextPatch,
): ReadPatch | Promise<ReadPatch> {
  if (type === 'json') return readJsonPatch(text);
  // a strategic one is merged as values, of which 10.0 is an integer
  const floats = type === 'merge' && request.target.resource.definition.builtin;
  const parsing = parsePatchText(text, floats);
  const read = (parsed: ParsedJson): ReadPatch => mergePatch(parts, request, type, text, parsed);
  return andThen(parsing, read);
}

async function readJsonPatch(text: string): Promise<ReadPatch> {
  const isLong = text.length > LONG_TEXT;
  const parsed = await parseLargeJsonPatch(text, FORGIVING);
  if (!parsed.ok) throw parsed.error;
  const { operations } = parsed;
  return {
    apply: async (current, large) =>
      valueOf(
        large || isLong
          ? await inTurns(jsonPatchSteps(current, operations, FORGIVING))
          : applyJsonPatch(current, operations, FORGIVING),
      ),
    problems: parsed.strictProblems,
  };
}

function mergePatch(
  parts: RegistryParts,
  { target }: WriteRequest,
  type: 'merge' | 'strategic',
  text: string,
  { value: sent, duplicates, floats }: ParsedJson,
): ReadPatch {
  const isLong = text.length > LONG_TEXT;
  const problems = duplicateFields(duplicates);
  // what kube-apiserver merges by the schema is a map in Go, of which null makes an empty one
  const value = sent === null && type === 'strategic' ? {} : sent;
  if (!isObject(value)) throw badRequest('error decoding patch: a merge patch must be an object');
  if (type === 'merge') {
    return {
      apply: (current, large) =>
        large || isLong
          ? inTurns(mergePatchSteps(current, value))
          : applyMergePatch(current, value),
      problems,
      floats,
    };
  }
  const schema = parts.fields.schemaOf(target.resource.version);
  return {
    apply: async (current, large) =>
      valueOf(
        large || isLong
          ? await inTurns(strategicSteps(schema, current, value))
          : applyStrategicMergePatch(schema, current, value),
      ),
    problems,
  };
}

/** A promise only of a large one. */
function parsePatchText(text: string, floats: boolean): ParsedJson | Promise<ParsedJson> {
  const fail = (error: unknown): never => {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  };
  try {
    const parsed = parseLargeJson(text, { maxFields: MAX_REQUEST_FIELDS, floats });
    return parsed instanceof Promise ? parsed.catch(fail) : parsed;
  } catch (error) {
    return fail(error);
  }
}

function valueOf<T>(
  outcome:
    | { readonly ok: true; readonly value: T }
    | { readonly ok: false; readonly error: ApiError },
): T {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}
