/**
 * More than this in total, in characters, and every warning is cut to
 * {@link SHORT_WARNING}; those that come when so much has been said are left out.
 */
const MAX_WARNING_TOTAL = 4096;
const SHORT_WARNING = 256;
/** Further ones are left out: each is a header, and clients refuse answers with too many of them. */
const MAX_WARNINGS = 250;

/** Warnings in the answer of a request, each once and in order (behaviours 6.3). */
export class Warnings {
  /** Made with the first one: nearly no answer has any. */
  #texts: Set<string> | undefined;

  add(text: string): void {
    if (text !== '') (this.#texts ??= new Set()).add(text);
  }

  /** Values of the `Warning` header, one per warning: `299 - "text"`. */
  headers(): string[] {
    if (this.#texts === undefined) return [];
    const first = [...this.#texts].slice(0, MAX_WARNINGS);
    const texts = first.map((text) => Array.from(text));
    let total = 0;
    const full = texts.findIndex((text) => (total += text.length) > MAX_WARNING_TOTAL);
    if (full < 0) return texts.map(header);
    // those that were there when it became too much are all said, however short they have to be
    total = 0;
    const said: string[][] = [];
    for (const [i, text] of texts.entries()) {
      if (i > full && total >= MAX_WARNING_TOTAL) break;
      const short = text.slice(0, SHORT_WARNING);
      total += short.length;
      said.push(short);
    }
    return said.map(header);
  }
}

function header(text: readonly string[]): string {
  return `299 - "${quoted(text.join(''))}"`;
}

/** A header value may hold neither control characters nor what is not Latin-1. */
function quoted(text: string): string {
  return text
    .replace(/[\\"]/g, (c) => `\\${c}`)
    .replace(/[^\x20-\x7e]+/g, (run) =>
      [...Buffer.from(run, 'utf8')]
        .map((byte) => String.fromCharCode(byte < 0x20 || byte === 0x7f ? 0x20 : byte))
        .join(''),
    );
}
