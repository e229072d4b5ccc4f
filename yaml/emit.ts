import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';
import { compareKeys } from './key-order.ts';
import { formatFloat, resolvePlain } from './scalar-values.ts';
import { hasBreak, isPrintable, styleOf } from './scalar-style.ts';
import { isBreak } from './source.ts';
import type { YamlForm } from './worker-messages.ts';

const INDENT = 2;
/** Texts are broken at the first blank behind this column. */
const BEST_WIDTH = 80;
/** Keys beyond this many bytes stand behind a `?`. */
const MAX_SIMPLE_KEY_BYTES = 128;
/** Deeper values stand in brackets, or indentation would multiply the size of an answer. */
const MAX_BLOCK_DEPTH = 64;

/**
 * A value as a YAML document, the way clients of this API have always seen it:
 * keys in order, sequences at the column of their key, long texts broken at 80
 * columns. Source: the emitter of yaml.v2.
 */
export function yamlText(value: JsonValue): string {
  const emitter = new Emitter();
  emitter.root(value);
  return emitter.text;
}

/** A value as an element of a sequence in the document's outermost mapping. */
export function yamlItem(value: JsonValue): string {
  const emitter = new Emitter();
  emitter.item(value);
  return emitter.text;
}

/** {@link yamlText} or {@link yamlItem}. */
export function yamlOf(value: JsonValue, form: YamlForm): string {
  return form === 'item' ? yamlItem(value) : yamlText(value);
}

/** The keys of an object in the order in which documents have them. */
export function orderedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareKeys);
}

class Emitter {
  #out = '';
  #column = 0;
  #depth = 0;

  get text(): string {
    return `${this.#out}\n`;
  }

  root(value: JsonValue): void {
    if (isFilled(value)) this.#block(value, 0, true);
    else this.#scalar(value, INDENT);
  }

  item(value: JsonValue): void {
    this.#entry('-', value, 0);
  }

