import { formatPlain } from '../../value/double.ts';
import { formatDuration } from '../../value/duration.ts';
import { compareStrings } from '../../value/compare.ts';
import { formatTimestamp } from '../../value/timestamp.ts';
import { runtimeType } from '../../value/type-of.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isFailure,
} from '../../value/value.ts';
import { PLAIN_WORDING, wrongArgument } from './clause.ts';
import { toFixed, toScientific } from './decimal.ts';
import { integer, type FormatStyle, type Output } from './format.ts';

/** The convention of the language's own specification. */
export const PLAIN_STYLE: FormatStyle = {
  wording: PLAIN_WORDING,
  string: writePlain,
  decimal: (value) =>
    value instanceof CelDouble ? plainDouble(value.value) : integer(value)?.toString(),
  fixed: (value, precision) => {
    const number = numberOf(value);
    return number === undefined ? undefined : (special(number) ?? toFixed(number, precision));
  },
  scientific: (value, precision) => {
    const number = numberOf(value);
    if (number === undefined) return undefined;
    const word = special(number);
    if (word !== undefined) return word;
    const { sign, mantissa, exponent } = toScientific(number, precision);
    const power = Math.abs(exponent).toString().padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  },
};

function numberOf(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  const int = integer(value);
  return int === undefined ? undefined : Number(int);
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? '-Infinity' : 'Infinity';
}

function plainDouble(value: number): string {
  return special(value) ?? formatPlain(value);
}

function writePlain(value: CelValue, out: Output): void {
  if (value instanceof CelList) {
    out.write('[');
    for (let i = 0; i < value.length; i++) {
      out.enter();
      if (i > 0) out.write(', ');
      writePlain(value.at(i), out);
    }
    out.write(']');
  } else if (value instanceof CelMap) {
    out.write(plainMap(value, out));
  } else {
    out.write(plainScalar(value));
  }
}

function plainMap(map: CelMap, out: Output): string {
  const entries = map.keys().map((key): [string, string] => {
    out.enter();
    return [plainText(key, out), plainText(map.get(key) ?? null, out)];
  });
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`;
}

function plainText(value: CelValue, out: Output): string {
  const inner = out.nested();
  writePlain(value, inner);
  return inner.toString();
}

/** Scalar values. Both conventions format them alike, except doubles. */
export function scalarText(value: CelValue): string | undefined {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelBytes) return Buffer.from(value.value).toString('utf8');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  return value instanceof CelTypeValue ? value.type.name : undefined;
}

function plainScalar(value: CelValue): string {
  const text = value instanceof CelDouble ? plainDouble(value.value) : scalarText(value);
  if (text !== undefined && !isFailure(value)) return text;
  throw wrongArgument(PLAIN_WORDING.s, runtimeType(value).name);
}
