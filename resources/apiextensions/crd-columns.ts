import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { CrdColumn } from './crd-types.ts';
import { parseJsonPath } from '../json-path/parse.ts';
import { validateSimplePath } from './simple-path.ts';
import { JsonPathError } from '../json-path/quoted.ts';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'name',
  'password',
];

/**
 * `old`: the columns of the same version before an update, whose paths may stay.
 * Source: specification 3, section 2.1, column definition; behaviours 7.11.
 */
export function validateColumn(
  path: FieldPath,
  column: CrdColumn,
  old: readonly CrdColumn[] | undefined,
): FieldError[] {
  const { name, type, format = '', jsonPath } = column;
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldError.required(path.child('name')));
  const types = `must be one of ${TYPES.join(',')}`;
  if (type === '') errors.push(fieldError.required(path.child('type'), types));
  else if (!TYPES.includes(type)) errors.push(fieldError.invalid(path.child('type'), type, types));
  if (format !== '' && !FORMATS.includes(format)) {
    const why = `must be one of ${FORMATS.join(',')}`;
    errors.push(fieldError.invalid(path.child('format'), format, why));
  }
  // the reference spells this field in its own way
  const jsonPathPath = path.child('JSONPath');
  if (jsonPath === '') errors.push(fieldError.required(jsonPathPath));
  else {
    errors.push(...validateSimplePath(jsonPathPath, jsonPath));
    const isKnown = old?.some((before) => before.jsonPath === jsonPath) === true;
    const problem = errors.length > 0 || isKnown ? undefined : jsonPathProblem(jsonPath);
    if (problem !== undefined) errors.push(fieldError.invalid(jsonPathPath, jsonPath, problem));
  }
  return errors;
}

/** Why a path cannot be read; undefined: it can. */
function jsonPathProblem(jsonPath: string): string | undefined {
  try {
    parseJsonPath(jsonPath);
    return undefined;
  } catch (error) {
    if (error instanceof JsonPathError) return `must be a valid JSON path: ${error.message}`;
    throw error;
  }
}
