import { andThen } from '../api/and-then.ts';
import { invalid, type ApiError } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { DecodedObject } from '../resources/codec.ts';
import { stringifyJson } from '../api/json-write.ts';
import { nextTurn } from '../api/turn.ts';
import { fromAlias, toAlias, underAlias } from './alias.ts';
import { applier } from './apply.ts';
import { anotherType, fieldProblemTexts, reportFields, type Body } from './body.ts';
import { completed } from './complete.ts';
import { fitName, fitNamespace } from './fit-path.ts';
import type { RegistryParts } from './parts.ts';
import { readPatch, type ReadPatch, type TextPatch } from './read-patch.ts';
import { decode, isLarge } from './large-objects.ts';
import type { ServedResource } from './served-resource.ts';
import { strategyOf } from './strategies.ts';
import { updateObject, type UpdatePlan } from './update.ts';
import type { ObjectResult, WriteRequest } from './write-request.ts';

/** A patch as it was sent, by its media type. */
export type Patch =
  | TextPatch
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
    onlyReads: onlyReads(request, sent),
    mayCreate: sent.type === 'apply' && request.subresource === '',
    tracksFields: sent.type === 'apply',
    unconditional: strategyOf(request.target.resource).unconditionalUpdate,
    uid: 'immutable',
  });
}

/** A merge patch makes a new object, unless the present one is first shown by other names. */
function onlyReads({ target }: WriteRequest, sent: Patch): boolean {
  const { codec } = target.resource.version;
  return sent.type === 'merge' && sent.alias !== true && codec.withAppliedNames === undefined;
}

type Produce = UpdatePlan['produce'];

/** How a patch makes the new object of the present one. @throws ApiError for a patch that cannot be read */
export function producerOf(parts: RegistryParts, request: WriteRequest, sent: Patch): Produce {
  return sent.type === 'apply' ? applier(parts, request, sent.body) : patcher(parts, request, sent);
}

function patcher(
  parts: RegistryParts,
  request: WriteRequest,
  sent: Extract<Patch, { text: string }>,
): Produce {
  let read: ReadPatch | undefined;
  return (current, large) => {
    if (current === undefined) throw new Error('a patch needs an object');
    if (read !== undefined) return patched(request, sent, read, current, large);
    // only now: that the object does not exist is said first
    const reading = readPatch(parts, request, sent);
    const go = (made: ReadPatch): ApiObject | Promise<ApiObject> => {
      read = made;
      return patched(request, sent, read, current, large);
    };
    return andThen(reading, go);
  };
}

/** The present object as the patch changes it. A promise only where that takes long. */
function patched(
  request: WriteRequest,
  sent: Extract<Patch, { text: string }>,
  { apply, problems, floats }: ReadPatch,
  current: ApiObject,
  large: boolean,
): ApiObject | Promise<ApiObject> {
  const { resource } = request.target;
  const { definition, version } = resource;
  // a patch is made for what its client has seen
  const seen =
    sent.alias === true
      ? toAlias(definition, current)
      : (version.codec.withAppliedNames?.(current) ?? current);
  const parts = { current, problems, floats };
  const decoded = (value: JsonValue): ApiObject | Promise<ApiObject> => {
    const shown = sent.alias === true ? underAlias(resource) : resource;
    const typed = checkedType(shown, request.subresource, sent.type, value);
    const made = sent.alias === true ? fromAlias(definition, typed) : typed;
    return isLarge(made)
      ? nextTurn().then(() => decodePatched(request, { ...parts, patched: made }, true))
      : decodePatched(request, { ...parts, patched: made }, false);
  };
  const made = apply(seen, large);
  return andThen(made, decoded);
}

interface Patched {
  readonly current: ApiObject;
  readonly patched: JsonObject;
  readonly problems: readonly string[];
  readonly floats: ReadPatch['floats'];
}

