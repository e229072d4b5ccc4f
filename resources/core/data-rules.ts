import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isConfigMapKey } from '../../api/names.ts';
import type { Column } from '../definition.ts';

/** What ConfigMap and Secret have in common: data by keys, which may be fixed for good. */

/** The values of one object together. Source: kube, MaxSecretSize. */
export const MAX_DATA_BYTES = 1024 * 1024;

interface Fixable {
  readonly immutable?: boolean;
}

/** Every key is a file name. */
export function validateKeys(path: FieldPath, data: JsonObject): FieldError[] {
  return errorsOfEach(Object.keys(data), (key) =>
    invalidEach(path.key(key), key, isConfigMapKey(key)),
  );
}

/** The bytes of all values; those of base64 count decoded. */
export function bytesOf(data: JsonObject, encoding: 'utf8' | 'base64'): number {
  let bytes = 0;
  for (const value of Object.values(data)) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value, encoding);
  }
  return bytes;
}

/** What is immutable keeps its data, and stays immutable. */
export function validateFixed(
  object: JsonObject & Fixable,
  old: JsonObject & Fixable,
  ...fields: readonly string[]
): FieldError[] {
  if (old.immutable !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const forbidden = (field: string): FieldError => fieldError.forbidden(FieldPath.of(field), why);
  return [
    ...(object.immutable === true ? [] : [forbidden('immutable')]),
    ...fields
      .filter((field) => !deepEqual(entriesOf(object[field]), entriesOf(old[field])))
      .map(forbidden),
  ];
}

export function entriesOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** How many entries the maps of these names have together. */
export function entriesColumn(
  name: string,
  description: string,
  ...fields: readonly string[]
): Column {
  return {
    name,
    type: 'string',
    format: '',
    description,
    priority: 0,
    cell: (object) =>
      fields.reduce((count, field) => count + Object.keys(entriesOf(object[field])).length, 0),
  };
}
