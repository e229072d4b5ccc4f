import type { Expr } from '../syntax/ast.ts';
import type { ParsedExpression } from '../syntax/parser.ts';
import type { Overload } from '../types/declaration.ts';
import { DYN } from '../value/type.ts';
import type { CelValue } from '../value/value.ts';
import type { CelType } from '../value/cel-type.ts';

/** What a name in an expression turned out to mean. */
export type Reference =
  /** A global variable under its full name. */
  | { kind: 'variable'; name: string }
  /** A constant or a type. */
  | { kind: 'constant'; name: string; value: CelValue }
  /** A struct type that is constructed. */
  | { kind: 'struct'; name: string; type: CelType }
  /**
   * Signatures that fit the arguments, one when their types are known. With
   * `namespaced`, the call's target was part of the function's name.
   */
  | { kind: 'function'; name: string; overloads: readonly Overload[]; namespaced: boolean };

/** A parsed expression and what the checker learned about it. */
export interface CheckedExpression {
  parsed: ParsedExpression;
  root: Expr;
  type: CelType;
  types: ReadonlyMap<number, CelType>;
  references: ReadonlyMap<number, Reference>;
}

/** The type that the checker found; `dyn` where it found none. */
export function typeOf(checked: CheckedExpression, expr: Expr): CelType {
  return checked.types.get(expr.id) ?? DYN;
}
