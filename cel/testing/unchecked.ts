import type { CheckedExpression, Reference } from '../check/checked.ts';
import { candidateNames, type Declarations } from '../check/scope.ts';
import { children } from '../check/walk.ts';
import { qualifiedName, type CallExpr, type Expr } from '../syntax/ast.ts';
import type { ParsedExpression } from '../syntax/parser.ts';
import { DYN } from '../value/type.ts';

/**
 * An expression as if it had been checked, with every type unknown: names are
 * resolved, and every call may be any overload of its function.
 */
export function unchecked(
  parsed: ParsedExpression,
  root: Expr,
  declarations: Declarations,
): CheckedExpression {
  const references = new Map<number, Reference>();
  const resolve = (id: number, name: string): boolean => {
    for (const candidate of candidateNames(declarations.container, name)) {
      const found = declarations.variable(candidate);
      if (found === undefined) continue;
      references.set(
        id,
        found.value === undefined
          ? { kind: 'variable', name: candidate }
          : { kind: 'constant', name: candidate, value: found.value },
      );
      return true;
    }
    return false;
  };
  const call = (expr: CallExpr): void => {
    const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
    const names = prefix === undefined ? [] : [`${prefix}.${expr.function}`];
    for (const name of [...names, expr.function]) {
      for (const candidate of candidateNames(declarations.container, name)) {
        const overloads = declarations.functions.get(candidate)?.overloads;
        if (overloads === undefined) continue;
        const namespaced = name !== expr.function;
        const member = expr.target !== undefined && !namespaced;
        references.set(expr.id, {
          kind: 'function',
          name: candidate,
          overloads: overloads.filter((overload) => overload.member === member),
          namespaced,
        });
        return;
      }
    }
  };
  const visit = (expr: Expr, locals: ReadonlySet<string>): void => {
    if (expr.kind === 'ident' && !locals.has(expr.name)) resolve(expr.id, expr.name);
    if (expr.kind === 'select') {
      const name = qualifiedName(expr);
      const first = name?.split('.')[0] ?? '';
      if (name !== undefined && !locals.has(first) && resolve(expr.id, name)) return;
    }
    if (expr.kind === 'call') call(expr);
    const inner = new Set(locals);
    if (expr.kind === 'comprehension') {
      inner.add(expr.variable).add(expr.accumulator);
      if (expr.variable2 !== undefined) inner.add(expr.variable2);
      visit(expr.range, locals);
      visit(expr.init, locals);
      for (const part of [expr.condition, expr.step, expr.result]) visit(part, inner);
      return;
    }
    for (const child of children(expr)) visit(child, inner);
  };
  visit(root, new Set());
  return { parsed, root, type: DYN, types: new Map(), references };
}
