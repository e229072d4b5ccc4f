import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';

/** What OpenAPI 2 has no words for, or what clients stumble over there. */
const DROPPED: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
  'nullable',
]);
const OPEN = 'x-kubernetes-preserve-unknown-fields';
const V3_PREFIX = '#/components/schemas/';
const V2_PREFIX = '#/definitions/';

/**
 * A schema of a custom resource as OpenAPI 2 can say it, made from the one that
 * OpenAPI 3 shows (in Kubernetes' spelling, with references). Lossy: junctors
 * and defaults go, what may be null or unknown loses its type, so that clients
 * of the old form never refuse what the server accepts. The argument is not
 * changed.
 *
 * Source: behaviours 1.10; apiextensions-apiserver pkg/controller/openapi/v2.
 */
export function toOpenApiV2(schema: JsonObject): JsonObject {
  const result: JsonObject = {};
  const reference = referenceOf(schema);
  for (const key of Object.keys(schema)) {
    if (!DROPPED.has(key)) setOwn(result, key, schema[key] as JsonValue);
  }
  if (reference !== undefined) result['$ref'] = reference;
  const isNullable = getOwn(schema, 'nullable') === true;
  const isOpen = getOwn(schema, OPEN) === true;
  if (isNullable || isOpen) {
    delete result['items'];
    delete result['properties'];
  }
  const { type } = result;
  if (
    isNullable ||
    (isOpen && type === 'object') ||
    (type === 'array' && result['items'] === undefined)
  ) {
    delete result['type'];
  }
  convertChildren(result);
  dropNullableFromRequired(result, schema);
  return result;
}

/** A reference alone, or in the list of one that allows a description next to it. */
function referenceOf(schema: JsonObject): string | undefined {
  const allOf = getOwn(schema, 'allOf');
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : schema;
  const reference = isObject(only) ? getOwn(only, '$ref') : undefined;
  return typeof reference === 'string' ? reference.replace(V3_PREFIX, V2_PREFIX) : undefined;
}

function convertChildren(schema: JsonObject): void {
  for (const key of ['items', 'additionalProperties']) {
    const child = schema[key];
    if (isObject(child)) schema[key] = toOpenApiV2(child);
  }
  const properties = schema['properties'];
  if (!isObject(properties)) return;
  const converted: JsonObject = {};
  for (const name of Object.keys(properties)) {
    const property = properties[name] as JsonValue;
    setOwn(converted, name, isObject(property) ? toOpenApiV2(property) : property);
  }
  schema['properties'] = converted;
}

/** A required field that may be null looks absent to clients of the old form. */
function dropNullableFromRequired(result: JsonObject, schema: JsonObject): void {
  const { required } = result;
  if (!Array.isArray(required)) return;
  // a place whose fields have gone keeps what it requires
  const properties = result['properties'] === undefined ? undefined : getOwn(schema, 'properties');
  const others = getOwn(schema, 'additionalProperties');
  const isNullable = (value: JsonValue | undefined): boolean =>
    isObject(value) && getOwn(value, 'nullable') === true;
  const kept = isNullable(others)
    ? []
    : required.filter(
        (name) =>
          typeof name !== 'string' ||
          !isObject(properties) ||
          !isNullable(getOwn(properties, name)),
      );
  if (kept.length === 0) delete result['required'];
  else result['required'] = kept;
}
