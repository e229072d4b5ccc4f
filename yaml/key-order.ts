/**
 * The order of a mapping's keys in YAML answers: letters after everything else,
 * and runs of digits by their value, so that `a2` comes before `a10`.
 * Source: keyList of yaml.v2, whose output clients compare and commit.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return compareAt(a, b, i, x, y);
  }
  return a.length - b.length;
}

/** The first characters that differ stand at `i`. */
function compareAt(a: string, b: string, i: number, x: number, y: number): number {
  const [isLetterX, isLetterY] = [isLetter(a, i, x), isLetter(b, i, y)];
  if (isLetterX && isLetterY) return x - y;
  if (isLetterX || isLetterY) return isLetterY ? -1 : 1;
  // A zero that differs is significant when digits other than zero stand before it.
  const before = (x === ZERO || y === ZERO) && hasValueBefore(a, i) ? '1' : '';
  const [digitsA, digitsB] = [digitsAt(a, i), digitsAt(b, i)];
  const [valueA, valueB] = [BigInt(`0${before}${digitsA}`), BigInt(`0${before}${digitsB}`)];
  if (valueA !== valueB) return valueA < valueB ? -1 : 1;
  if (digitsA.length !== digitsB.length) return digitsA.length - digitsB.length;
  return x - y;
}

const ZERO = 0x30;
const NINE = 0x39;
const LETTER = /\p{L}/u;
/** Digits that count; the rest of a longer run does not. */
const MAX_DIGITS = 64;

function isLetter(text: string, i: number, code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return LETTER.test(text[i] ?? '');
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function hasValueBefore(text: string, i: number): boolean {
  for (let at = i - 1; at >= 0 && i - at <= MAX_DIGITS; at--) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return false;
    if (code !== ZERO) return true;
  }
  return false;
}

function digitsAt(text: string, i: number): string {
  let end = i;
  while (end - i < MAX_DIGITS && isDigit(text.charCodeAt(end))) end++;
  return text.slice(i, end);
}
