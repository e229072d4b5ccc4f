import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach, MAX_ERRORS_PER_FIELD } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual, hasOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { configMapKeyErrors } from '../../api/names.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import type { Column } from '../definition.ts';

/** What ConfigMap and Secret have in common: data by keys, which may be fixed for good. */

/** The values of one object together. Source: kube, MaxSecretSize. */
export const MAX_DATA_BYTES = 1024 * 1024;

interface Fixable {
  readonly immutable?: boolean;
}

/** What is found in one map of data. */
interface FoundInData {
  readonly errors: FieldError[];
  /** Of all values; those of base64 count decoded. */
  readonly bytes: number;
}

/** Every key is a file name, and none is in `others`. */
export function* dataSteps(
  path: FieldPath,
  data: JsonObject,
  encoding: 'utf8' | 'base64',
  others: JsonObject = {},
): Steps<FoundInData> {
  const wrong: FieldError[] = [];
  const repeated: FieldError[] = [];
  let bytes = 0;
  for (const key of Object.keys(data)) {
    if (isStepOver()) yield;
    if (wrong.length < MAX_ERRORS_PER_FIELD) {
      const why = configMapKeyErrors(key);
      if (why.length > 0) wrong.push(...invalidEach(path.key(key), key, why));
    }
    if (repeated.length < MAX_ERRORS_PER_FIELD && hasOwn(others, key)) {
      repeated.push(fieldError.invalid(path.key(key), key, REPEATED));
    }
    const value = data[key];
    if (typeof value === 'string') bytes += Buffer.byteLength(value, encoding);
  }
  return { errors: [...wrong, ...repeated], bytes };
}

const REPEATED = 'duplicate of key present in binaryData';

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

/** The entries of a map; none for anything else. */
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
