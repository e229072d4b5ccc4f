import { andThen } from '../api/and-then.ts';
import { badRequest, invalid, type ApiError } from '../api/api-error.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { getPath, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { DecodedObject } from '../resources/codec.ts';
import { stringifyJson } from '../api/json-write.ts';
import { nextTurn } from '../api/turn.ts';
import type { Warnings } from '../api/warnings.ts';
import { decode, isLarge } from './large-objects.ts';
import type { ServedResource } from './served-resource.ts';
import type { FieldValidation } from './write-options.ts';

/** A request body after its media type is gone: JSON, with what only the text could tell. */
export interface Body {
  readonly value: JsonValue;
  /** A sentence for each key that occurred twice: `duplicate field "spec.a"`, or by its line in YAML. */
  readonly duplicates: readonly string[];
  /** Numbers of a built-in kind that are not written as integers are, by their paths. */
  readonly floats?: ReadonlyMap<string, string> | undefined;
  /** Its type has the neutral name, whichever name was sent: so protobuf is read. */
  readonly isNeutral?: boolean;
}

/** What is said about keys that occurred twice in JSON. */
export function duplicateFields(paths: readonly string[]): string[] {
  return paths.map((path) => `duplicate field ${JSON.stringify(path)}`);
}

/**
 * Reads an object of the resource from a body: the right type, decoded, with
 * unknown and duplicate fields reported as the client asked. The result belongs
 * to the caller. A large object is read in turns, and only of that there is a promise.
 *
 * @throws ApiError 400, or 422 for a custom resource of another kind (also as rejection)
 */
export function decodeObject(
  body: Body,
  resource: ServedResource,
  fieldValidation: FieldValidation,
  warnings: Warnings,
): ApiObject | Promise<ApiObject> {
  const json = withTypeMeta(body.value, resource);
  const large = isLarge(json);
  const { codec } = resource.version;
  const context = { reportUnknown: fieldValidation !== 'Ignore', floats: body.floats };
  const report = (decoded: DecodedObject): ApiObject =>
    reported(decoded, body, resource, fieldValidation, warnings);
  if (large) {
    return nextTurn()
      .then(() => decode(large, codec, json, context))
      .then(report);
  }
  const decoded = decode(large, codec, json, context);
  return andThen(decoded, report);
}

/** The object, once what is wrong with its fields is told. */
function reported(
  { object, unknownFields, toleratedFields }: DecodedObject,
  { duplicates }: Body,
  resource: ServedResource,
  fieldValidation: FieldValidation,
  warnings: Warnings,
): ApiObject {
  reportFields(resource, fieldValidation, warnings, {
    unknown: unknownFields,
    tolerated: toleratedFields,
    other: duplicates,
  });
  return object;
}

/** Paths of fields, and whole sentences about the text that they came in. */
interface FieldProblems {
  readonly unknown?: readonly string[];
  /** Unknown fields where kube-apiserver does not look for them: never refused. */
  readonly tolerated?: readonly string[] | undefined;
  readonly other?: readonly string[];
}

/** Warns of, or refuses, fields that would be dropped (behaviours 5.18). */
export function reportFields(
  resource: ServedResource,
  fieldValidation: FieldValidation,
  warnings: Warnings,
  problems: FieldProblems,
): void {
  if (fieldValidation === 'Ignore') return;
  for (const path of problems.tolerated ?? []) warnings.add(unknownField(path));
  const texts = fieldProblemTexts(problems);
  if (texts.length === 0) return;
  if (fieldValidation === 'Warn') {
    for (const text of texts) warnings.add(text);
    return;
  }
  throw badRequest(`${cannotHandle(resource)}: strict decoding error: ${texts.join(', ')}`);
}

/** The problems as warnings or errors tell them, each in one line. */
export function fieldProblemTexts(problems: FieldProblems): string[] {
  return [...(problems.unknown ?? []).map(unknownField), ...(problems.other ?? [])];
}

const unknownField = (path: string): string => `unknown field ${JSON.stringify(path)}`;

/** `Lease in version "v1" cannot be handled as a Lease`. */
function cannotHandle(resource: ServedResource): string {
  const { kind, version } = resource.kind;
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;
}

/**
 * The body with apiVersion and kind: built-in kinds may leave them out, custom
 * resources may not; neither may name something else.
 */
function withTypeMeta(sent: JsonValue, resource: ServedResource): JsonObject {
  const { kind, definition, apiVersion } = resource;
  // Go's decoder leaves a struct as it is for null, so that this is an object without anything
  const value = sent === null && definition.builtin ? {} : sent;
  if (!isObject(value)) {
    throw badRequest(
      `${cannotHandle(resource)}: the body must be an object, not ${typeName(value)}`,
    );
  }
  const given = {
    apiVersion: typeMetaIn(value, 'apiVersion', kind.kind),
    kind: typeMetaIn(value, 'kind', kind.kind),
  };
  if (!definition.builtin && given.kind === '') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${shown(value)}'`,
    );
  }
  if (given.apiVersion !== apiVersion && !(definition.builtin && given.apiVersion === '')) {
    throw badRequest(
      `the API version in the data (${given.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (given.kind !== kind.kind && given.kind !== '') {
    if (definition.builtin) {
      throw badRequest(
        `${given.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: the kind does not match`,
      );
    }
    throw anotherType(resource, value, given);
  }
  // the body is the request's own, and copying tens of thousands of fields takes long
  value.apiVersion = apiVersion;
  value.kind = kind.kind;
  return value;
}

/** A custom resource that says it is of another type is an object of that type which is not valid. */
export function anotherType(
  { kind, apiVersion }: ServedResource,
  value: JsonObject,
  given: { readonly kind: string; readonly apiVersion: string },
): ApiError {
  const must = (field: 'kind' | 'apiVersion', wanted: string): FieldError[] =>
    given[field] === wanted ? [] : [fieldError.invalid(field, given[field], `must be ${wanted}`)];
  const group = parseApiVersion(given.apiVersion)?.group ?? '';
  return invalid({ group, kind: given.kind }, nameIn(value), [
    ...must('kind', kind.kind),
    ...must('apiVersion', apiVersion),
  ]);
}

/** The name in an object that has not been decoded. */
function nameIn(value: JsonObject): string {
  const name = getPath(value, 'metadata', 'name');
  return typeof name === 'string' ? name : '';
}

const MAX_SHOWN = 1024;

function shown(value: JsonValue): string {
  return stringifyJson(value).slice(0, MAX_SHOWN);
}

/** @throws ApiError 400 for a value that is not a string; null counts as absent */
function typeMetaIn(value: JsonObject, field: 'apiVersion' | 'kind', expected: string): string {
  const given = value[field] ?? '';
  if (typeof given === 'string') return given;
  throw badRequest(
    `the object provided is unrecognized (must be of type ${expected}): ${field} must be a string, not ${typeName(given)}`,
  );
}

/** The JSON type, with its article. */
function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'object':
      return 'an object';
    default:
      return 'a number';
  }
}
