import { BoundedCache } from '../../api/bounded-cache.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { parseJson } from '../../api/json-parse.ts';
import { stringifyJson } from '../../api/json-write.ts';

/**
 * Elements of field paths as text, the keys of FieldsV1: `f:` a field by name,
 * `k:` an item of a list by its keys, `v:` an item of a set by its value, `i:`
 * an item by its place. Two elements are the same when their text is, so the
 * JSON in them is always written in one way: keys in order, HTML characters
 * escaped as Go does.
 *
 * Source: structured-merge-diff, fieldpath/serialize-pe.go.
 */
export function fieldElement(name: string): string {
  return elements.get(name, elementOf);
}

/** Names whose elements are kept: as a key of an object a new text is first looked for among all texts, 0.15 µs. */
const MAX_NAMES = 4_096;
const MAX_KEPT_NAME = 64;
const elements = new BoundedCache<string>(MAX_NAMES, (_, { length }) =>
  length > MAX_KEPT_NAME ? Infinity : 1,
);
const elementOf = (name: string): string => `f:${name}`;

/** `fields` in alphabetical order of their names. */
export function keyElement(fields: readonly (readonly [string, JsonValue])[]): string {
  const parts = fields.map(([name, value]) => `${JSON.stringify(name)}:${canonicalValue(value)}`);
  return `k:{${parts.join(',')}}`;
}

/** The path element of an item of a set: `v:` and the value in canonical JSON. */
export function valueElement(value: JsonValue): string {
  return `v:${canonicalValue(value)}`;
}

/** Written with two digits there: `1e-07`. */
const ONE_DIGIT_EXPONENT = /e-(\d)$/;
/** Texts that JSON and Go write alike between quotes. */
const PLAIN = /^[\w .:/@-]*$/;
const ESCAPED: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON text of a value as Go writes it: keys sorted, `<`, `>`, `&` and line separators escaped. */
export function canonicalValue(value: JsonValue): string {
  if (typeof value === 'string') {
    return PLAIN.test(value) ? `"${value}"` : escapeHtml(JSON.stringify(value));
  }
  if (typeof value === 'number') return String(value).replace(ONE_DIGIT_EXPONENT, 'e-0$1');
  if (typeof value !== 'object' || value === null) return stringifyJson(value);
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`;
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${canonicalValue(key)}:${canonicalValue(value[key] as JsonValue)}`);
  return `{${parts.join(',')}}`;
}

function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (c) => ESCAPED[c] ?? c);
}

const SCALAR = String.raw`(?:"[\w .:/@-]*"|-?[1-9]\d{0,14}|0|true|false)`;
const ONE_VALUE = new RegExp(`^v:${SCALAR}$`);
const ONE_KEY = new RegExp(String.raw`^k:\{"[\w-]+":${SCALAR}\}$`);
const TWO_KEYS = new RegExp(String.raw`^k:\{"([\w-]+)":${SCALAR},"([\w-]+)":${SCALAR}\}$`);

/** Most elements are in the one form already, which can be seen without parsing them. */
function isPlainlyCanonical(text: string): boolean {
  if (text.startsWith('v')) return ONE_VALUE.test(text);
  if (ONE_KEY.test(text)) return true;
  const [, first, second] = TWO_KEYS.exec(text) ?? [];
  return first !== undefined && second !== undefined && first < second;
}

/**
 * The element in its canonical form. Undefined for a string that is not an
 * element, `null` for an element of a kind that this server does not know.
 */
export function canonicalElement(text: string): string | null | undefined {
  if (text.length < 2 || text[1] !== ':') return undefined;
  switch (text[0]) {
    case 'f':
      return text;
    case 'v': {
      if (isPlainlyCanonical(text)) return text;
      const value = json(text);
      return value === undefined ? undefined : valueElement(value);
    }
    case 'k': {
      if (isPlainlyCanonical(text)) return text;
      const value = json(text);
      return isObject(value) ? keyElement(sortedFields(value)) : undefined;
    }
    case 'i':
      return /^i:[-+]?\d{1,15}$/.test(text) ? `i:${Number(text.slice(2))}` : undefined;
    default:
      return null;
  }
}

function sortedFields(value: JsonObject): [string, JsonValue][] {
  return Object.keys(value)
    .sort()
    .map((name) => [name, value[name] as JsonValue]);
}

function json(element: string): JsonValue | undefined {
  try {
    return parseJson(element.slice(2)).value;
  } catch {
    return undefined;
  }
}

/** As conflicts name it: `.replicas`, `[name="web"]`, `[="x"]`, `[0]`. */
export function elementText(element: string): string {
  const body = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${body}`;
    case 'i':
      return `[${body}]`;
    case 'v':
      return `[=${shown(json(element) ?? body)}]`;
    default: {
      const fields = json(element);
      if (!isObject(fields)) return `[${body}]`;
      const parts = sortedFields(fields).map(([name, value]) => `${name}=${shown(value)}`);
      return `[${parts.join(',')}]`;
    }
  }
}

function shown(value: JsonValue): string {
  return stringifyJson(value);
}

const RANKS = 'fkvi';

/** The order of elements in FieldsV1: fields, keys, values, places; each kind by content. */
export function compareElements(a: string, b: string): number {
  const rank = RANKS.indexOf(a[0] ?? '') - RANKS.indexOf(b[0] ?? '');
  if (rank !== 0) return rank;
  if (a === b) return 0;
  if (a[0] === 'f') return a < b ? -1 : 1;
  return compareValues(json(a) ?? null, json(b) ?? null);
}

/** Numbers before texts before booleans before lists before objects before null. */
function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (isObject(a) && isObject(b)) {
    return compareSequences(sortedFields(a).flat(), sortedFields(b).flat());
  }
  if (Array.isArray(a) && Array.isArray(b)) return compareSequences(a, b);
  if (a === null || b === null) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareSequences(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i] as JsonValue, b[i] as JsonValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function valueRank(value: JsonValue): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return value === null ? 5 : Array.isArray(value) ? 3 : 4;
  }
}
