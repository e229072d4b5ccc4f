import { syntaxErrorAt, type JsonSyntaxError } from './json-error.ts';

const ESCAPED = /["\\/bfnrtu]/;
const HEX = /[\da-fA-F]/;
const HEX_DIGITS = 4;

/** What is wrong in a string whose first character is at `start`. */
export function errorInString(text: string, start: number): JsonSyntaxError {
  for (let i = start; i < text.length; i++) {
    if (text.charCodeAt(i) < 0x20) return syntaxErrorAt(text, i, 'in string literal');
    if (text[i] !== '\\') continue;
    i++;
    if (!ESCAPED.test(text[i] ?? '')) return syntaxErrorAt(text, i, 'in string escape code');
    if (text[i] !== 'u') continue;
    for (let digit = 0; digit < HEX_DIGITS; digit++) {
      i++;
      if (HEX.test(text[i] ?? '')) continue;
      return syntaxErrorAt(text, i, String.raw`in \u hexadecimal character escape`);
    }
  }
  return syntaxErrorAt(text, text.length, '');
}

/** What is wrong in a number that begins at `start`, or right behind it. */
export function errorInNumber(text: string, start: number, behind: string): JsonSyntaxError {
  let at = start;
  const digits = (): boolean => {
    const from = at;
    while (/\d/.test(text[at] ?? '')) at++;
    return at > from;
  };
  if (text[at] === '-') at++;
  if (text[at] === '0') at++;
  else if (!digits()) return syntaxErrorAt(text, at, 'in numeric literal');
  if (text[at] === '.') {
    at++;
    if (!digits()) return syntaxErrorAt(text, at, 'after decimal point in numeric literal');
  }
  if (/[eE]/.test(text[at] ?? '')) {
    at++;
    if (/[+-]/.test(text[at] ?? '')) at++;
    if (!digits()) return syntaxErrorAt(text, at, 'in exponent of numeric literal');
  }
  return syntaxErrorAt(text, at, behind);
}
