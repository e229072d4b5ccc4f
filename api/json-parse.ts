import { isObject, setOwn, type JsonObject, type JsonValue } from './json.ts';

/** Nesting deeper than this is refused before anything walks the value (JSON and YAML bodies). */
export const MAX_JSON_DEPTH = 1000;
/** At most this many duplicate keys are reported; the rest would only repeat the point. */
export const MAX_REPORTED_DUPLICATES = 100;

export interface ParsedJson {
  value: JsonValue;
  /** Paths of keys that occur twice in one object (`spec.a`, `spec.b[0].c`); the last value won. */
  duplicates: string[];
}

/** The text is not JSON, or is nested deeper than {@link MAX_JSON_DEPTH}. The message is public. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** Requests with more fields, or more objects and lists, are refused: parsing them would hold up everyone else. */
export const MAX_REQUEST_FIELDS = 100_000;

/**
 * Parses JSON without losing what JSON.parse loses: integers of up to 64 bits
 * stay exact (bigint), duplicate keys are reported, lone surrogates become
 * U+FFFD, numbers beyond a float are refused instead of becoming infinite, and
 * depth is checked before recursion. The common case runs on JSON.parse after
 * one cheap scan; only text that needs more takes the slow parser.
 *
 * `maxFields` bounds the keys of all objects together, and the objects and
 * lists: {@link MAX_REQUEST_FIELDS} for what clients send, nothing for what the
 * server wrote itself, which carries its managed fields besides.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string, options: { maxFields?: number } = {}): ParsedJson {
  const scan = scanJson(text);
  if (options.maxFields !== undefined && Math.max(scan.colons, scan.opens) > options.maxFields) {
    throw new JsonSyntaxError(`exceeded max number of ${options.maxFields} fields`);
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new JsonSyntaxError((error as Error).message, { cause: error });
  }
  // As many keys as colons: no key was overwritten by a later one.
  if (!scan.needsExact && countKeys(value) === scan.colons) return { value, duplicates: [] };
  return new ExactParser(text).parse();
}

interface Scan {
  colons: number;
  opens: number;
  needsExact: boolean;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Room for the bytes of most texts; reading bytes is faster than asking a string for each character. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);
const MAX_BYTES_PER_CHARACTER = 3;
/** Every number of so many digits is exact as a float. */
const MAX_EXACT_DIGITS = 15;

/** One pass over the text outside strings: depth limit, number of keys, whether numbers may be lost. */
function scanJson(text: string): Scan {
  const fits = text.length * MAX_BYTES_PER_CHARACTER <= scratch.length;
  const bytes = fits ? scratch : Buffer.from(text);
  const end = fits ? scratch.write(text) : bytes.length;
  let colons = 0;
  let opens = 0;
  let depth = 0;
  let digits = 0;
  let needsExact = !text.isWellFormed() || (text.includes('\\u') && ESCAPED_SURROGATE.test(text));
  // the order of the questions is that of how often the answer is yes
  for (let i = 0; i < end; i++) {
    let c = bytes[i] as number;
    if (c === QUOTE) {
      c = bytes[++i] as number;
      while (c !== QUOTE && i < end) {
        if (c === BACKSLASH) i++;
        c = bytes[++i] as number;
      }
    } else if (c === COLON) {
      colons++;
    } else if (c >= ZERO && c <= NINE) {
      if (++digits === MAX_EXACT_DIGITS + 1) needsExact = true;
      continue;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      opens++;
      if (++depth > MAX_JSON_DEPTH) {
        throw new JsonSyntaxError(`exceeded max depth of ${MAX_JSON_DEPTH}`);
      }
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--;
    } else if (digits > 0 && (c === LOWER_E || c === UPPER_E)) {
      needsExact = true; // an exponent may be too large for a float
    }
    digits = 0;
  }
  return { colons, opens, needsExact };
}

/** Index of the quote that closes the string opened at `start`, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

/** Keys of all objects; `value` is an object, an array or a scalar. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  // JSON.parse makes own properties only, which for-in walks faster than a list of keys
  for (const key in value) {
    count++;
    const item = value[key];
    if (typeof item === 'object') count += countKeys(item);
  }
  return count;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** A sign and the digits of the largest int64. */
