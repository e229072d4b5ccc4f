import type { JsonValue } from '../api/json.ts';
import { Quantity } from '../api/quantity.ts';
import { parseInstant } from '../api/time.ts';
import type { ValueKind } from './resolve-path.ts';

/** A value as it is ordered; undefined where there is none. */
export type SortValue = bigint | boolean | number | string | Quantity | undefined;

/** Texts are ordered by so many characters: what is held of an object stays small. */
const MAX_SORTED_CHARACTERS = 256;

/** What a value of this kind is ordered by. Lists and objects count as absent. */
export function sortValue(value: JsonValue | undefined, kind: ValueKind): SortValue {
  switch (typeof value) {
    case 'string':
      return (kind === 'time' ? timeOf(value) : undefined) ?? quantityOf(value, kind) ?? cut(value);
    case 'number':
    case 'bigint':
      return quantityOf(value, kind) ?? value;
    case 'boolean':
      return value;
    default:
      return undefined;
  }
}

/** No string is made of a number that is none: it would take as long as reading it. */
function quantityOf(value: string | number | bigint, kind: ValueKind): Quantity | undefined {
  return kind === 'quantity' ? Quantity.parse(String(value)) : undefined;
}

const NANOSECOND_DIGITS = 9;
const MS_NANOSECONDS = 1_000_000;
/** Nanoseconds of whole seconds are exact as a number up to here, in the year 2115: they are divisible by 2^9. */
const LAST_EXACT_MS = (2 ** 53 / 5 ** 9) * 1_000;

/** Nanoseconds since 1970; a number, where it is exact, is compared with others in less time. */
function timeOf(text: string): bigint | number | undefined {
  const instant = parseInstant(text);
  if (instant === undefined) return undefined;
  const { ms, fraction } = instant;
  if (fraction === '' && Math.abs(ms) <= LAST_EXACT_MS) return ms * MS_NANOSECONDS;
  const nanoseconds = fraction.slice(0, NANOSECOND_DIGITS).padEnd(NANOSECOND_DIGITS, '0');
  return BigInt(ms) * BigInt(MS_NANOSECONDS) + BigInt(nanoseconds);
}

/** A copy, since a part of a text keeps the whole of it alive. */
function cut(text: string): string {
  return text.length <= MAX_SORTED_CHARACTERS
    ? text
    : Buffer.from(text.slice(0, MAX_SORTED_CHARACTERS), 'utf16le').toString('utf16le');
}

/** Amounts before texts, texts before booleans; within them each by its own order. */
export function compareValues(
  a: Exclude<SortValue, undefined>,
  b: Exclude<SortValue, undefined>,
): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (a instanceof Quantity && b instanceof Quantity) return a.compare(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function rankOf(value: Exclude<SortValue, undefined>): number {
  switch (typeof value) {
    case 'object':
      return 0;
    case 'number':
    case 'bigint':
      return 1;
    case 'string':
      return 2;
    default:
      return 3;
  }
}
