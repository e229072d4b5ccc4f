/** The path is written in a way that this server does not read. The message says where. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Position of the quote that ends the one at `start`; -1 when there is none. */
export function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at;
  }
  return -1;
}

/** The text between quotes, its escapes resolved; undefined when it is not quoted as a whole. */
export function unquoted(text: string): string | undefined {
  const quote = text[0];
  if ((quote !== "'" && quote !== '"') || endOfQuoted(text, 0) !== text.length - 1)
    return undefined;
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}
