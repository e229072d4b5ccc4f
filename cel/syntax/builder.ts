import type { CelValue } from '../value/value.ts';
import {
  ACCUMULATOR,
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type MapEntry,
  type StructField,
} from './ast.ts';

/** Nesting of nodes beyond this is refused; every later phase recurses over the tree. */
export const MAX_EXPRESSION_DEPTH = 250;
/** Macros may copy their operand, so the number of nodes is bounded apart from the text's length. */
const MAX_EXPRESSION_NODES = 10_000;

/** The expression is too deep or too large; the message is what its author sees. */
export class ExpressionLimitError extends Error {
  override readonly name = 'ExpressionLimitError';
}

/** Makes nodes, numbers them, and remembers where in the source each came from. */
export class ExprBuilder {
  /** Offset of the node with that id, in code units. */
  readonly offsets: number[] = [0];
  readonly #depths: number[] = [0];
  /** Depth of nodes made by macros does not count as written nesting. */
  #inMacro = false;

  /** A new id for something at an offset of the source. */
  id(offset: number): number {
    if (this.offsets.length >= MAX_EXPRESSION_NODES) {
      throw new ExpressionLimitError(`expression node limit exceeded: ${MAX_EXPRESSION_NODES}`);
    }
    this.offsets.push(offset);
    this.#depths.push(0);
    return this.offsets.length - 1;
  }

  offsetOf(id: number): number {
    return this.offsets[id] ?? 0;
  }

  /** Runs a macro's expansion; the nodes it makes deepen the tree by one level at most. */
  expanding<T>(expand: () => T): T {
    const outer = this.#inMacro;
    this.#inMacro = true;
    try {
      return expand();
    } finally {
      this.#inMacro = outer;
    }
  }

  #placed<E extends Expr>(expr: E, children: Iterable<Expr>): E {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, this.#depths[child.id] ?? 0);
    if (!this.#inMacro || expr.kind === 'comprehension') depth++;
    if (depth > MAX_EXPRESSION_DEPTH) {
      throw new ExpressionLimitError(
        `expression recursion limit exceeded: ${MAX_EXPRESSION_DEPTH}`,
      );
    }
    this.#depths[expr.id] = depth;
    return expr;
  }

  error(offset: number): Expr {
    return { kind: 'error', id: this.id(offset) };
  }

  constant(offset: number, value: CelValue): Expr {
    return { kind: 'constant', id: this.id(offset), value };
  }

  ident(offset: number, name: string): Expr {
    return { kind: 'ident', id: this.id(offset), name };
  }

  accumulator(offset: number): Expr {
    return this.ident(offset, ACCUMULATOR);
  }

  select(offset: number, operand: Expr, field: string, testOnly = false): Expr {
    const id = this.id(offset);
    return this.#placed({ kind: 'select', id, operand, field, testOnly }, [operand]);
  }

  call(offset: number, name: string, ...args: Expr[]): Expr {
    return this.callWithId(this.id(offset), name, undefined, args);
  }

  memberCall(offset: number, name: string, target: Expr, ...args: Expr[]): Expr {
    return this.callWithId(this.id(offset), name, target, args);
  }

  callWithId(id: number, name: string, target: Expr | undefined, args: readonly Expr[]): CallExpr {
    const children = target === undefined ? args : [target, ...args];
    return this.#placed({ kind: 'call', id, function: name, target, args }, children);
  }

  /** A call of `&&` or `||` inside a balanced tree, whose height is the logarithm of its terms. */
  logic(id: number, name: string, left: Expr, right: Expr): Expr {
    return this.expanding(() => this.callWithId(id, name, undefined, [left, right]));
  }

  list(offset: number, elements: readonly Expr[], optional: ReadonlySet<number> = new Set()): Expr {
    return this.#placed({ kind: 'list', id: this.id(offset), elements, optional }, elements);
  }

  map(offset: number, entries: readonly MapEntry[]): Expr {
    const children = entries.flatMap((entry) => [entry.key, entry.value]);
    return this.#placed({ kind: 'map', id: this.id(offset), entries }, children);
  }

  struct(offset: number, typeName: string, fields: readonly StructField[]): Expr {
    const children = fields.map((field) => field.value);
    return this.#placed({ kind: 'struct', id: this.id(offset), typeName, fields }, children);
  }

  fold(offset: number, parts: Omit<ComprehensionExpr, 'kind' | 'id'>): Expr {
    const { range, init, condition, step, result } = parts;
    return this.#placed({ kind: 'comprehension', id: this.id(offset), ...parts }, [
      range,
      init,
      condition,
      step,
      result,
    ]);
  }

  /** The same expression again, with ids of its own, because it is evaluated in two places. */
  copy(expr: Expr): Expr {
    const id = this.id(this.offsetOf(expr.id));
    const again = (part: Expr): Expr => this.copy(part);
    this.#depths[id] = this.#depths[expr.id] ?? 0;
    switch (expr.kind) {
      case 'constant':
      case 'ident':
      case 'error':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: again(expr.operand) };
      case 'call': {
        const target = expr.target === undefined ? undefined : again(expr.target);
        return { ...expr, id, target, args: expr.args.map(again) };
      }
      case 'list':
        return { ...expr, id, elements: expr.elements.map(again) };
      case 'map': {
        const entries = expr.entries.map((entry) => ({
          ...entry,
          id: this.id(this.offsetOf(entry.id)),
          key: again(entry.key),
          value: again(entry.value),
        }));
        return { ...expr, id, entries };
      }
      case 'struct': {
        const fields = expr.fields.map((field) => ({
          ...field,
          id: this.id(this.offsetOf(field.id)),
          value: again(field.value),
        }));
        return { ...expr, id, fields };
      }
      case 'comprehension':
        return {
          ...expr,
          id,
          range: again(expr.range),
          init: again(expr.init),
          condition: again(expr.condition),
          step: again(expr.step),
          result: again(expr.result),
        };
    }
  }
}
