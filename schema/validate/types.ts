import type { JsonValue } from '../../api/json.ts';
import { stringFormat } from '../formats/registry.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import type { ValidationRun } from './run.ts';

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/**
 * The JSON type of a value as schemas count it: a number without a fraction is
 * an integer however it was written (`1.0`, `1e3`), beyond 2^53 only when it was
 * written as one and fits 64 bits.
 */
export function jsonTypeOf(value: JsonValue): JsonType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    default:
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
  }
}

/** Checks the type; an unknown type (empty) fits everything, unless a format says that it is a text. */
export function checkType(run: ValidationRun, type: JsonType, schema: StructuralSchema): void {
  if (schema.intOrString) {
    if (type === 'integer' || type === 'string') run.matches++;
    else typeInvalid(run, 'integer,string', type);
  } else if (isFormatted(schema) && type !== 'null') {
    // a format alone says nothing of a list
    if (type === 'string' || (type === 'array' && schema.type === '')) run.matches++;
    else typeInvalid(run, schema.keywords?.format ?? '', type);
  } else if (schema.type !== '') {
    const fits = schema.type === type || (schema.type === 'number' && type === 'integer');
    if (fits) run.matches++;
    else typeInvalid(run, schema.type, type);
  }
}

function isFormatted({ type, keywords }: StructuralSchema): boolean {
  if (keywords === undefined || keywords.format === '') return false;
  return (type === '' || type === 'string') && stringFormat(keywords.format) !== undefined;
}

function typeInvalid(run: ValidationRun, wanted: string, got: JsonType): void {
  if (!run.fails()) return;
  run.report({
    type: 'FieldValueTypeInvalid',
    path: run.path(),
    value: got,
    detail: `${run.name()} in body must be of type ${wanted}: "${got}"`,
  });
}
