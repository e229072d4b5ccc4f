import { IpAddress } from '../../api/ip.ts';

/**
 * One mail address, with or without a name: `a@b`, `Name <a@b>`, `"quoted"@b`.
 * Source: RFC 5322 as Go's net/mail.ParseAddress reads it, which is what the
 * reference calls: text beyond ASCII is allowed everywhere, a group may hold
 * one address.
 */
export function isEmail(text: string): boolean {
  const parser = new AddressParser(text);
  return parser.address(true) && parser.skipComments() && parser.isAtEnd();
}

const isPrintable = (c: number): boolean => (c >= 0x21 && c <= 0x7e) || c >= 0x80;
const SPECIALS = '()<>[]:;@\\,"';
const isAtomText = (c: number): boolean =>
  isPrintable(c) && !SPECIALS.includes(String.fromCharCode(c));
const isBlank = (c: number): boolean => c === 0x20 || c === 0x09;

/** Walks the text once; each method takes what it is named for and says whether it was there. */
class AddressParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  address(allowGroup: boolean): boolean {
    this.#skipBlanks();
    if (this.#addressSpec()) {
      this.#skipBlanks();
      return this.#peek() !== '(' || this.#comment();
    }
    if (this.#peek() !== '<' && !this.#phrase()) return false;
    this.#skipBlanks();
    if (allowGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#addressSpec() && this.#take('>');
  }

  /** Blanks and comments; false for a comment that is not closed. */
  skipComments(): boolean {
    for (;;) {
      this.#skipBlanks();
      if (this.#peek() !== '(') return true;
      if (!this.#comment()) return false;
    }
  }

  /** After `name:`; a group stands for one address only when it has exactly one. */
  #group(): boolean {
    return this.address(false) && this.skipComments() && this.#take(';');
  }

  /** Takes nothing when it fails, so that a phrase may be tried instead. */
  #addressSpec(): boolean {
    const start = this.#at;
    this.#skipBlanks();
    const isWhole =
      (this.#peek() === '"' ? this.#quoted() > 0 : this.#dotAtom()) &&
      this.#take('@') &&
      this.#domain();
    if (!isWhole) this.#at = start;
    return isWhole;
  }

  #domain(): boolean {
    this.#skipBlanks();
    if (this.#peek() !== '[') return this.#dotAtom();
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) return false;
    const literal = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return IpAddress.parse(literal) !== undefined;
  }

  /** Words, quoted or not; in unquoted ones dots may stand anywhere. */
  #phrase(): boolean {
    let words = 0;
    for (;;) {
      if (words > 0 && !this.skipComments()) return false;
      this.#skipBlanks();
      const isWord = this.#peek() === '"' ? this.#quoted() >= 0 : this.#atom() !== '';
      if (!isWord) return words > 0;
      words++;
    }
  }

  #dotAtom(): boolean {
    const atom = this.#atom();
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  #atom(): string {
    const start = this.#at;
    while (!this.isAtEnd() && isAtomText(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  /** Number of characters inside the quotes; -1 when they are not closed or hold what they may not. */
  #quoted(): number {
    let count = 0;
    for (let i = this.#at + 1; i < this.#text.length; i++) {
      let c = this.#text.charCodeAt(i);
      if (c === 0x22) {
        this.#at = i + 1;
        return count;
      }
      if (c === 0x5c) c = this.#text.charCodeAt(++i);
      if (!isPrintable(c) && !isBlank(c)) return -1;
      count++;
    }
    return -1;
  }

  #comment(): boolean {
    let depth = 0;
    while (!this.isAtEnd()) {
      const c = this.#text[this.#at++];
      if (c === '\\') this.#at++;
      else if (c === '(') depth++;
      else if (c === ')' && --depth === 0) return true;
    }
    return false;
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(c: string): boolean {
    if (this.#peek() !== c) return false;
    this.#at++;
    return true;
  }
}
