import { foldedBreaks } from './folding.ts';
import { CHAR, isBlank, isBreak, type Source } from './source.ts';

const ESCAPES = new Map<string, string>([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** Digits behind the escapes for any character. */
const HEX_DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Reads a scalar in quotes; the source stands at the first of them. */
export function readQuotedScalar(source: Source): string {
  const quote = source.code();
  const startLine = source.line;
  source.at++;
  let text = '';
  for (;;) {
    if (source.atDocumentEnd) {
      const what = source.atEnd ? 'end of stream' : 'document indicator';
      source.fail(`found unexpected ${what} while scanning a quoted scalar`, startLine);
    }
    text += runOf(source, quote);
    const code = source.code();
    if (code === quote) {
      source.at++;
      if (quote !== CHAR.APOSTROPHE || source.code() !== quote) return text;
      text += "'";
      source.at++;
    } else if (code === CHAR.BACKSLASH) {
      text += escape(source);
    } else if (isBreak(code)) {
      text += foldedBreaks(source, () => source.skipBlanks());
    }
  }
}

/** The text up to what needs a closer look; blanks before a break do not count. */
function runOf(source: Source, quote: number): string {
  const start = source.at;
  let end = start;
  for (;;) {
    const code = source.code();
    if (Number.isNaN(code) || isBreak(code)) break;
    if (code === quote || (code === CHAR.BACKSLASH && quote === CHAR.QUOTE)) {
      end = source.at;
      break;
    }
    source.at++;
    if (!isBlank(code)) end = source.at;
  }
  return source.text.slice(start, end);
}

/** What a backslash and what follows it stand for. */
function escape(source: Source): string {
  source.at++;
  if (isBreak(source.code())) {
    // An escaped break joins the lines.
    source.takeBreak();
    source.skipBlanks();
    let breaks = '';
    while (isBreak(source.code())) {
      breaks += source.takeBreak();
      source.skipBlanks();
    }
    return breaks;
  }
  const letter = source.text[source.at] ?? '';
  source.at++;
  const simple = ESCAPES.get(letter);
  if (simple !== undefined) return simple;
  const digits = HEX_DIGITS.get(letter);
  if (digits === undefined) return source.fail('found unknown escape character');
  const hex = source.text.slice(source.at, source.at + digits);
  if (hex.length !== digits || !/^[\da-f]+$/i.test(hex)) {
    return source.fail('did not find expected hexadecimal number');
  }
  source.at += digits;
  return characterOf(source, parseInt(hex, 16));
}

function characterOf(source: Source, code: number): string {
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    source.fail('found invalid Unicode character escape code');
  }
  return String.fromCodePoint(code);
}
