import type { IssueList } from '../issue.ts';
import {
  EXPRESSION_START,
  OPERATORS,
  describeExpected,
  type Token,
  type TokenType,
} from './token.ts';

/** A part of the grammar cannot be parsed; the parser continues after it. */
export class SyntaxMismatch extends Error {
  override readonly name = 'SyntaxMismatch';
}

/** There are too many mistakes to go on reading. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure';
}

/** Times that reading may go on after a mistake, and tokens that each may skip. */
const MAX_RECOVERIES = 30;
const MAX_SKIPPED_TOKENS = 256;

/** Where an expression that is being read stands. */
export interface Place {
  /** What follows it there. */
  closers: readonly TokenType[];
  /** It is a part of an operand, as in `(x)`, which a field or index may follow. */
  inOperand: boolean;
  /** The `?` that may come, or the `:` that must. */
  part: '?' | ':';
}

const ACCESS: readonly TokenType[] = ['.', '['];

/**
 * A cursor over the tokens of one expression that goes on after mistakes, so
 * that an author sees more than the first. A wrong token before the right one is
 * skipped, a missing one is made up; otherwise tokens are skipped until one that
 * can follow what is being read. No mistake is reported until a token has fitted
 * again. These are the habits of ANTLR, whose texts authors of expressions know.
 */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #issues: IssueList;
  /** The expressions being read, outermost first. */
  readonly places: Place[] = [];
  #at = 0;
  #isRecovering = false;
  #recoveries = 0;
  /** Where reading went on last, and in which parts of the grammar it has since failed. */
  #failedAt = -1;
  readonly #failedIn = new Set<string>();

  constructor(tokens: readonly Token[], issues: IssueList) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  /** The token `ahead` of the next one; past the end it stays at the end of input. */
  peek(ahead = 0): Token {
    const index = Math.min(this.#at + ahead, this.#tokens.length - 1);
    return this.#tokens[index] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    if (this.#isRecovering) this.#endError();
    return token;
  }

  /** Takes the next token if it is of that type. */
  take(type: TokenType): Token | undefined {
    return this.peek().type === type ? this.next() : undefined;
  }

  /**
   * Takes a token that must come. One that is missing is made up where the next
   * token is one of `followers`, which by default is what can follow an operand.
   */
  match(type: TokenType, followers?: readonly TokenType[]): Token {
    const token = this.take(type);
    if (token !== undefined) return token;
    this.#countRecovery();
    if (this.peek(1).type === type) {
      this.#report(`extraneous input '${this.#shown()}' expecting ${describeExpected([type])}`);
      this.#at++;
      return this.next();
    }
    if ((followers ?? this.#afterOperand()).includes(this.peek().type)) {
      this.#report(`missing ${describeExpected([type])} at '${this.#shown()}'`);
      return { type, start: this.peek().start, end: this.peek().start };
    }
    return this.#mismatch([type]);
  }

  /** Checks that something can begin here; a wrong token before it is skipped. */
  sync(expected: readonly TokenType[]): void {
    if (this.#isRecovering || expected.includes(this.peek().type)) return;
    if (!expected.includes(this.peek(1).type)) this.#mismatch(expected);
    this.#report(`extraneous input '${this.#shown()}' expecting ${describeExpected(expected)}`);
    this.#at++;
    this.#endError();
  }

  /** The same between repeated tokens, where as many as needed are skipped. */
  syncRepetition(expected: readonly TokenType[]): void {
    if (this.#isRecovering || expected.includes(this.peek().type)) return;
    this.#report(`extraneous input '${this.#shown()}' expecting ${describeExpected(expected)}`);
    this.#skipUntil(new Set([...expected, ...this.#followers()]));
  }

  /** The next tokens, up to the one `ahead`, do not begin anything. */
  noAlternative(ahead: number): never {
    const last = this.peek(ahead);
    let text = this.text(this.peek());
    for (let i = 1; i <= ahead; i++) {
      const between = this.#issues.source.text.slice(this.peek(i - 1).end, this.peek(i).start);
      text += (between.trim() === '' ? between : '') + this.text(this.peek(i));
    }
    this.#report(
      /^\.(true|false|null)$/.test(text)
        ? `mismatched input '${text.slice(1)}' expecting IDENTIFIER`
        : `no viable alternative at input '${text}'`,
      last,
    );
    throw new SyntaxMismatch();
  }

  /**
   * Goes on after a mismatch in a part of the grammar. `extra` are tokens that can
   * follow that part besides what can follow the expression it belongs to.
   */
  recover(part: string, extra: readonly TokenType[] = []): void {
    this.#countRecovery();
    if (this.#failedAt === this.#at && this.#failedIn.has(part)) this.#at++;
    this.#failedAt = this.#at;
    this.#failedIn.add(part);
    this.#skipUntil(new Set([...extra, ...this.#followers(part === 'expression')]));
  }

  text(token: Token): string {
    return this.#issues.source.text.slice(token.start, token.end);
  }

  #endError(): void {
    this.#isRecovering = false;
    this.#failedAt = -1;
    this.#failedIn.clear();
  }

  #mismatch(expected: readonly TokenType[]): never {
    this.#report(`mismatched input '${this.#shown()}' expecting ${describeExpected(expected)}`);
    throw new SyntaxMismatch();
  }

  #report(message: string, token = this.peek()): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#issues.report(token.start, `Syntax error: ${message}`);
  }

  #countRecovery(): void {
    if (this.#recoveries++ < MAX_RECOVERIES) return;
    this.#stop(`error recovery attempt limit exceeded: ${MAX_RECOVERIES}`);
  }

  #stop(message: string): never {
    this.#issues.report(this.peek().start, `Syntax error: ${message}`);
    throw new SyntaxFailure();
  }

  #skipUntil(stops: ReadonlySet<TokenType>): void {
    for (let skipped = 0; !stops.has(this.peek().type); skipped++) {
      if (this.peek().type === '<EOF>') return;
      if (skipped === MAX_SKIPPED_TOKENS) {
        this.#stop(`error recovery token lookahead limit exceeded: ${MAX_SKIPPED_TOKENS}`);
      }
      this.#at++;
    }
  }

  /** What can follow what is being read, at any level; `atEnd` when an expression itself has failed. */
  #followers(atEnd = false): TokenType[] {
    return this.places.flatMap(({ closers, inOperand, part }, i) => [
      ...closers,
      ...(inOperand ? ACCESS : []),
      ...(atEnd && i === this.places.length - 1 ? [] : [part, ...OPERATORS]),
    ]);
  }

  /** What can come right after an operand, such as one that ends in `)`. */
  #afterOperand(): TokenType[] {
    const place = this.places.at(-1);
    const tokens = [...ACCESS, ...OPERATORS];
    if (place !== undefined) tokens.push(place.part, ...(place.part === '?' ? place.closers : []));
    return tokens;
  }

  #shown(): string {
    const token = this.peek();
    return token.type === '<EOF>' ? '<EOF>' : this.text(token);
  }
}

/** What can begin an item that may be optional. */
export const ITEM_START: readonly TokenType[] = ['?', ...EXPRESSION_START];
