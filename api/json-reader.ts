import { setOwn, type JsonObject, type JsonValue } from './json.ts';
import { JsonSyntaxError, placeOf, syntaxErrorAt } from './json-error.ts';
import { numberFromLiteral } from './json-number.ts';
import { errorInNumber, errorInString } from './json-token-errors.ts';

/** At most this many duplicate keys are reported; the rest would only repeat the point. */
export const MAX_REPORTED_DUPLICATES = 100;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** At most this many are noted; the rest passes for integers. */
const MAX_NOTED_FLOATS = 1_000;

/** An object or list that is being read. */
type Open =
  | { readonly list: JsonValue[]; readonly object?: undefined; key: string }
  | { readonly list?: undefined; readonly object: JsonObject; key: string };

/** What may stand at the present place. */
type Expected = 'value' | 'first-item' | 'first-key' | 'key';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may stand behind a number that is complete; anything else belongs to it and is wrong. */
const NUMBER_PART = /[\d.eE+-]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x1f]/;
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Reads JSON a part at a time, without loss: integers of up to 64 bits are
 * exact, keys that occur twice are known, lone surrogates become U+FFFD. Keeps
 * what is open in a list, not on the stack, so that it can rest between values.
 * Depth must have been checked before.
 */
export class JsonReader {
  readonly duplicates: string[] = [];
  /** Integers with a fraction or an exponent (`10.0`, `1e1`) as they are written, by their paths. */
  readonly floats = new Map<string, string>();
  readonly #text: string;
  readonly #readNumber: (literal: string) => number | bigint;
  readonly #open: Open[] = [];
  #at = 0;
  #expected: Expected = 'value';
  #value: JsonValue = null;
  #done = false;

  /** `readNumber`: the value of a number as it is written; exact by default. */
  constructor(text: string, readNumber: (literal: string) => number | bigint = numberFromLiteral) {
    this.#text = text;
    this.#readNumber = readNumber;
  }

  /** Of the whole text, once {@link read} has said that it is read. */
  get value(): JsonValue {
    return this.#value;
  }

  /**
   * Reads so many values more; true once the text is at its end.
   *
   * @throws JsonSyntaxError with line and column
   */
  read(values: number): boolean {
    for (let left = values; left > 0 && !this.#done; left--) this.#step();
    return this.#done;
  }

  /** One value, or the end of an object or list, with what follows it. */
  #step(): void {
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (this.#expected === 'first-item' && code === CLOSE_BRACKET) {
      this.#close();
      return;
    }
    if (this.#expected === 'first-key' || this.#expected === 'key') {
      if (this.#expected === 'first-key' && code === CLOSE_BRACE) {
        this.#close();
        return;
      }
      this.#key(code);
    }
    this.#readValue(this.#text.charCodeAt(this.#at));
  }

  #key(code: number): void {
    if (code !== QUOTE) {
      throw syntaxErrorAt(this.#text, this.#at, 'looking for beginning of object key string');
    }
    const key = this.#string();
    const open = this.#open.at(-1) as Open;
    open.key = key;
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== COLON) {
      throw syntaxErrorAt(this.#text, this.#at, 'after object key');
    }
    this.#at++;
    this.#space();
    if (
      this.duplicates.length < MAX_REPORTED_DUPLICATES &&
      open.object !== undefined &&
      Object.hasOwn(open.object, key)
    ) {
      this.duplicates.push(this.#path());
    }
  }

  #readValue(code: number): void {
    if (code === OPEN_BRACE) {
      this.#at++;
      this.#open.push({ object: {}, key: '' });
      this.#expected = 'first-key';
    } else if (code === OPEN_BRACKET) {
      this.#at++;
      this.#open.push({ list: [], key: '' });
      this.#expected = 'first-item';
    } else if (code === QUOTE) {
      this.#take(this.#string());
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      this.#take(this.#number());
    } else {
      this.#take(this.#literal());
    }
  }