/** What the patch made of the object must be an object of the kind again. A promise only of a large one. */
function decodePatched(
  request: WriteRequest,
  made: Patched,
  large: boolean,
): ApiObject | Promise<ApiObject> {
  const { patched, floats } = made;
  const { resource } = request.target;
  const typed = { ...patched, apiVersion: resource.apiVersion, kind: resource.kind.kind };
  const fail = (error: unknown): never => {
    throw patchInvalid(patched, (error as Error).message);
  };
  let decoding: DecodedObject | Promise<DecodedObject>;
  try {
    const reportUnknown = request.options.fieldValidation !== 'Ignore';
    decoding = decode(large, resource.version.codec, typed, { reportUnknown, floats });
  } catch (error) {
    return fail(error);
  }
  const complete = (decoded: DecodedObject): ApiObject | Promise<ApiObject> =>
    completed(resource.version.codec, reported(request, made, decoded), made.current, large);
  return decoding instanceof Promise ? decoding.catch(fail).then(complete) : complete(decoding);
}

/** The object, once what is wrong with its fields is told; it must be the one that the path names. */
function reported(
  { target, options, context }: WriteRequest,
  { patched, problems }: Patched,
  decoded: DecodedObject,
): ApiObject {
  const { resource } = target;
  const found = {
    unknown: decoded.unknownFields,
    tolerated: decoded.toleratedFields,
    other: problems,
  };
  const texts = fieldProblemTexts(found);
  if (options.fieldValidation === 'Strict' && texts.length > 0) {
    throw patchInvalid(patched, `strict decoding error: ${texts.join(', ')}`);
  }
  reportFields(resource, options.fieldValidation, context.warnings, found);
  const { object } = decoded;
  const metadata = object.metadata;
  fitNamespace(metadata, target);
  fitName(metadata, target.name);
  return object;
}

/**
 * What a patch has made, by the names that its client knows.
 *
 * @throws ApiError 422 for another type than that of the resource
 */
function checkedType(
  resource: ServedResource,
  subresource: string,
  type: Patch['type'],
  patched: JsonValue,
): JsonObject {
  if (!isObject(patched)) throw patchInvalid(patched, 'the patched value must be an object');
  if (type === 'strategic') checkTypeIsText(patched);
  else checkSameType(resource, subresource, patched);
  return patched;
}

/**
 * A patch that merges by the schema of a kind gives an object of that kind,
 * whatever it says that it is.
 *
 * @throws ApiError 422
 */
function checkTypeIsText(patched: JsonObject): void {
  for (const member of ['apiVersion', 'kind']) {
    const value = patched[member] ?? '';
    if (typeof value !== 'string') throw patchInvalid(patched, `${member} must be a string`);
  }
}

/**
 * A patch cannot make another kind of thing of an object. Built-in kinds are read
 * as what they are; of custom resources the text has to say it, and what a patch of
 * their status says there is dropped as everything but the status is.
 *
 * @throws ApiError 422
 */
function checkSameType(resource: ServedResource, subresource: string, patched: JsonObject): void {
  const { apiVersion, kind, definition } = resource;
  const given = { kind: patched.kind ?? '', apiVersion: patched.apiVersion ?? '' };
  if (given.kind === kind.kind && given.apiVersion === apiVersion) return;
  if (definition.builtin) {
    const fits = (value: JsonValue, own: string): boolean => value === '' || value === own;
    if (fits(given.kind, kind.kind) && fits(given.apiVersion, apiVersion)) return;
    throw patchInvalid(patched, 'a patch cannot change the kind or version of an object');
  }
  if (typeof given.kind !== 'string' || given.kind === '') {
    throw patchInvalid(patched, "Object 'Kind' is missing");
  }
  if (typeof given.apiVersion !== 'string' || given.apiVersion === '') {
    throw patchInvalid(patched, "Object 'apiVersion' is missing");
  }
  if (subresource === 'status') return;
  throw anotherType(resource, patched, { kind: given.kind, apiVersion: given.apiVersion });
}

/** kube-apiserver names neither kind nor object here. */
function patchInvalid(patched: JsonValue, why: string): ApiError {
  return invalid({ group: '', kind: '' }, '', [
    fieldError.invalid('patch', stringifyJson(patched), why),
  ]);
}
