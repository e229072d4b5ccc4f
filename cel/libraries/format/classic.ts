import { compareStrings } from '../../value/compare.ts';
import { formatGeneral } from '../../value/double.ts';
import { formatDuration } from '../../value/duration.ts';
import { formatTimestamp } from '../../value/timestamp.ts';
import { runtimeType } from '../../value/type-of.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  type CelValue,
  isFailure,
} from '../../value/value.ts';
import { quotePrintable } from '../quote.ts';
import { CLASSIC_WORDING, DEFAULT_PRECISION, FormatError, wrongArgument } from './clause.ts';
import { toFixed, toScientific } from './decimal.ts';
import { integer, type FormatStyle, type Output } from './format.ts';
import { scalarText } from './plain.ts';

/**
 * The convention of rules, which has to stay as it is: numbers as in English
 * text (`12,345.68`, `1.05×10⁰³`), strings inside lists in quotes.
 */
export const CLASSIC_STYLE: FormatStyle = {
  wording: CLASSIC_WORDING,
  string: writeString,
  decimal: (value) => integer(value)?.toString(),
  fixed: (value, precision) => {
    const number = doubleOf(value);
    if (number === undefined) return undefined;
    return special(number) ?? grouped(toFixed(number, precision));
  },
  scientific: (value, precision) => {
    const number = doubleOf(value);
    if (number === undefined) return undefined;
    const word = special(number);
    if (word !== undefined) return word;
    const { sign, mantissa, exponent } = toScientific(number, precision);
    return `${sign}${mantissa}\u00d710${superscript(exponent)}`;
  },
};

const NON_FINITE: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function doubleOf(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  return typeof value === 'string' ? NON_FINITE.get(value) : undefined;
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? '-\u221e' : '\u221e';
}

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

const SUPERSCRIPTS = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';

function superscript(exponent: number): string {
  const digits = Math.abs(exponent).toString().padStart(2, '0');
  const raised = digits.replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)));
  return exponent < 0 ? `\u207b${raised}` : raised;
}

function writeString(value: CelValue, out: Output): void {
  if (value instanceof CelList) writeList(value, out);
  else if (value instanceof CelMap) writeMap(value, out);
  else out.write(value instanceof CelDouble ? formatGeneral(value.value) : scalar(value));
}

function scalar(value: CelValue): string {
  const text = scalarText(value);
  if (text === undefined || isFailure(value))
    throw wrongArgument(CLASSIC_WORDING.s, runtimeType(value).name);
  return text;
}

function writeList(list: CelList, out: Output): void {
  out.write('[');
  for (let i = 0; i < list.length; i++) {
    out.enter();
    if (i > 0) out.write(', ');
    writeElement(list.at(i), out);
  }
  out.write(']');
}

function writeMap(map: CelMap, out: Output): void {
  const entries = map.keys().map((key): [string, string] => {
    out.enter();
    const value = out.nested();
    writeElement(map.get(key) ?? null, value);
    return [keyText(key), value.toString()];
  });
  entries.sort(([a], [b]) => compareStrings(a, b));
  out.write('{');
  entries.forEach(([key, value], i) => {
    out.write(i === 0 ? `${key}:${value}` : `, ${key}:${value}`);
  });
  out.write('}');
}

function keyText(key: CelValue): string {
  if (typeof key === 'string') return quotePrintable(key);
  if (typeof key === 'boolean') return String(key);
  const int = integer(key);
  if (int !== undefined) return int.toString();
  throw new FormatError(
    `error during formatting: no formatting function for map key of type ${runtimeType(key).name}`,
  );
}

/** A value inside a list or map, written so that its type can be told. */
function writeElement(value: CelValue, out: Output): void {
  if (value instanceof CelList) writeList(value, out);
  else if (value instanceof CelMap) writeMap(value, out);
  else out.write(elementText(value));
}

function elementText(value: CelValue): string {
  if (typeof value === 'string') return quotePrintable(value);
  if (value instanceof CelBytes) return `b${quotePrintable(scalar(value))}`;
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  if (value instanceof CelDouble) {
    return Number.isFinite(value.value)
      ? toFixed(value.value, DEFAULT_PRECISION)
      : `"${formatGeneral(value.value)}"`;
  }
  const text = scalarText(value);
  if (text !== undefined && !isFailure(value)) return text;
  throw new FormatError(
    `error during formatting: no formatting function for ${runtimeType(value).name}`,
  );
}
