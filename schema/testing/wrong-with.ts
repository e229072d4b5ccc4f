import assert from 'node:assert/strict';
import { FieldPath } from '../../api/field-path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { checkSchema } from '../check/check.ts';
import { JSONSchemaProps } from '../json-schema-props.ts';
import { decodeTyped } from '../typed/decode-at-once.ts';

function decoded(json: JsonValue): JsonObject {
  const { value, error } = decodeTyped(json, JSONSchemaProps);
  assert.equal(error, undefined);
  assert.ok(isObject(value));
  return value;
}

/** `type path` of each error of a schema, with `$` for the schema itself. */
export function wrongWith(json: JsonObject, hasStatus = false): string[] {
  const errors = checkSchema(decoded(json), FieldPath.of('$'), { hasStatus });
  const texts = errors.map((e) => `${e.type.replace('FieldValue', '')} ${e.path}`);
  return [...new Set(texts)].sort();
}
/** The same for a schema at `spec.f`. */
export function wrongWithField(schema: JsonObject): string[] {
  const spec = { type: 'object', properties: { f: schema } };
  return wrongWith({ type: 'object', properties: { spec } }).map((text) =>
    text.replace('$.properties[spec].properties[f]', '@'),
  );
}
export function root(rest: JsonObject): JsonObject {
  return { type: 'object', properties: { spec: { type: 'object' } }, ...rest };
}

export const OPEN = { 'x-cluster-preserve-unknown-fields': true };
export const STRING = { type: 'string' };
