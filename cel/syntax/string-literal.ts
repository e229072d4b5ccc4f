/** The literal cannot be read; the message is what the author sees. */
export class LiteralError extends Error {
  override readonly name = 'LiteralError';
}

const QUOTE_FAILED = 'unable to unescape string';
const PLAIN_RUN = { "'": /[^'\\\n\r]+/y, '"': /[^"\\\n\r]+/y } as const;
const ESCAPE =
  /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;

/** How far the text from a quote on is a string: its end, or the character that cannot be in it. */
export interface StringScan {
  isClosed: boolean;
  /** Behind the closing quote, or behind the wrong character; the end of the text when there is none. */
  end: number;
}

/** Reads the string literal whose quote stands at `start`. */
export function scanString(text: string, start: number, raw: boolean): StringScan {
  const quote = text.charAt(start) as '"' | "'";
  if (text.startsWith(quote.repeat(3), start)) {
    const end = scanTriple(text, start + 3, quote, raw);
    // Unclosed, the first two quotes are still an empty string.
    return { isClosed: true, end: end ?? start + 2 };
  }
  return raw ? scanRaw(text, start + 1, quote) : scanSingle(text, start + 1, quote);
}

function wrongAt(text: string, at: number): StringScan {
  const length = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return { isClosed: false, end: Math.min(at + length, text.length) };
}

function scanTriple(text: string, from: number, quote: string, raw: boolean): number | undefined {
  for (let at = from; at < text.length;) {
    const c = text.charAt(at);
    if (c === quote && text.startsWith(quote.repeat(3), at)) return at + 3;
    if (c === '\\' && !raw) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return undefined;
      at = ESCAPE.lastIndex;
    } else {
      at++;
    }
  }
  return undefined;
}

function scanRaw(text: string, from: number, quote: string): StringScan {
  let at = from;
  for (; at < text.length; at++) {
    const c = text.charAt(at);
    if (c === quote) return { isClosed: true, end: at + 1 };
    if (c === '\n' || c === '\r') break;
  }
  return wrongAt(text, at);
}

function scanSingle(text: string, from: number, quote: '"' | "'"): StringScan {
  let at = from;
  while (at < text.length) {
    const run = PLAIN_RUN[quote];
    run.lastIndex = at;
    if (run.test(text)) at = run.lastIndex;
    if (text.charAt(at) === quote) return { isClosed: true, end: at + 1 };
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return wrongAt(text, wrongInEscape(text, at));
    at = ESCAPE.lastIndex;
  }
  return wrongAt(text, at);
}

/** Beginnings of escapes, which tell where a wrong one goes wrong. */
const ESCAPE_PREFIX = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;

function wrongInEscape(text: string, at: number): number {
  ESCAPE_PREFIX.lastIndex = at;
  return ESCAPE_PREFIX.test(text) ? ESCAPE_PREFIX.lastIndex : at;
}

/** The content of a literal between its quotes, line breaks unified, and whether it is raw. */
function body(literal: string): { content: string; raw: boolean } {
  const text = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = /^[rR]/.test(text);
  const quoted = raw ? text.slice(1) : text;
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { content: quoted.slice(width, quoted.length - width), raw };
}

/**
 * Value of a string literal. `\x41` and octal escapes name code points.
 *
 * @throws LiteralError for a code point that does not exist
 */
export function unquoteString(literal: string): string {
  const { content, raw } = body(literal);
  if (raw || !content.includes('\\')) return content;
  return content.replace(new RegExp(ESCAPE.source, 'g'), (escape) => {
    const simple = simpleEscape(escape);
    if (simple !== undefined) return String.fromCharCode(simple);
    const point = escapedNumber(escape);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      throw new LiteralError('invalid unicode code point');
    }
    return String.fromCodePoint(point);
  });
}

/**
 * Value of a bytes literal, without its `b`. `\xff` and octal escapes name bytes,
 * other text stands for its UTF-8 encoding.
 *
 * @throws LiteralError for a Unicode escape, which bytes do not have
 */
export function unquoteBytes(literal: string): Uint8Array {
  const { content, raw } = body(literal);
  if (raw || !content.includes('\\')) return Buffer.from(content, 'utf8');
  const parts: Buffer[] = [];
  let at = 0;
  for (const match of content.matchAll(new RegExp(ESCAPE.source, 'g'))) {
    parts.push(Buffer.from(content.slice(at, match.index), 'utf8'));
    at = match.index + match[0].length;
    if (/^\\[uU]/.test(match[0])) throw new LiteralError(QUOTE_FAILED);
    parts.push(Buffer.from([simpleEscape(match[0]) ?? escapedNumber(match[0])]));
  }
  parts.push(Buffer.from(content.slice(at), 'utf8'));
  return Buffer.concat(parts);
}

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

function simpleEscape(escape: string): number | undefined {
  if (escape.length !== 2) return undefined;
  return SIMPLE_ESCAPES.get(escape.charAt(1)) ?? escape.charCodeAt(1);
}

function escapedNumber(escape: string): number {
  return /^\\[xXuU]/.test(escape)
    ? Number.parseInt(escape.slice(2), 16)
    : Number.parseInt(escape.slice(1), 8);
}
