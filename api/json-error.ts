/** The text is not JSON, or holds more than it may. The message is public. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** The text has more fields, or objects and lists, than it may. */
export class TooManyFields extends JsonSyntaxError {}

/** More text than this before the fault, on its line, is not counted by the character. */
const MAX_COLUMN_SCAN = 1024 * 1024;
const LOW_SURROGATE = /[\udc00-\udfff]/g;

/** ` at line 3, column 5`: both from 1, columns in characters. */
export function placeOf(text: string, at: number): string {
  let line = 1;
  let start = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++;
    start = i + 1;
  }
  const before = text.slice(start, Math.min(at, start + MAX_COLUMN_SCAN));
  const column = at - start + 1 - (before.match(LOW_SURROGATE)?.length ?? 0);
  return ` at line ${line}, column ${column}`;
}

/** What is wrong at a place of a text, in the words of Go's decoder, with line and column. */
export function syntaxErrorAt(text: string, at: number, expected: string): JsonSyntaxError {
  const found = text.codePointAt(at);
  if (found === undefined) {
    return new JsonSyntaxError(`unexpected end of JSON input${placeOf(text, at)}`);
  }
  const quoted = found === 0x27 ? String.raw`'\''` : `'${printable(String.fromCodePoint(found))}'`;
  return new JsonSyntaxError(`invalid character ${quoted} ${expected}${placeOf(text, at)}`);
}

/** Control characters as Go quotes them: `\n`, `\x00`. */
function printable(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x20 && code !== 0x7f && character !== '\\') return character;
  const short = JSON.stringify(character).slice(1, -1);
  return short.startsWith('\\u') || code === 0x7f
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : short;
}
