const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** A string as a literal of the language: quotes, backslashes and control characters escaped. */
export function quoteString(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that have escapes
  const escaped = text.replace(/[\x07-\r\\"]/g, (c) => ESCAPES.get(c) ?? c);
  return `"${escaped.toWellFormed()}"`;
}

const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Like {@link quoteString}, with everything that does not print escaped by its code. */
export function quotePrintable(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/[\\"]/g, (c) => `\\${c}`)
    .replace(UNPRINTABLE, (c) => ESCAPES.get(c) ?? codeEscape(c.codePointAt(0) ?? 0));
  return `"${escaped}"`;
}

function codeEscape(point: number): string {
  const hex = point.toString(16);
  if (point < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
