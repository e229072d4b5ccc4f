import { OP, type Expr } from './ast.ts';
import { ExpressionLimitError, MAX_EXPRESSION_DEPTH } from './builder.ts';
import { PrimaryParser } from './primary-parser.ts';
import { ITEM_START, SyntaxMismatch, type Place } from './token-reader.ts';
import { EXPRESSION_START, type TokenType } from './token.ts';

const RELATIONS: ReadonlyMap<TokenType, string> = new Map([
  ['==', OP.equals],
  ['!=', OP.notEquals],
  ['<', OP.less],
  ['<=', OP.lessEquals],
  ['>', OP.greater],
  ['>=', OP.greaterEquals],
  ['in', OP.in],
]);
const SUMS: ReadonlyMap<TokenType, string> = new Map([
  ['+', OP.add],
  ['-', OP.subtract],
]);
const PRODUCTS: ReadonlyMap<TokenType, string> = new Map([
  ['*', OP.multiply],
  ['/', OP.divide],
  ['%', OP.modulo],
]);

/** Recursive descent, one method per level of precedence, loosest first. */
export class ExpressionParser extends PrimaryParser {
  #nesting = 0;

  parse(): Expr {
    const root = this.expression(['<EOF>'], false);
    try {
      this.tokens.match('<EOF>', []);
    } catch (error) {
      if (!(error instanceof SyntaxMismatch)) throw error;
    }
    return root;
  }

  protected override expression(closers: readonly TokenType[], inOperand: boolean): Expr {
    if (++this.#nesting > MAX_EXPRESSION_DEPTH) {
      throw new ExpressionLimitError(
        `expression recursion limit exceeded: ${MAX_EXPRESSION_DEPTH}`,
      );
    }
    const place: Place = { closers, inOperand, part: '?' };
    const depth = this.tokens.places.push(place);
    const result = this.#recovering('expression', depth, () => {
      const condition = this.#alternatives();
      const question = this.tokens.take('?');
      if (question === undefined) return condition;
      place.part = ':';
      const yes = this.#alternatives();
      this.tokens.match(':', EXPRESSION_START);
      place.part = '?';
      const no = this.expression(closers, false);
      return this.builder.call(question.start, OP.conditional, condition, yes, no);
    });
    this.tokens.places.length = depth - 1;
    this.#nesting--;
    return result;
  }

  /** Reads a part of the grammar; after a mismatch in it, the expression goes on behind it. */
  #recovering(part: string, depth: number, read: () => Expr): Expr {
    try {
      return read();
    } catch (error) {
      return this.recovered(error, part, depth);
    }
  }

  #alternatives(): Expr {
    return this.#logic('||', OP.or, () =>
      this.#logic('&&', OP.and, () => this.#binary(RELATIONS, () => this.#sum())),
    );
  }

  /**
   * A chain of `&&` or `||` as a balanced tree: the operators commute, and a
   * long chain would otherwise be a deep tree.
   */
  #logic(operator: '&&' | '||', name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const ids: number[] = [];
    for (let op = this.tokens.take(operator); op; op = this.tokens.take(operator)) {
      terms.push(operand());
      ids.push(this.builder.id(op.start));
    }
    return this.#balanced(name, terms, ids, 0, ids.length - 1);
  }

  #balanced(name: string, terms: Expr[], ids: number[], low: number, high: number): Expr {
    if (low > high) return terms[low] as Expr;
    const middle = (low + high + 1) >> 1;
    const left = this.#balanced(name, terms, ids, low, middle - 1);
    const right = this.#balanced(name, terms, ids, middle + 1, high);
    return this.builder.logic(ids[middle] as number, name, left, right);
  }

  #sum(): Expr {
    return this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary()));
  }

  #binary(operators: ReadonlyMap<TokenType, string>, operand: () => Expr): Expr {
    let left = operand();
    for (;;) {
      const name = operators.get(this.tokens.peek().type);
      if (name === undefined) return left;
      const op = this.tokens.next();
      left = this.call(op.start, name, undefined, [left, operand()]);
    }
  }

  #unary(): Expr {
    const depth = this.tokens.places.length;
    try {
      this.tokens.sync(EXPRESSION_START);
      const first = this.tokens.peek();
      if (first.type !== '!' && (first.type !== '-' || this.#isSign())) return this.#member();
      let count = 0;
      while (this.#takePrefix(first.type)) count++;
      const operand = this.#member();
      if (count % 2 === 0) return operand;
      return this.call(first.start, first.type === '!' ? OP.not : OP.negate, undefined, [operand]);
    } catch (error) {
      return this.recovered(error, 'unary', depth);
    }
  }

  #takePrefix(type: '!' | '-'): boolean {
    if (this.tokens.peek().type !== type) return false;
    if (type === '-' && !AFTER_MINUS.includes(this.tokens.peek(1).type)) {
      this.tokens.noAlternative(1);
    }
    this.tokens.next();
    this.tokens.syncRepetition(type === '!' ? EXPRESSION_START : AFTER_MINUS);
    return true;
  }

  /** Before a number a minus belongs to the literal, so that the smallest int can be written. */
  #isSign(): boolean {
    const { type } = this.tokens.peek(1);
    return type === 'NUM_INT' || type === 'NUM_FLOAT';
  }

  #member(): Expr {
    const depth = this.tokens.places.length;
    let operand = this.primary();
    try {
      for (;;) {
        const { type } = this.tokens.peek();
        if (type === '.') {
          operand = this.#selectOrCall(operand);
        } else if (type === '[') {
          operand = this.#index(operand);
        } else {
          return operand;
        }
      }
    } catch (error) {
      return this.recovered(error, 'member', depth);
    }
  }

  #index(operand: Expr): Expr {
    const bracket = this.tokens.next();
    this.tokens.sync(ITEM_START);
    const optional = this.optionalMark(bracket, '[?');
    const index = this.expression([']'], false);
    this.tokens.match(']');
    const name = optional ? OP.optIndex : OP.index;
    return this.call(bracket.start, name, undefined, [operand, index]);
  }

  #selectOrCall(operand: Expr): Expr {
    const { tokens, builder } = this;
    const following = tokens.peek(1).type;
    if (following !== '?' && following !== 'IDENTIFIER' && following !== 'ESC_IDENTIFIER') {
      tokens.noAlternative(1);
    }
    const dot = tokens.next();
    const optional = this.optionalMark(dot, '.?');
    const name = this.fieldName(['.', '[']);
    if (optional) {
      const literal = builder.constant(name.start, name.text);
      return builder.call(dot.start, OP.optSelect, operand, literal);
    }
    const open = following === 'IDENTIFIER' ? tokens.take('(') : undefined;
    if (open === undefined) return builder.select(dot.start, operand, name.text);
    return this.call(open.start, name.text, operand, this.arguments(false));
  }
}

/** Tokens that can follow a minus which is an operator, not the sign of a number. */
const AFTER_MINUS: readonly TokenType[] = EXPRESSION_START.filter((type) => type !== '!');