  #write(text: string): void {
    this.#out += text;
    this.#column += text.length;
  }

  #line(indent: number): void {
    this.#out += '\n' + ' '.repeat(indent);
    this.#column = indent;
  }

  /** A collection; `isHere`: its first element stands where the emitter is. */
  #block(value: JsonObject | JsonValue[], indent: number, isHere: boolean): void {
    this.#depth++;
    if (Array.isArray(value)) {
      value.forEach((item, i) => {
        if (i > 0 || !isHere) this.#line(indent);
        this.#entry('-', item, indent);
      });
    } else {
      orderedKeys(value).forEach((key, i) => {
        if (i > 0 || !isHere) this.#line(indent);
        this.#pair(key, value[key] as JsonValue, indent);
      });
    }
    this.#depth--;
  }

  /** What stands behind `-`, `?`, or a `:` on a line of its own. */
  #entry(indicator: string, value: JsonValue, indent: number): void {
    this.#write(`${indicator} `);
    if (this.#isBlock(value)) this.#block(value, indent + INDENT, true);
    else this.#scalar(value, indent + INDENT);
  }

  #pair(key: string, value: JsonValue, indent: number): void {
    if (!isSimpleKey(key)) {
      this.#entry('?', key, indent);
      this.#line(indent);
      this.#entry(':', value, indent);
      return;
    }
    this.#string(key, indent, true);
    this.#write(':');
    if (!this.#isBlock(value)) {
      this.#write(' ');
      this.#scalar(value, indent + INDENT);
    } else {
      this.#block(value, Array.isArray(value) ? indent : indent + INDENT, false);
    }
  }

  #isBlock(value: JsonValue): value is JsonObject | JsonValue[] {
    return isFilled(value) && this.#depth < MAX_BLOCK_DEPTH;
  }

  /** Anything on one line, or a text that goes on at `indent`. */
  #scalar(value: JsonValue, indent: number): void {
    if (typeof value === 'string') this.#string(value, indent, false);
    else if (typeof value === 'number') this.#write(numberText(value));
    else this.#write(stringifyJson(value));
  }

  #string(text: string, indent: number, isKey: boolean): void {
    switch (styleOf(text, isKey)) {
      case 'plain':
        this.#folded(text, isKey ? undefined : indent);
        break;
      case 'single':
        this.#singleQuoted(text, isKey ? undefined : indent);
        break;
      case 'double':
        this.#doubleQuoted(text, isKey ? undefined : indent);
        break;
      case 'literal':
        this.#literal(text, indent);
        break;
    }
  }

  /** A text without breaks; `indent` is undefined where it must stay on one line. */
  #folded(text: string, indent: number | undefined): void {
    if (indent === undefined || this.#column + text.length <= BEST_WIDTH) {
      this.#write(text);
      return;
    }
    let start = 0;
    for (let i = text.indexOf(' '); i >= 0; i = text.indexOf(' ', i + 1)) {
      const isSingle = text[i + 1] !== ' ' && text[i - 1] !== ' ';
      if (!isSingle || this.#column + (i - start) <= BEST_WIDTH) continue;
      this.#write(text.slice(start, i));
      this.#line(indent);
      start = i + 1;
    }
    this.#write(text.slice(start));
  }

  #singleQuoted(text: string, indent: number | undefined): void {
    this.#write("'");
    for (let i = 0; i < text.length; i++) {
      const char = text.charAt(i);
      if (this.#folds(text, i, indent) && text[i + 1] !== ' ') this.#line(indent ?? 0);
      else this.#write(char === "'" ? "''" : char);
    }
    this.#write("'");
  }

  #doubleQuoted(text: string, indent: number | undefined): void {
    this.#write('"');
    for (let i = 0; i < text.length; i++) {
      const code = text.codePointAt(i) ?? 0;
      if (this.#folds(text, i, indent)) {
        this.#line(indent ?? 0);
        if (text[i + 1] === ' ') this.#write('\\');
      } else if (needsEscape(code)) {
        this.#write(escapeOf(code));
        if (code > 0xffff) i++;
      } else {
        this.#write(text.charAt(i));
      }
    }
    this.#write('"');
  }

  /** May a text in quotes be broken at this place? */
  #folds(text: string, i: number, indent: number | undefined): boolean {
    if (indent === undefined || this.#column <= BEST_WIDTH || text[i] !== ' ') return false;
    return i > 0 && i < text.length - 1 && text[i - 1] !== ' ';
  }

  #literal(text: string, indent: number): void {
    this.#write(`|${literalHints(text)}`);
    const lines = text.split('\n');
    // The line feed at the end is written by what comes next.
    if (lines.at(-1) === '') lines.pop();
    for (const line of lines) this.#out += line === '' ? '\n' : `\n${' '.repeat(indent)}${line}`;
  }
}

function isFilled(value: JsonValue): value is JsonObject | JsonValue[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

function isSimpleKey(key: string): boolean {
  return !hasBreak(key) && Buffer.byteLength(key) <= MAX_SIMPLE_KEY_BYTES;
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const json = JSON.stringify(value);
  return resolvePlain(json).tag === 'float' ? formatFloat(value) : json;
}

const ESCAPES = new Map<number, string>(
  Object.entries({
    '\0': '0',
    '\x07': 'a',
    '\b': 'b',
    '\t': 't',
    '\n': 'n',
    '\v': 'v',
    '\f': 'f',
    '\r': 'r',
    '\x1b': 'e',
    '"': '"',
    '\\': '\\',
    '\x85': 'N',
    '\xa0': '_',
    '\u2028': 'L',
    '\u2029': 'P',
  }).map(([char, letter]) => [char.charCodeAt(0), letter]),
);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function needsEscape(code: number): boolean {
  if (code === QUOTE || code === BACKSLASH || code > 0xffff) return true;
  return !isPrintable(code) || isBreak(code);
}

function escapeOf(code: number): string {
  const short = ESCAPES.get(code);
  if (short !== undefined) return `\\${short}`;
  const letter = code <= 0xff ? 'x' : code <= 0xffff ? 'u' : 'U';
  const digits = { x: 2, u: 4, U: 8 }[letter];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** What the header of a literal says of its indentation and its end. */
function literalHints(text: string): string {
  const indentation = /^[ \n]/.test(text) ? String(INDENT) : '';
  if (!text.endsWith('\n')) return `${indentation}-`;
  return text === '\n' || text.endsWith('\n\n') ? `${indentation}+` : indentation;
}
