import { TextPieces } from '../api/json-write-steps.ts';
import { isStepOver, type Steps } from '../api/steps.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const INDENT = '  ';

/**
 * Finished JSON with line feeds and two blanks for each level, in steps. It is
 * the text of `JSON.stringify(value, null, 2)`, made without reading the value.
 * `level`: how deep it stands in the document.
 */
export function* indentSteps(json: Buffer, level = 0): Steps<Buffer> {
  const text = json.toString('utf8');
  const pieces = new TextPieces();
  let depth = level;
  let done = 0;
  const put = (end: number, after: string): void => {
    pieces.add(text.slice(done, end) + after);
    done = end;
  };
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (c === COLON) put(at + 1, ' ');
    else if (c === COMMA) put(at + 1, lineFeed(depth));
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      const next = text.charCodeAt(at + 1);
      if (next === CLOSE_BRACE || next === CLOSE_BRACKET) at++;
      else put(at + 1, lineFeed(++depth));
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) put(at, lineFeed(--depth));
    else continue;
    if (isStepOver()) yield;
  }
  put(text.length, level === 0 ? '\n' : '');
  return pieces.bytes();
}

/** Position of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) return at;
    if (c === BACKSLASH) at++;
  }
  return text.length;
}

function lineFeed(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}
