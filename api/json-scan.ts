/*
 * Where values end in JSON bytes, without reading them.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Position behind the object or array that begins at `start`. */
export function endOfTree(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth++;
    else if ((byte === CLOSING_BRACE || byte === CLOSING_BRACKET) && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Bytes of a string that are looked at one by one; to look for its end in a longer one pays. */
const SHORT_STRING = 64;

/** Position of the quote that closes the string opened at `start`. */
export function endOfString(bytes: Buffer, start: number): number {
  const soon = Math.min(bytes.length, start + SHORT_STRING);
  let at = start + 1;
  for (; at < soon; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  for (;;) {
    const end = bytes.indexOf(QUOTE, at);
    if (end < 0) return bytes.length;
    let slashes = 0;
    while (end - slashes > at && bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}

/** True when these bytes stand at a position. */
export function standsAt(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) if (bytes[at + i] !== what[i]) return false;
  return true;
}