const MAX_INT64_LENGTH = 20;

/**
 * A number literal as the server holds it: a safe integer or a float is a
 * number, another integer of 64 bits a bigint, anything larger a float.
 */
export function numberFromLiteral(literal: string): number | bigint {
  const number = Number(literal);
  if (Number.isSafeInteger(number) || literal.length > MAX_INT64_LENGTH) return number;
  if (!/^-?\d+$/.test(literal)) return number;
  const exact = BigInt(literal);
  return exact >= INT64_MIN && exact <= INT64_MAX ? exact : number;
}

/** Recursive descent over text that JSON.parse has already accepted, so errors need no care here. */
class ExactParser {
  #at = 0;
  readonly #duplicates: string[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedJson {
    this.#space();
    const value = this.#value('');
    return { value, duplicates: this.#duplicates };
  }

  /** Starts at the value's first character, as every method here does. */
  #value(path: string): JsonValue {
    switch (this.#text.charCodeAt(this.#at)) {
      case OPEN_BRACE:
        return this.#object(path);
      case OPEN_BRACKET:
        return this.#array(path);
      case QUOTE:
        return this.#string();
      case 0x74: // true
        this.#at += 4;
        return true;
      case 0x66: // false
        this.#at += 5;
        return false;
      case 0x6e: // null
        this.#at += 4;
        return null;
      default:
        return this.#number();
    }
  }

  #object(path: string): JsonObject {
    const object: JsonObject = {};
    this.#at++;
    this.#space();
    while (this.#text.charCodeAt(this.#at) !== CLOSE_BRACE) {
      const key = this.#string();
      this.#space();
      this.#at++; // colon
      this.#space();
      const keyPath = path === '' ? key : `${path}.${key}`;
      if (this.#duplicates.length < MAX_REPORTED_DUPLICATES && Object.hasOwn(object, key)) {
        this.#duplicates.push(keyPath);
      }
      setOwn(object, key, this.#value(keyPath));
      this.#separator();
    }
    this.#at++;
    return object;
  }

  #array(path: string): JsonValue[] {
    const array: JsonValue[] = [];
    this.#at++;
    this.#space();
    while (this.#text.charCodeAt(this.#at) !== CLOSE_BRACKET) {
      const c = this.#text.charCodeAt(this.#at);
      const isNested = c === OPEN_BRACE || c === OPEN_BRACKET;
      array.push(this.#value(isNested ? `${path}[${array.length}]` : ''));
      this.#separator();
    }
    this.#at++;
    return array;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    this.#at = end + 1;
    const inner = this.#text.slice(start + 1, end);
    const isPlain = !inner.includes('\\');
    return (isPlain ? inner : (JSON.parse(`"${inner}"`) as string)).toWellFormed();
  }

  #number(): number | bigint {
    const start = this.#at;
    while (isNumberPart(this.#text.charCodeAt(this.#at))) this.#at++;
    const literal = this.#text.slice(start, this.#at);
    const number = numberFromLiteral(literal);
    if (number === Infinity || number === -Infinity) {
      const shown = literal.length > 40 ? `${literal.slice(0, 40)}...` : literal;
      throw new JsonSyntaxError(`number ${shown} is out of range`);
    }
    return number;
  }

  #separator(): void {
    this.#space();
    if (this.#text.charCodeAt(this.#at) === COMMA) {
      this.#at++;
      this.#space();
    }
  }

  #space(): void {
    let c = this.#text.charCodeAt(this.#at);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) {
      c = this.#text.charCodeAt(++this.#at);
    }
  }
}

function isNumberPart(c: number): boolean {
  if (c >= ZERO && c <= NINE) return true;
  return c === DOT || c === MINUS || c === PLUS || c === LOWER_E || c === UPPER_E;
}

/**
 * Parses bytes that this server wrote itself: no duplicates, known depth.
 * Exact integers still come back as bigint.
 *
 * @throws JsonSyntaxError when the bytes are damaged
 */
export function parseStoredJson(bytes: Uint8Array): JsonObject {
  const { value } = parseJson(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  );
  if (!isObject(value)) throw new JsonSyntaxError('stored value is no object');
  return value;
}
