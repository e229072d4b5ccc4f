import { badRequest } from '../api/api-error.ts';

/** Query parameters of a request, to be read only; a name may come several times. */
export type Query = Omit<URLSearchParams, 'append' | 'delete' | 'set' | 'sort'>;

const INTEGER = /^[+-]?\d+$/;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * An integer parameter; undefined when absent. The texts are those of Go's
 * strconv, which clients of this API have always seen.
 *
 * @throws ApiError 400
 */
export function integerParameter(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!INTEGER.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  }
  // Larger than any real limit or time: the exact digits make no difference.
  return Number(value);
}

/** A boolean parameter: everything but `0` and `false` is true; undefined when absent (behaviours 4.13). */
export function booleanParameter(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}
