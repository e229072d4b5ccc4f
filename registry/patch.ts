import { badRequest, invalid, type ApiError } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import { deepClone, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { JsonSyntaxError, parseJson } from '../api/json-parse.ts';
import { stringifyJson } from '../api/json-write.ts';
import { applyConfiguration } from '../patch/apply/apply-configuration.ts';
import { parseJsonPatch } from '../patch/json-patch-parse.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMergePatch } from '../patch/strategic.ts';
import { fieldProblemTexts, reportFields, type Body } from './body.ts';
import { fitNamespace } from './create.ts';
import type { RegistryParts } from './parts.ts';
import { fitName, updateObject } from './update.ts';
import { managerOf, metadataOf, type ObjectResult, type WriteRequest } from './write-request.ts';

/** A patch as it was sent, by its media type. */
export type Patch =
  | { readonly type: 'json' | 'merge' | 'strategic'; readonly text: string }
  /** The body of an apply is an object, in YAML or JSON. */
  | { readonly type: 'apply'; readonly body: Body };

/**
 * PATCH of an object or subresource.
 *
 * @throws ApiError
 */
export function patch(
  parts: RegistryParts,
  request: WriteRequest,
  sent: Patch,
): Promise<ObjectResult> {
  return updateObject(parts, request, {
    produce: producerOf(parts, request, sent),
    mayCreate: sent.type === 'apply' && request.subresource === '',
    tracksFields: sent.type === 'apply',
    unconditional: true,
  });
}

export type Produce = (current: JsonObject | undefined) => Promise<JsonObject> | JsonObject;

/** How a patch makes the new object of the present one. @throws ApiError for a patch that cannot be read */
export function producerOf(parts: RegistryParts, request: WriteRequest, sent: Patch): Produce {
  return sent.type === 'apply' ? applier(parts, request, sent.body) : patcher(parts, request, sent);
}

function patcher(
  parts: RegistryParts,
  request: WriteRequest,
  sent: Extract<Patch, { text: string }>,
): Produce {
  const { apply, problems } = readPatch(parts, request, sent);
  return (current) => {
    if (current === undefined) throw new Error('a patch needs an object');
    return decodePatched(request, apply(current), problems);
  };
}

interface ReadPatch {
  readonly apply: (current: JsonObject) => JsonValue;
  /** Problems of the patch's own text, for fieldValidation. */
  readonly problems: readonly string[];
}

/** @throws ApiError for a patch that cannot be read; `apply` throws for one that does not fit */
function readPatch(
  parts: RegistryParts,
  { target }: WriteRequest,
  { type, text }: Extract<Patch, { text: string }>,
): ReadPatch {
  if (type === 'json') {
    const parsed = parseJsonPatch(text);
    if (!parsed.ok) throw parsed.error;
    return {
      apply: (current) => valueOf(applyJsonPatch(current, parsed.operations)),
      problems: parsed.strictProblems,
    };
  }
  const { value, duplicates } = parsePatchText(text);
  const problems = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  if (!isObject(value)) throw badRequest('error decoding patch: a patch is an object');
  if (type === 'merge') return { apply: (current) => applyMergePatch(current, value), problems };
  const schema = parts.fields.schemaOf(target.resource.version);
  return {
    apply: (current) => valueOf(applyStrategicMergePatch(schema, current, value)),
    problems,
  };
}

function parsePatchText(text: string): { value: JsonValue; duplicates: readonly string[] } {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function valueOf<T>(
  outcome:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ApiError },
): T {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

/** What the patch made of the object must be an object of the kind again. */
function decodePatched(
  request: WriteRequest,
  patched: JsonValue,
  problems: readonly string[],
): JsonObject {
  const { target, options, context } = request;
  const { resource } = target;
  const { codec } = resource.version;
  if (!isObject(patched)) throw patchInvalid(patched, 'the patched value is no object');
  // A patch cannot make another kind of thing of it.
  const typed = { ...patched, apiVersion: resource.apiVersion, kind: resource.kind.kind };
  if ((patched.kind ?? resource.kind.kind) !== resource.kind.kind) {
    throw badRequest('the kind of an object cannot be changed by a patch');
  }
  if ((patched.apiVersion ?? resource.apiVersion) !== resource.apiVersion) {
    throw badRequest(
      `the API version in the data (${stringifyJson(patched.apiVersion ?? '')}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  let decoded;
  try {
    decoded = codec.decode(typed, { reportUnknown: options.fieldValidation !== 'Ignore' });
  } catch (error) {
    throw patchInvalid(patched, (error as Error).message);
  }
  const found = { unknown: decoded.unknownFields, other: problems };
  const texts = fieldProblemTexts(found);
  if (options.fieldValidation === 'Strict' && texts.length > 0) {
    throw patchInvalid(patched, `strict decoding error: ${texts.join(', ')}`);
  }
  reportFields(resource, options.fieldValidation, context.warnings, found);
  const { object } = decoded;
  const metadata = metadataOf(object);
  fitNamespace(metadata, target);
  fitName(metadata, target.name);
  codec.applyDefaults(object);
  return object;
}

/** The reference names neither kind nor object here. */
function patchInvalid(patched: JsonValue, why: string): ApiError {
  return invalid({ group: '', kind: '' }, '', [
    fieldError.invalid('patch', stringifyJson(patched), why),
  ]);
}

function applier(parts: RegistryParts, request: WriteRequest, body: Body): Produce {
  const { target, options, subresource } = request;
  const { resource } = target;
  if (!isObject(body.value)) {
    throw badRequest('error decoding YAML: the configuration is no object');
  }
  const applied = resource.version.codec.withOwnNames?.(body.value) ?? body.value;
  if (options.fieldValidation === 'Strict' && body.duplicates.length > 0) {
    const texts = body.duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
    throw badRequest(`error strict decoding patch: ${texts.join(', ')}`);
  }
  return async (current) => {
    const outcome = await parts.fields.withKind(resource, subresource, (kind) =>
      applyConfiguration({
        kind,
        live: current,
        applied: deepClone(applied),
        manager: managerOf(request),
        force: options.force === true,
        now: parts.clock.now(),
      }),
    );
    if (!outcome.ok) throw outcome.error;
    const { codec } = resource.version;
    const { object, unknownFields } = codec.decode(outcome.object, {
      reportUnknown: options.fieldValidation !== 'Ignore',
    });
    reportFields(resource, options.fieldValidation, request.context.warnings, {
      unknown: unknownFields,
      duplicate: body.duplicates,
    });
    codec.applyDefaults(object, true);
    const metadata = metadataOf(object);
    fitNamespace(metadata, target);
    if ((metadata.name ?? '') !== '') fitName(metadata, target.name);
    if (outcome.managedFields.length === 0) delete metadata.managedFields;
    else metadata.managedFields = outcome.managedFields;
    return object;
  };
}
