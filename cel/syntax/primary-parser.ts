import type { IssueList } from '../issue.ts';
import { CelBytes, type CelValue } from '../value/value.ts';
import type { Expr, MapEntry, StructField } from './ast.ts';
import type { ExprBuilder } from './builder.ts';
import { tokenize } from './lexer.ts';
import { macroKey, MacroError, type Macro } from './macro.ts';
import { doubleLiteral, intLiteral, uintLiteral } from './number-literal.ts';
import { LiteralError, unquoteBytes, unquoteString } from './string-literal.ts';
import { TokenReader } from './token-reader.ts';
import { EXPRESSION_START, RESERVED_WORDS, type Token, type TokenType } from './token.ts';

export interface ParserOptions {
  macros: ReadonlyMap<string, Macro>;
  /** `a.?b`, `a[?b]`, `[?a]` and `{?k: v}`. */
  optionalSyntax: boolean;
}

const MAP_START: readonly TokenType[] = [
  '[',
  '{',
  '}',
  '(',
  '.',
  ',',
  '-',
  '!',
  '?',
  ...EXPRESSION_START.slice(6),
];

/** The innermost level of the grammar: literals, names, calls, lists, maps and structs. */
export abstract class PrimaryParser {
  protected readonly tokens: TokenReader;
  protected readonly builder: ExprBuilder;
  readonly #issues: IssueList;
  readonly #options: ParserOptions;

  constructor(issues: IssueList, builder: ExprBuilder, options: ParserOptions) {
    this.#issues = issues;
    this.builder = builder;
    this.#options = options;
    this.tokens = new TokenReader(tokenize(issues), issues);
  }

  protected abstract expression(): Expr;

  protected primary(): Expr {
    const token = this.tokens.peek();
    switch (token.type) {
      case '(': {
        this.tokens.next();
        const inner = this.expression();
        this.tokens.expect(')');
        return inner;
      }
      case '[':
        return this.#list(this.tokens.next());
      case '{':
        return this.#map(this.tokens.next());
      case '.':
      case 'IDENTIFIER':
        return this.#named(token);
      case '-':
        this.tokens.next();
        return this.#number(token, this.tokens.next());
      default:
        return this.#literal(token);
    }
  }

