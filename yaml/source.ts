/** The text is not YAML, or more than a document may be. The message is public and names the line. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

export const CHAR = {
  TAB: 0x09,
  LF: 0x0a,
  CR: 0x0d,
  SPACE: 0x20,
  QUOTE: 0x22,
  HASH: 0x23,
  PERCENT: 0x25,
  AMPERSAND: 0x26,
  APOSTROPHE: 0x27,
  STAR: 0x2a,
  COMMA: 0x2c,
  DASH: 0x2d,
  DOT: 0x2e,
  COLON: 0x3a,
  QUESTION: 0x3f,
  EXCLAMATION: 0x21,
  OPEN_BRACKET: 0x5b,
  BACKSLASH: 0x5c,
  CLOSE_BRACKET: 0x5d,
  OPEN_BRACE: 0x7b,
  PIPE: 0x7c,
  CLOSE_BRACE: 0x7d,
  GREATER: 0x3e,
  AT: 0x40,
  BACKTICK: 0x60,
  NEXT_LINE: 0x85,
  LINE_SEPARATOR: 0x2028,
  PARAGRAPH_SEPARATOR: 0x2029,
} as const;

/** A space or a tab. */
export function isBlank(code: number): boolean {
  return code === CHAR.SPACE || code === CHAR.TAB;
}

/** YAML 1.1 has five kinds of line breaks. */
export function isBreak(code: number): boolean {
  return (
    code === CHAR.LF ||
    code === CHAR.CR ||
    code === CHAR.NEXT_LINE ||
    code === CHAR.LINE_SEPARATOR ||
    code === CHAR.PARAGRAPH_SEPARATOR
  );
}

// Control characters that YAML does not allow anywhere.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** A place in a text, with the line and column it is in. */
export class Source {
  readonly text: string;
  at = 0;
  /** Counted from 1. */
  line = 1;
  /** Where the present line begins. */
  lineStart = 0;

  constructor(text: string) {
    this.text = text;
    const forbidden = FORBIDDEN.exec(text);
    if (forbidden !== null) throw new YamlSyntaxError('control characters are not allowed');
    if (text.startsWith('\ufeff')) this.lineStart = this.at = 1;
  }

  /** Counted from 0. */
  get column(): number {
    return this.at - this.lineStart;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Code of a character from here; NaN behind the end. */
  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Is the character a blank, a break, or the end of the text? */
  isSeparator(offset = 0): boolean {
    const code = this.code(offset);
    return Number.isNaN(code) || isBlank(code) || isBreak(code);
  }

  /** `---` or `...` at the start of a line, or the end of the text. */
  get atDocumentEnd(): boolean {
    if (this.atEnd) return true;
    if (this.at !== this.lineStart) return false;
    const code = this.code();
    if (code !== CHAR.DASH && code !== CHAR.DOT) return false;
    return this.code(1) === code && this.code(2) === code && this.isSeparator(3);
  }

  /** Consumes a line break and returns it as it counts: CR, LF and NEL are line feeds. */
  takeBreak(): string {
    const code = this.code();
    this.at += code === CHAR.CR && this.code(1) === CHAR.LF ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
    return code === CHAR.LINE_SEPARATOR || code === CHAR.PARAGRAPH_SEPARATOR
      ? String.fromCharCode(code)
      : '\n';
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  skipSpaces(): void {
    while (this.code() === CHAR.SPACE) this.at++;
  }

  /**
   * Skips to the next token, over blanks, comments and breaks. Tabs are not
   * indentation: outside of brackets they are skipped only where no block can
   * begin, which is on the line of what came before (`tabs`).
   */
  skip(tabs: boolean, isFlow = false): void {
    for (;;) {
      if (tabs || isFlow) this.skipBlanks();
      else this.skipSpaces();
      if (this.code() === CHAR.HASH) this.#skipLine();
      if (!isBreak(this.code())) return;
      this.takeBreak();
      tabs = false;
    }
  }

  /** @throws YamlSyntaxError */
  fail(message: string, line = this.line): never {
    throw new YamlSyntaxError(`line ${line}: ${message}`);
  }

  #skipLine(): void {
    while (!this.atEnd && !isBreak(this.code())) this.at++;
  }
}
