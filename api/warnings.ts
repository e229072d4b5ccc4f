/** More than this in total, in characters, and every warning is cut to {@link SHORT_WARNING}. */
const MAX_WARNING_TOTAL = 4096;
const SHORT_WARNING = 256;

/** What a request's answer says beside its result, once each and in order (behaviours 6.3). */
export class Warnings {
  /** Made with the first one: nearly no answer has any. */
  #texts: Set<string> | undefined;

  add(text: string): void {
    if (text !== '') (this.#texts ??= new Set()).add(text);
  }

  /** Values of the `Warning` header, one per warning: `299 - "text"`. */
  headers(): string[] {
    const texts = [...(this.#texts ?? [])];
    const total = texts.reduce((sum, text) => sum + Array.from(text).length, 0);
    return texts.map((text) => {
      const shown =
        total > MAX_WARNING_TOTAL ? Array.from(text).slice(0, SHORT_WARNING).join('') : text;
      return `299 - "${quoted(shown)}"`;
    });
  }
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
