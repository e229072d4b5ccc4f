import { isObject, type JsonObject, type JsonValue } from './json.ts';
import { JsonSyntaxError, TooManyFields } from './json-error.ts';
import { JsonReader } from './json-reader.ts';
import type { Steps } from './steps.ts';
import { nextTurn } from './turn.ts';

/** Nesting deeper than this is refused before anything walks the value (JSON and YAML bodies). */
export const MAX_JSON_DEPTH = 1000;

export interface ParsedJson {
  value: JsonValue;
  /** Paths of keys that occur twice in one object (`spec.a`, `spec.b[0].c`); the last value won. */
  duplicates: string[];
  /** Integers with a fraction or an exponent as they are written, by their paths; where they are asked for. */
  floats?: ReadonlyMap<string, string>;
}

/** Requests with more fields, or more objects and lists, are refused: parsing them would hold up everyone else. */
export const MAX_REQUEST_FIELDS = 50_000;

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
export function parseJson(text: string, options: JsonLimits = {}): ParsedJson {
  return parseScanned(text, scanWithin(text, options), options);
}

interface JsonLimits {
  readonly maxFields?: number;
  /** The bytes of which the text was made as UTF-8, where they are at hand: they need not be made again. */
  readonly bytes?: Uint8Array;
  /** How integers are written matters: see {@link ParsedJson.floats}. */
  readonly floats?: boolean;
}

/** Texts with no more values than this are read in one go: some milliseconds. */
const MAX_VALUES_AT_ONCE = 4_000;
/** So many values are read in one turn of the event loop. */
const VALUES_PER_TURN = 2_000;

/**
 * The same for what clients send, which may be large: what is more than a few
 * thousand values is read over several turns of the event loop, and only of that
 * there is a promise.
 *
 * @throws JsonSyntaxError (also as rejection)
 */
export function parseLargeJson(
  text: string,
  options: JsonLimits = {},
): ParsedJson | Promise<ParsedJson> {
  const scan = scanWithin(text, options);
  const isSmall = scan.colons + scan.opens + scan.commas <= MAX_VALUES_AT_ONCE;
  return isSmall ? parseScanned(text, scan, options) : readInTurns(text, options);
}

async function readInTurns(text: string, options: JsonLimits): Promise<ParsedJson> {
  const reader = new JsonReader(text);
  do await nextTurn();
  while (!reader.read(VALUES_PER_TURN));
  return parsedOf(reader, options);
}

function scanWithin(text: string, { maxFields, bytes }: JsonLimits): Scan {
  const scan = scanJson(text, bytes);
  if (maxFields !== undefined && Math.max(scan.colons, scan.opens) > maxFields) {
    throw new TooManyFields(`exceeded max number of ${maxFields} fields`);
  }
  return scan;
}

/** `mayRepeat`: keys may occur twice, which is found out by their number. */
function parseScanned(text: string, scan: Scan, options: JsonLimits, mayRepeat = true): ParsedJson {
  try {
    const value = JSON.parse(text) as JsonValue;
    // As many keys as colons: no key was overwritten by a later one.
    const isExact = !scan.needsExact && !(options.floats === true && scan.hasFraction);
    const isWhole = isExact && (!mayRepeat || countKeys(value) === scan.colons);
    if (isWhole) return { value, duplicates: [] };
  } catch (error) {
    throw asSyntaxError(text, error as Error);
  }
  return readAll(text, options);
}

function readAll(text: string, options: JsonLimits): ParsedJson {
  const reader = new JsonReader(text);
  reader.read(Infinity);
  return parsedOf(reader, options);
}

function parsedOf({ value, duplicates, floats }: JsonReader, options: JsonLimits): ParsedJson {
  return options.floats === true && floats.size > 0
    ? { value, duplicates, floats }
    : { value, duplicates };
}

/** What is wrong, with line and column, instead of the words of this machine's parser. */
function asSyntaxError(text: string, cause: Error): JsonSyntaxError {
  try {
    readAll(text, {});
  } catch (error) {
    return new JsonSyntaxError((error as Error).message, { cause });
  }
  return new JsonSyntaxError(cause.message, { cause });
}

interface Scan {
  colons: number;
  commas: number;
  opens: number;
  needsExact: boolean;
  /** Some number has a fraction, if not an exponent. */
  hasFraction: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
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

/**
 * One pass over the text outside strings: depth limit, number of keys, whether numbers may be
 * lost. `read`: the bytes that the text was read from; no half of a surrogate pair comes of them.
 */
function scanJson(text: string, read?: Uint8Array): Scan {
  const fits = text.length * MAX_BYTES_PER_CHARACTER <= scratch.length;
  const bytes = read ?? (fits ? scratch : Buffer.from(text));
  const end = read === undefined && fits ? scratch.write(text) : bytes.length;
  let colons = 0;
  let commas = 0;
  let opens = 0;
  let depth = 0;
  let digits = 0;
  let hasFraction = false;
  const isWhole = read !== undefined || text.isWellFormed();
  let needsExact = !isWhole || (text.includes('\\u') && ESCAPED_SURROGATE.test(text));
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
    } else if (c === COMMA) {
      commas++;
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
    } else if (c === DOT) {
      hasFraction = true;
    }
    digits = 0;
  }
  return { colons, commas, opens, needsExact, hasFraction };
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

/**
 * Parses bytes that this server wrote itself: no duplicates, known depth.
 * Exact integers still come back as bigint.
 *
 * @throws JsonSyntaxError when the bytes are damaged
 */
export function parseStoredJson(bytes: Uint8Array): JsonObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return asStored(parseScanned(text, scanJson(text, bytes), {}, false).value);
}

function asStored(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new JsonSyntaxError('stored value is not an object');
  return value;
}

/** Stored text that is longer is not read in one step: reading a part of it takes more work, but no long step. */
const MAX_STORED_AT_ONCE = 512 * 1024;

/** {@link parseStoredJson} in steps. */
export function* storedJsonSteps(bytes: Buffer): Steps<JsonObject> {
  if (bytes.length <= MAX_STORED_AT_ONCE) return parseStoredJson(bytes);
  const text = bytes.toString('utf8');
  scanJson(text, bytes);
  yield;
  const reader = new JsonReader(text);
  while (!reader.read(VALUES_PER_TURN)) yield;
  return asStored(reader.value);
}
