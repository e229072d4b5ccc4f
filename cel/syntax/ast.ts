import type { CelValue } from '../value/value.ts';

/**
 * The syntax tree, with macros already expanded. Nodes never change after
 * parsing: the checker keeps its results in a separate table, keyed by node id.
 */
export type Expr =
  | ConstantExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | ErrorExpr;

interface ConstantExpr {
  kind: 'constant';
  id: number;
  value: CelValue;
}

interface IdentExpr {
  kind: 'ident';
  id: number;
  /** A leading dot asks for the outermost scope. */
  name: string;
}

/** `operand.field`, or `has(operand.field)` when `testOnly`. */
export interface SelectExpr {
  kind: 'select';
  id: number;
  operand: Expr;
  field: string;
  testOnly: boolean;
}

export interface CallExpr {
  kind: 'call';
  id: number;
  function: string;
  target: Expr | undefined;
  args: readonly Expr[];
}

export interface ListExpr {
  kind: 'list';
  id: number;
  elements: readonly Expr[];
  /** Positions written `?element`: dropped when the optional is empty. */
  optional: ReadonlySet<number>;
}

export interface MapEntry {
  id: number;
  key: Expr;
  value: Expr;
  optional: boolean;
}

export interface MapExpr {
  kind: 'map';
  id: number;
  entries: readonly MapEntry[];
}

export interface StructField {
  id: number;
  name: string;
  value: Expr;
  optional: boolean;
}

export interface StructExpr {
  kind: 'struct';
  id: number;
  typeName: string;
  fields: readonly StructField[];
}

/**
 * A fold, which every macro over a list or map becomes: starting from `init`,
 * `step` is evaluated per element while `condition` holds; `result` is the value.
 */
export interface ComprehensionExpr {
  kind: 'comprehension';
  id: number;
  range: Expr;
  /** List element or map key; with `variable2`, list index or map key. */
  variable: string;
  /** List element or map value, for the two-variable macros. */
  variable2: string | undefined;
  accumulator: string;
  init: Expr;
  condition: Expr;
  step: Expr;
  result: Expr;
}

/** Stands where an error was reported; such a tree is never evaluated. */
interface ErrorExpr {
  kind: 'error';
  id: number;
}

/** Name of the hidden accumulator; `@` keeps it out of reach of expressions. */
export const ACCUMULATOR = '@result';
/** Iteration variable of folds that only bind a name. */
export const UNUSED_VARIABLE = '#unused';

/** Function names of the operators, as error messages and overload tables spell them. */
export const OP = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  index: '_[_]',
  optIndex: '_[?_]',
  optSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** True for the fold that `cel.bind` becomes: no iteration, only a named value. */
export function isBind(expr: ComprehensionExpr): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'constant' &&
    expr.condition.value === false &&
    expr.accumulator !== ACCUMULATOR
  );
}

/** `a.b.c` as a name, when the expression is nothing but identifiers and dots. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
