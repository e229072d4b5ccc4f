import type { IssueList } from '../issue.ts';
import type { Token, TokenType } from './token.ts';
import { scanString, type StringScan } from './string-literal.ts';

const SPACE = /[\t \r\n\f]+/y;
const COMMENT = /\/\/[^\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED_WORD = /`[A-Za-z0-9_.\-/ ]+`/y;
const FLOAT =
  /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const INTEGER = /0x[0-9a-fA-F]+|[0-9]+/y;
const STRING_START = /[bB]?[rR]?["']/y;
const OPERATOR = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;

const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/**
 * Splits an expression into tokens. Characters that form no token are reported
 * and skipped, so that one stray character does not hide further errors.
 * Linear in the text: every pattern is anchored and none can backtrack.
 */
export function tokenize(issues: IssueList): Token[] {
  const text = issues.source.text;
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const skip = endOf(SPACE, text, at) ?? endOf(COMMENT, text, at);
    if (skip !== undefined) {
      at = skip;
      continue;
    }
    const token = nextToken(text, at);
    if (token === undefined) {
      at = reportUnknown(issues, text, at);
      continue;
    }
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ type: '<EOF>', start: text.length, end: text.length });
  return tokens;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function nextToken(text: string, start: number): Token | undefined {
  const prefix = endOf(STRING_START, text, start);
  if (prefix !== undefined) {
    const { isClosed, end } = scanStringFrom(text, start, prefix);
    if (isClosed) return { type: /[bB]/.test(text.charAt(start)) ? 'BYTES' : 'STRING', start, end };
    if (prefix - start === 1) return undefined;
    // without a string behind it the prefix is a name
    return { type: 'IDENTIFIER', start, end: prefix - 1 };
  }
  const word = endOf(WORD, text, start);
  if (word !== undefined) {
    const name = text.slice(start, word);
    return { type: KEYWORDS.has(name) ? (name as TokenType) : 'IDENTIFIER', start, end: word };
  }
  const float = endOf(FLOAT, text, start);
  if (float !== undefined) return { type: 'NUM_FLOAT', start, end: float };
  const integer = endOf(INTEGER, text, start);
  if (integer !== undefined) {
    const unsigned = /[uU]/.test(text.charAt(integer));
    return unsigned
      ? { type: 'NUM_UINT', start, end: integer + 1 }
      : { type: 'NUM_INT', start, end: integer };
  }
  const operator = endOf(OPERATOR, text, start);
  if (operator !== undefined) {
    return { type: text.slice(start, operator) as TokenType, start, end: operator };
  }
  const escaped = endOf(ESCAPED_WORD, text, start);
  if (escaped !== undefined) return { type: 'ESC_IDENTIFIER', start, end: escaped };
  return undefined;
}

function scanStringFrom(text: string, start: number, prefix: number): StringScan {
  return scanString(text, prefix - 1, /[rR]/.test(text.slice(start, prefix - 1)));
}

/**
 * Reports text that starts no token and returns where to go on: behind the
 * character that cannot be in a string, or that does not double a `|`, `&` or `=`.
 */
function reportUnknown(issues: IssueList, text: string, at: number): number {
  const point = String.fromCodePoint(text.codePointAt(at) ?? 0);
  let end = at + point.length;
  if (point === '"' || point === "'") end = scanString(text, at, false).end;
  else if (/[|&=]/.test(point) && end < text.length) end++;
  const shown = text
    .slice(at, end)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  issues.report(at, `Syntax error: token recognition error at: '${shown}'`);
  return end;
}
