/** Stands before the digits of an integer while the text is read or written; no object can know it. */
const MARK = `integer-${Math.random()}-`;
/** What may be an integer that a number cannot hold, looked for before anything is done about it. */
const MANY_DIGITS = /(?:^|[\s:,[])-?\d{16}/;
/** Strings and numbers, one after the other; an integer of many digits that ends there is the group. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|(-?[1-9]\d{15,19})(?![\d.eE]|\s*:)|-?\d[\d.eE+-]*/g;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/**
 * JSON whose integers keep all digits: an integer of up to 20 digits that a number
 * cannot hold is a bigint.
 *
 * @throws SyntaxError for what is not JSON
 */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const marked = text.replace(TOKENS, (token, digits: string | undefined) =>
    digits === undefined || Number.isSafeInteger(Number(digits)) ? token : `"${MARK}${digits}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** A value as JSON with all digits of a bigint, as `JSON.stringify` writes the rest. */
export function exactText(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${MARK}${each}` : each,
  );
  return text.replace(MARKED, '$1');
}
