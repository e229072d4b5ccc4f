import type { CheckedExpression } from '../check/checked.ts';
import { walk } from '../check/walk.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import { PatternBudget } from '../value/pattern-budget.ts';
import { CelBytes } from '../value/value.ts';

/**
 * Work of compiling the patterns that one expression is written with, in
 * nanoseconds: all other requests wait meanwhile. One in use takes a thousandth.
 */
const MAX_EXPRESSION_WORK = 50_000_000;

/** Conversions that are done while compiling, and give a text for a text. */
const CONVERSIONS: ReadonlySet<string> = new Set(['string', 'bytes', 'dyn']);

/**
 * Counts the literal patterns of an expression, none of which has been
 * compiled yet. The answer is the one with which they become too many.
 */
export function excessivePattern(
  checked: CheckedExpression,
  budget: PatternBudget | undefined,
): Expr | undefined {
  const own = new PatternBudget(MAX_EXPRESSION_WORK);
  let excessive: Expr | undefined;
  walk(checked.root, (expr) => {
    if (expr.kind !== 'call' || excessive !== undefined) return;
    const pattern = patternOf(checked, expr);
    const text = pattern && constantText(checked, pattern);
    if (text === undefined) return;
    own.count(text);
    budget?.count(text);
    if (own.isExceeded) excessive = pattern;
  });
  return excessive;
}

function patternOf(checked: CheckedExpression, expr: CallExpr): Expr | undefined {
  switch (functionName(checked, expr)) {
    case 'matches':
      return expr.args.at(-1);
    case 'find':
    case 'findAll':
      return expr.args[0];
    default:
      return undefined;
  }
}

/** What the planner will find in the place of a pattern, if it will find a text there. */
function constantText(checked: CheckedExpression, expr: Expr): string | undefined {
  if (expr.kind === 'constant') {
    const { value } = expr;
    if (value instanceof CelBytes) return Buffer.from(value.value).toString();
    return typeof value === 'string' ? value : undefined;
  }
  if (expr.kind !== 'call' || !CONVERSIONS.has(functionName(checked, expr))) return undefined;
  const [argument] = expr.args;
  return argument && constantText(checked, argument);
}

/** Not as it is written: `.matches` is `matches`, too. */
function functionName({ references }: CheckedExpression, { id, function: name }: CallExpr): string {
  const reference = references.get(id);
  return reference?.kind === 'function' ? reference.name : name;
}
