import type { IssueList } from '../issue.ts';
import { describeToken, type Token, type TokenType } from './token.ts';

/** Reading stops at the first syntax error: what follows it would mostly be noise. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure';
}

/** A cursor over the tokens of one expression. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #issues: IssueList;
  #at = 0;

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
    return token;
  }

  /** Takes the next token if it is of that type. */
  take(type: TokenType): Token | undefined {
    return this.peek().type === type ? this.next() : undefined;
  }

  /** Takes the next token or reports what else could have stood there. */
  expect(type: TokenType, ...alternatives: TokenType[]): Token {
    return this.take(type) ?? this.fail([...alternatives, type]);
  }

  text(token: Token): string {
    return this.#issues.source.text.slice(token.start, token.end);
  }

  /** Reports the next token as wrong. A token whose successor would fit is called extraneous. */
  fail(expected: readonly TokenType[]): never {
    const kind = expected.includes(this.peek(1).type) ? 'extraneous' : 'mismatched';
    const names = expected.map(describeToken);
    const list = names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
    this.failWith(this.peek(), `${kind} input '${this.#shown(this.peek())}' expecting ${list}`);
  }

  failWith(token: Token, message: string): never {
    this.#issues.report(token.start, `Syntax error: ${message}`);
    throw new SyntaxFailure();
  }

  #shown(token: Token): string {
    return token.type === '<EOF>' ? '<EOF>' : this.text(token);
  }
}
