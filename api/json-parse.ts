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

/**
 * Parses JSON without losing what JSON.parse loses: integers of up to 64 bits
 * stay exact (bigint), duplicate keys are reported, lone surrogates become
 * U+FFFD, and depth is checked before recursion. The common case runs on
 * JSON.parse after one cheap scan; only text that needs more takes the slow
 * parser.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string): ParsedJson {
  const scan = scanJson(text);
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
  needsExact: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass over the text outside strings: depth limit, number of keys, whether digits may be lost. */
function scanJson(text: string): Scan {
  let colons = 0;
  let depth = 0;
  let digits = 0;
  let needsExact = text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x30 && c <= 0x39) {
      if (++digits === 16) needsExact = true;
      continue;
    }
    digits = 0;
    if (c === QUOTE) {
      i = endOfString(text, i);
      if (i < 0) break; // JSON.parse words the error
    } else if (c === 0x3a) colons++;
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > MAX_JSON_DEPTH) {
        throw new JsonSyntaxError(`exceeded max depth of ${MAX_JSON_DEPTH}`);
      }
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return { colons, needsExact };
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

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countKeys(value[key] as JsonValue);
  return count;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * A number literal as the server holds it: a safe integer or a float is a
 * number, another integer of 64 bits a bigint, anything larger a float.
 */
export function numberFromLiteral(literal: string): number | bigint {
  const number = Number(literal);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(literal)) return number;
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
    const value = this.#value('');
    return { value, duplicates: this.#duplicates };
  }

  #value(path: string): JsonValue {
    this.#space();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(path);
      case '[':
        return this.#array(path);
      case '"':
        return this.#string();
      case 't':
        this.#at += 4;
        return true;
      case 'f':
        this.#at += 5;
        return false;
      case 'n':
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
    while (this.#text[this.#at] !== '}') {
      const key = this.#string();
      this.#space();
      this.#at++; // colon
      const keyPath = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(object, key) && this.#duplicates.length < MAX_REPORTED_DUPLICATES) {
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
    while (this.#text[this.#at] !== ']') {
      array.push(this.#value(`${path}[${array.length}]`));
      this.#separator();
    }
    this.#at++;
    return array;
  }

  #string(): string {
    const end = endOfString(this.#text, this.#at);
    const literal = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    return (JSON.parse(literal) as string).toWellFormed();
  }

  #number(): number | bigint {
    const start = this.#at;
    while (/[-+.\deE]/.test(this.#text[this.#at] ?? '')) this.#at++;
    return numberFromLiteral(this.#text.slice(start, this.#at));
  }

  #separator(): void {
    this.#space();
    if (this.#text[this.#at] === ',') {
      this.#at++;
      this.#space();
    }
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
  }
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
