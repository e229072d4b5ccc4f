import type { FieldPath } from './field-path.ts';
import { stringifyJson } from './json-write.ts';
import type { JsonValue } from './json.ts';

/** What is wrong with a field; the words that clients find in `details.causes[].reason`. */
type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const LABELS: Record<FieldErrorType, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Values longer than this are cut in messages: an error must not echo megabytes. */
const MAX_VALUE_IN_MESSAGE = 512;

/** Details longer than this are cut: an expression with a thousand mistakes is told of some. */
const MAX_DETAIL_IN_MESSAGE = 32 * 1024;
/** Supported values are listed up to so many characters. */
const MAX_SUPPORTED_IN_MESSAGE = 2_048;

/** One thing wrong with one field. A value, not an exception: validation collects them. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** As clients read it; empty for the object itself. */
  readonly path: string;
  /** The offending value; undefined where the type of error shows none. */
  readonly value?: JsonValue | undefined;
  readonly detail: string;
}

type Path = FieldPath | string;
/** The value as messages may show it; undefined shows none. */
type Shown = JsonValue | undefined;

function error(type: FieldErrorType, path: Path, value: Shown, detail: string): FieldError {
  return { type, path: path.toString(), value, detail };
}

export const fieldError = {
  required: (path: Path, detail = ''): FieldError =>
    error('FieldValueRequired', path, undefined, detail),
  invalid: (path: Path, value: Shown, detail: string): FieldError =>
    error('FieldValueInvalid', path, value, detail),
  /** The value has the wrong JSON type. */
  typeInvalid: (path: Path, value: Shown, detail: string): FieldError =>
    error('FieldValueTypeInvalid', path, value, detail),
  forbidden: (path: Path, detail: string): FieldError =>
    error('FieldValueForbidden', path, undefined, detail),
  duplicate: (path: Path, value: Shown): FieldError =>
    error('FieldValueDuplicate', path, value, ''),
  notFound: (path: Path, value: Shown): FieldError => error('FieldValueNotFound', path, value, ''),
  notSupported: (path: Path, value: Shown, supported: readonly string[]): FieldError =>
    error(
      'FieldValueNotSupported',
      path,
      value,
      supported.length === 0 ? '' : `supported values: ${supportedValues(supported)}`,
    ),
  /** `max` in the unit that the message names; bytes unless said. */
  tooLong: (path: Path, max: number, unit: 'bytes' | 'characters' = 'bytes'): FieldError =>
    error(
      'FieldValueTooLong',
      path,
      undefined,
      `may not be more than ${max} ${max === 1 ? unit.slice(0, -1) : unit}`,
    ),
  tooMany: (path: Path, count: number, max: number): FieldError =>
    error(
      'FieldValueTooMany',
      path,
      count,
      `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
    ),
  internal: (path: Path, detail: string): FieldError =>
    error('InternalError', path, undefined, detail),
};

/** The values in quotes, as many as there is room for; the others are counted. */
function supportedValues(supported: readonly string[]): string {
  let text = '';
  for (const [i, value] of supported.entries()) {
    if (text.length + value.length > MAX_SUPPORTED_IN_MESSAGE) {
      const more = `${supported.length - i} more`;
      return text === '' ? more : `${text} and ${more}`;
    }
    text += `${i === 0 ? '' : ', '}${JSON.stringify(value)}`;
  }
  return text;
}

/** The error without its path: `Invalid value: "x": must be …`. */
export function fieldErrorBody(e: FieldError): string {
  const parts = [LABELS[e.type]];
  if (e.value !== undefined) parts.push(shownValue(e.value));
  if (e.detail !== '') parts.push(within(e.detail, MAX_DETAIL_IN_MESSAGE));
  return parts.join(': ');
}

/** The error with its path, as it stands in the message of a Status. */
export function fieldErrorText(e: FieldError): string {
  return `${e.path === '' ? '<nil>' : e.path}: ${fieldErrorBody(e)}`;
}

/**
 * The value as JSON, up to {@link MAX_VALUE_IN_MESSAGE} characters. What is cut
 * off is never written: a hundred errors about one large list cost little.
 */
function shownValue(value: JsonValue): string {
  const text = start(value, MAX_VALUE_IN_MESSAGE + 1);
  return within(text, MAX_VALUE_IN_MESSAGE);
}

function within(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}...`;
}

/** The JSON of the value, or at least its first `room` characters. */
function start(value: JsonValue, room: number): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length <= room ? value : value.slice(0, Math.max(0, room)));
  }
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) {
      if (text.length > room) return `[${text}`;
      text += (text === '' ? '' : ',') + start(item, room - text.length);
    }
    return `[${text}]`;
  }
  for (const key in value) {
    if (text.length > room) return `{${text}`;
    const name = start(key, room - text.length);
    text += `${text === '' ? '' : ','}${name}:${start(value[key] as JsonValue, room - text.length)}`;
  }
  return `{${text}}`;
}
