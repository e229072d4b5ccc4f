import assert from 'node:assert/strict';
import type { FieldError } from '../../api/field-error.ts';
import { stringifyJson } from '../../api/json-write.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { schemaFromJson } from '../from-json.ts';
import { validateValue } from '../validate/validate.ts';

/** `type path` of each error, in order of the texts. */
export function summary(errors: readonly FieldError[]): string[] {
  return errors.map((e) => `${e.type.replace('FieldValue', '')} ${e.path || '<nil>'}`).sort();
}
export function check(schema: JsonObject, value: JsonValue, old?: JsonValue): string[] {
  const options = old === undefined ? {} : { old: { f: old } };
  return summary(
    validateValue(
      { f: value },
      schemaFromJson({ type: 'object', properties: { f: schema } }),
      options,
    ),
  );
}
export function accepts(schema: JsonObject, ...values: JsonValue[]): void {
  for (const value of values) assert.deepEqual(check(schema, value), [], stringifyJson(value));
}
export function refuses(schema: JsonObject, expected: string[], ...values: JsonValue[]): void {
  for (const value of values) assert.deepEqual(check(schema, value), expected);
}

export const OPEN = { 'x-cluster-preserve-unknown-fields': true };

/** Whether a schema has one of these words anywhere. */
export function mentions(schema: JsonObject, ...words: string[]): boolean {
  const text = stringifyJson(schema);
  return words.some((word) => text.includes(word));
}