  /** An identifier, a call of a global function, or the construction of a struct. */
  #named(first: Token): Expr {
    const leadingDot = this.tokens.take('.') === undefined ? '' : '.';
    const token = this.tokens.expect('IDENTIFIER');
    const structName = this.#structName(token);
    if (structName !== undefined) return this.#struct(leadingDot + structName);
    const name = this.tokens.text(token);
    const open = this.tokens.take('(');
    const args = open === undefined ? [] : this.arguments();
    if (RESERVED_WORDS.has(name)) {
      return this.#error(first.start, `reserved identifier: ${name}`);
    }
    if (open === undefined) return this.builder.ident(token.start, leadingDot + name);
    return this.call(open.start, leadingDot + name, undefined, args);
  }

  /** The name before a `{`, with all its dots, when that is what follows. */
  #structName(first: Token): string | undefined {
    let ahead = 0;
    let name = this.tokens.text(first);
    while (
      this.tokens.peek(ahead).type === '.' &&
      this.tokens.peek(ahead + 1).type === 'IDENTIFIER'
    ) {
      name += `.${this.tokens.text(this.tokens.peek(ahead + 1))}`;
      ahead += 2;
    }
    if (this.tokens.peek(ahead).type !== '{') return undefined;
    for (; ahead > 0; ahead--) this.tokens.next();
    return name;
  }

  protected arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.tokens.take(')')) return args;
    do args.push(this.expression());
    while (this.tokens.take(','));
    this.tokens.expect(')', ',');
    return args;
  }

  #list(open: Token): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    while (this.tokens.peek().type !== ']') {
      if (elements.length === 0 && this.tokens.take(',')) break;
      if (this.optionalMark(this.tokens.peek(), '?')) optional.add(elements.length);
      elements.push(this.expression());
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect(']', ',');
    return this.builder.list(open.start, elements, optional);
  }

  #map(open: Token): Expr {
    const entries: MapEntry[] = [];
    while (this.tokens.peek().type !== '}') {
      if (entries.length === 0 && this.tokens.take(',')) break;
      if (entries.length === 0 && !this.#startsExpression()) {
        this.tokens.fail(MAP_START);
      }
      const optional = this.optionalMark(this.tokens.peek(), '?');
      const key = this.expression();
      const colon = this.tokens.expect(':');
      const id = this.builder.id(colon.start);
      entries.push({ id, key, value: this.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect('}', ',');
    return this.builder.map(open.start, entries);
  }

  #startsExpression(): boolean {
    const { type } = this.tokens.peek();
    return type === '?' || EXPRESSION_START.includes(type);
  }

  #struct(typeName: string): Expr {
    const open = this.tokens.expect('{');
    const fields: StructField[] = [];
    while (this.tokens.peek().type !== '}') {
      if (fields.length === 0 && this.tokens.take(',')) break;
      const optional = this.optionalMark(this.tokens.peek(), '?');
      const name = this.tokens.peek();
      if (name.type !== 'IDENTIFIER' && name.type !== 'ESC_IDENTIFIER') {
        this.tokens.fail(['IDENTIFIER', 'ESC_IDENTIFIER']);
      }
      this.tokens.next();
      const colon = this.tokens.expect(':');
      const id = this.builder.id(colon.start);
      fields.push({ id, name: this.fieldName(name), value: this.expression(), optional });
      if (!this.tokens.take(',')) break;
    }
    this.tokens.expect('}', ',');
    return this.builder.struct(open.start, typeName, fields);
  }

  #literal(token: Token): Expr {
    const text = this.tokens.text(token);
    switch (token.type) {
      case 'NUM_INT':
      case 'NUM_FLOAT':
        return this.#number(undefined, this.tokens.next());
      case 'NUM_UINT':
        return this.#value(this.tokens.next(), () => uintLiteral(text));
      case 'STRING':
        return this.#value(this.tokens.next(), () => unquoteString(text));
      case 'BYTES':
        return this.#value(this.tokens.next(), () => new CelBytes(unquoteBytes(text.slice(1))));
      case 'true':
      case 'false':
        return this.#value(this.tokens.next(), () => text === 'true');
      case 'null':
        return this.#value(this.tokens.next(), () => null);
      default:
        return this.tokens.fail(EXPRESSION_START);
    }
  }

  #number(sign: Token | undefined, token: Token): Expr {
    const text = this.tokens.text(token);
    return this.#value(sign ?? token, () =>
      token.type === 'NUM_INT'
        ? intLiteral(text, sign !== undefined)
        : doubleLiteral(sign === undefined ? text : `-${text}`),
    );
  }

  #value(token: Token, read: () => CelValue): Expr {
    try {
      return this.builder.constant(token.start, read());
    } catch (error) {
      if (error instanceof LiteralError) return this.#error(token.start, error.message);
      throw error;
    }
  }

  #error(offset: number, message: string): Expr {
    this.#issues.report(offset, message);
    return this.builder.error(offset);
  }

  protected fieldName(token: Token): string {
    const text = this.tokens.text(token);
    return token.type === 'ESC_IDENTIFIER' ? text.slice(1, -1) : text;
  }

  /** Takes the `?` of the optional syntax, if it is there. */
  protected optionalMark(after: Token, syntax: string): boolean {
    if (this.tokens.take('?') === undefined) return false;
    if (!this.#options.optionalSyntax) {
      this.#issues.report(after.start, `unsupported syntax '${syntax}'`);
    }
    return true;
  }

  /** A call, or what it becomes when it is the call of a macro. */
  protected call(
    offset: number,
    name: string,
    target: Expr | undefined,
    args: readonly Expr[],
  ): Expr {
    const macro = this.#options.macros.get(macroKey(name, args.length, target !== undefined));
    const builder = this.builder;
    if (macro !== undefined) {
      try {
        const expanded = builder.expanding(() => macro.expand({ builder, offset, target, args }));
        if (expanded !== undefined) return expanded;
      } catch (error) {
        if (!(error instanceof MacroError)) throw error;
        return this.#error(builder.offsetOf(error.expr.id), error.message);
      }
    }
    return builder.callWithId(builder.id(offset), name, target, args);
  }
}
