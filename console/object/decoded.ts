/** A value that an object keeps in base64. */
interface Decoded {
  readonly bytes: number;
  /** Undefined: the bytes are not text. */
  readonly text: string | undefined;
}

/** What texts do not hold, apart from tabs and ends of lines. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** Decodes base64; undefined where it is none. */
export function decoded(base64: string): Decoded | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { bytes: bytes.length, text: textOf(bytes) };
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return CONTROL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
