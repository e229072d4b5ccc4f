import { OP, type Expr } from './ast.ts';
import { ExpressionLimitError, MAX_EXPRESSION_DEPTH } from './builder.ts';
import { PrimaryParser } from './primary-parser.ts';
import type { Token, TokenType } from './token.ts';

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
    const root = this.expression();
    this.tokens.expect('<EOF>');
    return root;
  }

  protected override expression(): Expr {
    if (++this.#nesting > MAX_EXPRESSION_DEPTH) {
      throw new ExpressionLimitError(
        `expression recursion limit exceeded: ${MAX_EXPRESSION_DEPTH}`,
      );
    }
    const condition = this.#logic('||', OP.or, () =>
      this.#logic('&&', OP.and, () => this.#binary(RELATIONS, () => this.#sum())),
    );
    const question = this.tokens.take('?');
    let result = condition;
    if (question !== undefined) {
      const yes = this.#logic('||', OP.or, () =>
        this.#logic('&&', OP.and, () => this.#binary(RELATIONS, () => this.#sum())),
      );
      this.tokens.expect(':');
      result = this.builder.call(question.start, OP.conditional, condition, yes, this.expression());
    }
    this.#nesting--;
    return result;
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
    const first = this.tokens.peek();
    if (first.type !== '!' && (first.type !== '-' || this.#isNumberAt(1))) return this.#member();
    let count = 0;
    while (this.tokens.take(first.type)) count++;
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.call(first.start, first.type === '!' ? OP.not : OP.negate, undefined, [operand]);
  }

  /** Before a number a minus belongs to the literal, so that the smallest int can be written. */
  #isNumberAt(ahead: number): boolean {
    const { type } = this.tokens.peek(ahead);
    return type === 'NUM_INT' || type === 'NUM_FLOAT';
  }

  #member(): Expr {
    let operand = this.primary();
    for (;;) {
      const dot = this.tokens.take('.');
      if (dot !== undefined) {
        operand = this.#selectOrCall(dot, operand);
        continue;
      }
      const bracket = this.tokens.take('[');
      if (bracket === undefined) return operand;
      const optional = this.optionalMark(bracket, '[?');
      const index = this.expression();
      this.tokens.expect(']');
      const name = optional ? OP.optIndex : OP.index;
      operand = this.call(bracket.start, name, undefined, [operand, index]);
    }
  }

  #selectOrCall(dot: Token, operand: Expr): Expr {
    const builder = this.builder;
    const optional = this.optionalMark(dot, '.?');
    const name = this.tokens.peek();
    if (name.type !== 'IDENTIFIER' && name.type !== 'ESC_IDENTIFIER') {
      if (/^[a-z]/.test(name.type)) {
        this.tokens.failWith(dot, `no viable alternative at input '.${this.tokens.text(name)}'`);
      }
      this.tokens.fail(['IDENTIFIER', 'ESC_IDENTIFIER']);
    }
    this.tokens.next();
    const field = this.fieldName(name);
    if (optional) {
      const literal = builder.constant(name.start, field);
      return builder.call(dot.start, OP.optSelect, operand, literal);
    }
    const open = name.type === 'IDENTIFIER' ? this.tokens.take('(') : undefined;
    if (open === undefined) return builder.select(dot.start, operand, field);
    return this.call(open.start, field, operand, this.arguments());
  }
}