  /** The innermost open object or list is complete. */
  #close(): void {
    this.#at++;
    const { list, object } = this.#open.pop() as Open;
    this.#take(list ?? object);
  }

  /** Gives a value its place, and goes to where the next one begins. */
  #take(value: JsonValue): void {
    let complete = value;
    for (;;) {
      const open = this.#open.at(-1);
      this.#space();
      if (open === undefined) {
        this.#end(complete);
        return;
      }
      if (open.list === undefined) setOwn(open.object, open.key, complete);
      else open.list.push(complete);
      const code = this.#text.charCodeAt(this.#at);
      if (code === COMMA) {
        this.#at++;
        this.#expected = open.list === undefined ? 'key' : 'value';
        return;
      }
      this.#mustClose(open, code);
      this.#at++;
      this.#open.pop();
      complete = open.list ?? open.object;
    }
  }

  #mustClose(open: Open, code: number): void {
    if (code === (open.list === undefined ? CLOSE_BRACE : CLOSE_BRACKET)) return;
    throw syntaxErrorAt(this.#text, this.#at, behindValueOf(open));
  }

  #end(value: JsonValue): void {
    if (this.#at < this.#text.length) {
      throw syntaxErrorAt(this.#text, this.#at, behindValueOf(undefined));
    }
    this.#value = value;
    this.#done = true;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    if (end < 0) throw errorInString(this.#text, start + 1);
    this.#at = end + 1;
    const inner = this.#text.slice(start + 1, end);
    if (CONTROL.test(inner)) throw errorInString(this.#text, start + 1);
    if (!inner.includes('\\')) return inner.toWellFormed();
    try {
      return (JSON.parse(`"${inner}"`) as string).toWellFormed();
    } catch {
      throw errorInString(this.#text, start + 1);
    }
  }

  #number(): number | bigint {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const literal = NUMBER.exec(this.#text)?.[0] ?? '';
    const next = start + literal.length;
    if (literal === '' || NUMBER_PART.test(this.#text.charAt(next))) {
      throw errorInNumber(this.#text, start, behindValueOf(this.#open.at(-1)));
    }
    this.#at = next;
    const number = this.#readNumber(literal);
    if (number !== Infinity && number !== -Infinity) {
      if (/[.eE]/.test(literal)) this.#noteFloat(number, literal);
      return number;
    }
    const shown = literal.length > 40 ? `${literal.slice(0, 40)}...` : literal;
    throw new JsonSyntaxError(`number ${shown} is out of range${placeOf(this.#text, start)}`);
  }

  #noteFloat(number: number | bigint, literal: string): void {
    if (!Number.isInteger(number) || this.floats.size >= MAX_NOTED_FLOATS) return;
    this.floats.set(this.#path(), literal);
  }

  #literal(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.charCodeAt(this.#at) !== word.charCodeAt(0)) continue;
      for (let i = 1; i < word.length; i++) {
        if (this.#text[this.#at + i] === word[i]) continue;
        const why = `in literal ${word} (expecting '${word[i]}')`;
        throw syntaxErrorAt(this.#text, this.#at + i, why);
      }
      this.#at += word.length;
      return value;
    }
    throw syntaxErrorAt(this.#text, this.#at, 'looking for beginning of value');
  }

  /** Where the key stands that was read last: `spec.a`, `spec.b[0].c`. */
  #path(): string {
    let path = '';
    for (const { list, key } of this.#open) {
      if (list !== undefined) path += `[${list.length}]`;
      else path += path === '' ? key : `.${key}`;
    }
    return path;
  }

  #space(): void {
    let c = this.#text.charCodeAt(this.#at);
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) {
      c = this.#text.charCodeAt(++this.#at);
    }
  }
}

function behindValueOf(open: Open | undefined): string {
  if (open === undefined) return 'after top-level value';
  return open.list === undefined ? 'after object key:value pair' : 'after array element';
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
