import { badRequest } from './api-error.ts';

/** Query parameters of a request, to be read only; a name may come several times. */
export type Query = Omit<URLSearchParams, 'append' | 'delete' | 'set' | 'sort'>;

const INTEGER = /^[+-]?\d+$/;
/** Every integer of so many characters is exact as a number. */
const MAX_SAFE_DIGITS = 15;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * An integer parameter; undefined when absent.
 *
 * @throws ApiError 400
 */
export function integerParameter(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!INTEGER.test(text)) {
    throw badRequest(`invalid value for ${name}: ${JSON.stringify(text)}: must be an integer`);
  }
  if (text.length <= MAX_SAFE_DIGITS) return Number(text);
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw badRequest(`invalid value for ${name}: ${JSON.stringify(text)}: must fit into 64 bits`);
  }
  // Larger than any real limit or time: the exact digits make no difference.
  return Number(value);
}

const TRUE = /^(1|t|true)$/i;
const FALSE = /^(0|f|false)$/i;

/**
 * A boolean parameter that takes nothing but the usual spellings; empty means
 * true, undefined that it is absent.
 *
 * @throws ApiError 400
 */
export function strictBooleanParameter(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === '' || TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  throw badRequest(`invalid value for ${name}: ${JSON.stringify(text)}: must be true or false`);
}

/** A boolean parameter: everything but `0` and `false` is true; undefined when absent (behaviours 4.13). */
export function booleanParameter(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}
