import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, type JsonObject } from '../../api/json.ts';
import { readExtension, type Extension } from '../extension-keys.ts';
import { isSaid, textOf } from './json-node.ts';

/** Keywords that may not stand at the root of a schema with a status subresource, before `type` and after it. */
const FORBIDDEN_BEFORE_TYPE = ['id', '$schema', '$ref'];
const FORBIDDEN_AFTER_TYPE = [
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
];
const FORBIDDEN_EXTENSIONS: readonly Extension[] = [
  'embedded-resource',
  'int-or-string',
  'list-map-keys',
  'list-type',
  'map-type',
];

/**
 * With a status subresource, `status` is validated alone: what the root says of
 * the whole object must not get lost by that. The first problem is reported.
 *
 * Source: apiextensions-apiserver pkg/apis/apiextensions/validation.
 */
export function checkStatusRoot(root: JsonObject, path: FieldPath): FieldError | undefined {
  const isUsed = (keyword: string): boolean => {
    const value = getOwn(root, keyword);
    // `additionalProperties: false` and a default without anything say something as well
    const saysWhenEmpty = keyword.startsWith('additional') || keyword === 'default';
    return saysWhenEmpty ? (value ?? null) !== null : isSaid(value);
  };
  const type = textOf(root, 'type');
  if (!FORBIDDEN_BEFORE_TYPE.some(isUsed) && type !== '' && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return fieldError.invalid(path.child('type'), type, why);
  }
  const isWrong =
    [...FORBIDDEN_BEFORE_TYPE, ...FORBIDDEN_AFTER_TYPE].some(isUsed) ||
    FORBIDDEN_EXTENSIONS.some((extension) => isSaid(readExtension(root, extension)));
  if (!isWrong) return undefined;
  const why =
    'only properties, required, type, description, format, limits and rules are allowed at the root of the schema if the status subresource is enabled';
  return fieldError.invalid(path, '', why);
}
