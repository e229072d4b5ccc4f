import type { IssueList } from '../issue.ts';
import { CelBytes, type CelValue } from '../value/value.ts';
import type { Expr, MapEntry, StructField } from './ast.ts';
import type { ExprBuilder } from './builder.ts';
import { tokenize } from './lexer.ts';
import { macroKey, MacroError, type Macro } from './macro.ts';
import { doubleLiteral, intLiteral, uintLiteral } from './number-literal.ts';
import { LiteralError, unquoteBytes, unquoteString } from './string-literal.ts';
import { ITEM_START, SyntaxMismatch, TokenReader } from './token-reader.ts';
import { EXPRESSION_START, RESERVED_WORDS, type Token, type TokenType } from './token.ts';

export interface ParserOptions {
  macros: ReadonlyMap<string, Macro>;
  /** `a.?b`, `a[?b]`, `[?a]` and `{?k: v}`. */
  optionalSyntax: boolean;
}

const LIST_START: readonly TokenType[] = [']', ',', ...ITEM_START];
const MAP_START: readonly TokenType[] = ['}', ',', ...ITEM_START];
const ARGUMENTS_START: readonly TokenType[] = [')', ...EXPRESSION_START];
const NAME: readonly TokenType[] = ['IDENTIFIER', 'ESC_IDENTIFIER'];
const FIELD_START: readonly TokenType[] = ['?', ...NAME];
const STRUCT_START: readonly TokenType[] = ['}', ',', ...FIELD_START];

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

  /**
   * Reads an expression that one of `closers` follows; `inOperand` when it is a
   * part of an operand that a field or index may follow.
   */
  protected abstract expression(closers: readonly TokenType[], inOperand: boolean): Expr;

  /** Goes on after a mismatch in a part of the grammar; any other error goes on its way. */
  protected recovered(
    error: unknown,
    part: string,
    depth: number,
    extra?: readonly TokenType[],
  ): Expr {
    if (!(error instanceof SyntaxMismatch)) throw error;
    this.tokens.places.length = depth;
    this.tokens.recover(part, extra);
    return this.builder.error(this.tokens.peek().start);
  }

  protected primary(): Expr {
    const depth = this.tokens.places.length;
    try {
      return this.#operand();
    } catch (error) {
      return this.recovered(error, 'primary', depth, ['.', '[']);
    }
  }

  #operand(): Expr {
    const token = this.tokens.peek();
    switch (token.type) {
      case '(': {
        this.tokens.next();
        const inner = this.expression([')'], true);
        this.tokens.match(')');
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
    if (first.type === '.' && this.tokens.peek(1).type !== 'IDENTIFIER') {
      this.tokens.noAlternative(1);
    }
    const leadingDot = this.tokens.take('.') === undefined ? '' : '.';
    const token = this.tokens.next();
    const structName = this.#structName(token);
    if (structName !== undefined) return this.#struct(leadingDot + structName);
    const name = this.tokens.text(token);
    const open = this.tokens.take('(');
    const args = open === undefined ? [] : this.arguments(true);
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

  protected arguments(inOperand: boolean): Expr[] {
    const args: Expr[] = [];
    this.tokens.sync(ARGUMENTS_START);
    if (EXPRESSION_START.includes(this.tokens.peek().type)) {
      do args.push(this.expression([',', ')'], inOperand));
      while (this.tokens.take(','));
    }
    this.tokens.match(')');
    return args;
  }

  #list(open: Token): Expr {
    const elements: Expr[] = [];
    const optional = new Set<number>();
    this.#items(LIST_START, ITEM_START, ']', () => {
      if (this.optionalMark(this.tokens.peek(), '?')) optional.add(elements.length);
      elements.push(this.expression([',', ']'], true));
    });
    return this.builder.list(open.start, elements, optional);
  }

  #map(open: Token): Expr {
    const entries: MapEntry[] = [];
    this.#items(MAP_START, ITEM_START, '}', () => {
      const optional = this.optionalMark(this.tokens.peek(), '?');
      const key = this.expression([':', ',', '}'], true);
      const id = this.builder.id(this.tokens.match(':', EXPRESSION_START).start);
      entries.push({ id, key, value: this.expression([',', '}'], true), optional });
    });
    return this.builder.map(open.start, entries);
  }

  #struct(typeName: string): Expr {
    const open = this.tokens.next();
    const fields: StructField[] = [];
    this.#items(STRUCT_START, FIELD_START, '}', () => {
      const optional = this.optionalMark(this.tokens.peek(), '?');
      const name = this.fieldName([':', ',', '}', '.', '[']).text;
      const id = this.builder.id(this.tokens.match(':', EXPRESSION_START).start);
      fields.push({ id, name, value: this.expression([',', '}'], true), optional });
    });
    return this.builder.struct(open.start, typeName, fields);
  }

  /** Items between brackets, with commas between them and perhaps one at the end. */
  #items(
    start: readonly TokenType[],
    itemStart: readonly TokenType[],
    close: ']' | '}',
    read: () => void,
  ): void {
    const { tokens } = this;
    const depth = tokens.places.length;
    tokens.sync(start);
    if (itemStart.includes(tokens.peek().type)) {
      try {
        do read();
        while (itemStart.includes(tokens.peek(1).type) && tokens.take(','));
      } catch (error) {
        this.recovered(error, 'items', depth, [',', close, '.', '[']);
      }
    }
    tokens.sync([',', close]);
    tokens.take(',');
    tokens.match(close);
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
        return this.tokens.noAlternative(0);
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

  /** The name of a field; after a mismatch, reading goes on at one of `followers`. */
  protected fieldName(followers: readonly TokenType[]): { text: string; start: number } {
    try {
      this.tokens.sync(NAME);
      const token = this.tokens.take('IDENTIFIER') ?? this.tokens.match('ESC_IDENTIFIER', []);
      const text = this.tokens.text(token);
      const isEscaped = token.type === 'ESC_IDENTIFIER';
      return { text: isEscaped ? text.slice(1, -1) : text, start: token.start };
    } catch (error) {
      this.recovered(error, 'name', this.tokens.places.length, followers);
      return { text: '', start: this.tokens.peek().start };
    }
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
