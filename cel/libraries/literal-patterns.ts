import type { CheckedExpression } from '../check/checked.ts';
import { walk } from '../check/walk.ts';
import type { Expr } from '../syntax/ast.ts';
import { writtenPattern } from '../value/pattern.ts';

/** Work, in nanoseconds, of compiling the patterns that an expression is written with. */
export function literalPatternWork({ root }: CheckedExpression): number {
  let work = 0;
  walk(root, (expr) => {
    const pattern = patternOf(expr);
    if (pattern?.kind !== 'constant' || typeof pattern.value !== 'string') return;
    work += writtenPattern(pattern.value).work;
  });
  return work;
}

function patternOf(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call') return undefined;
  switch (expr.function) {
    case 'matches':
      return expr.args.at(-1);
    case 'find':
    case 'findAll':
      return expr.args[0];
    default:
      return undefined;
  }
}
