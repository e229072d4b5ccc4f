import type { Expr } from '../syntax/ast.ts';

/** Calls `visit` for an expression and everything in it, parents first. */
export function walk(expr: Expr, visit: (expr: Expr, parents: readonly Expr[]) => void): void {
  const parents: Expr[] = [];
  const enter = (at: Expr): void => {
    visit(at, parents);
    parents.push(at);
    for (const child of children(at)) enter(child);
    parents.pop();
  };
  enter(expr);
}

/** The expressions directly below one, in the order in which they are written. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'constant':
    case 'ident':
    case 'error':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
