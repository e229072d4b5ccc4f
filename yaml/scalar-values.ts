import type { JsonValue } from '../api/json.ts';
import { numberFromLiteral } from '../api/json-number.ts';

/*
 * What a plain scalar means: the rules of YAML 1.1 as Go's yaml.v2 reads them,
 * because manifests of this API have always been read by it. `yes` and `y` are
 * true, `010` is eight, `1_000` a thousand, and times stay text.
 */

type ScalarTag = 'null' | 'bool' | 'int' | 'float' | 'str' | 'timestamp';

interface ResolvedScalar {
  readonly tag: ScalarTag;
  readonly value: JsonValue;
}

const WORDS = new Map<string, ResolvedScalar>();

function words(tag: ScalarTag, value: JsonValue, ...texts: string[]): void {
  for (const text of texts) WORDS.set(text, { tag, value });
}

words('null', null, '', '~', 'null', 'Null', 'NULL');
words('bool', true, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON');
words('bool', false, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF');
words('float', NaN, '.nan', '.NaN', '.NAN');
words('float', Infinity, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF');
words('float', -Infinity, '-.inf', '-.Inf', '-.INF');

/** Longest of the words above. */
const MAX_WORD = 5;
/** No number that means anything is longer; longer ones stay text. */
const MAX_NUMBER = 512;

/** Nearly every number in practice, and exact as it is. */
const SMALL_INTEGER = /^[-+]?(?:0|[1-9]\d{0,14})$/;
const DECIMAL = /^[-+]?\d+$/;
const OCTAL = /^[-+]?0o?[0-7]+$/i;
const HEXADECIMAL = /^[-+]?0x[0-9a-f]+$/i;
const BINARY = /^[-+]?0b[01]+$/i;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const DOT_FLOAT = /^\.\d+(?:_\d+)*(?:e[-+]?\d+)?$/i;

/** The value of a plain scalar; text when it is nothing else. */
export function resolvePlain(text: string): ResolvedScalar {
  if (text.length <= MAX_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  const isNumeric = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
  if ((isNumeric || first === 0x2e) && text.length <= MAX_NUMBER) {
    const number = isNumeric ? numberOf(text) : dotFloat(text);
    if (number !== undefined) return number;
  }
  return { tag: 'str', value: text };
}

function numberOf(text: string): ResolvedScalar | undefined {
  if (SMALL_INTEGER.test(text)) return { tag: 'int', value: Number(text) };
  if (text[4] === '-' && isTimestamp(text)) return { tag: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  const integer = integerOf(plain);
  if (integer !== undefined) return { tag: 'int', value: integer };
  return FLOAT.test(plain) ? finite(Number(plain)) : undefined;
}

function dotFloat(text: string): ResolvedScalar | undefined {
  return DOT_FLOAT.test(text) ? finite(Number(text.replaceAll('_', ''))) : undefined;
}

/** A float out of range is not a number. */
function finite(value: number): ResolvedScalar | undefined {
  return Number.isFinite(value) ? { tag: 'float', value } : undefined;
}

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/** An integer in any base; undefined beyond 64 bits, where a decimal is read as a float. */
function integerOf(plain: string): JsonValue | undefined {
  const digits = plain.replace(/^[-+]/, '');
  let magnitude: bigint;
  if (OCTAL.test(plain) && digits.length > 1) {
    magnitude = BigInt(`0o${digits.replace(/^0o?/i, '')}`);
  } else if (HEXADECIMAL.test(plain) || BINARY.test(plain)) {
    magnitude = BigInt(digits.toLowerCase());
  } else if (DECIMAL.test(plain) && (digits === '0' || !digits.startsWith('0'))) {
    magnitude = BigInt(digits);
  } else {
    return undefined;
  }
  const value = plain.startsWith('-') ? -magnitude : magnitude;
  return value >= INT64_MIN && value <= UINT64_MAX ? numberFromLiteral(String(value)) : undefined;
}

const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d)))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;

/** Does the text look like a point in time? It is text all the same, but is written in quotes. */
function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const part = (i: number): number => Number(match[i] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(part(1), part(2) - 1, part(3));
  if (date.getUTCMonth() !== part(2) - 1 || date.getUTCDate() !== part(3)) return false;
  const time = match[4] === undefined ? [part(9), part(10), part(11)] : [part(4), part(5), part(6)];
  const [hour = 0, minute = 0, second = 0] = time;
  return hour < 24 && minute < 60 && second < 60 && part(7) <= 24 && part(8) <= 60;
}

/** From this power of ten on Go's shortest format has an exponent. */
const EXPONENT_FROM = 6;
const EXPONENT_BELOW = -4;

/** A float as Go's strconv writes it with format 'g': `1.5`, `1e+21`, `1.2345675e+06`. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= EXPONENT_BELOW && exponent < EXPONENT_FROM) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
