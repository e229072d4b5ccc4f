import type { Expr } from '../syntax/ast.ts';
import type { CelType } from '../value/cel-type.ts';
import type { Range } from './range.ts';

/** An operand of a call, as far as it is known before there are values. */
export interface OperandNode {
  /** Absent for the elements of an operand. */
  expr: Expr | undefined;
  type: CelType;
  /** Way to the operand from a variable: names, `@items`, `@keys`, `@values`. Empty when there is none. */
  path: readonly string[];
}

/** What a function's estimator may ask about a call. */
export interface CallSite {
  target: OperandNode | undefined;
  args: readonly OperandNode[];
  /** Bounds of the size of an operand; {@link Range.unknown} when nothing bounds it. */
  sizeOf: (operand: OperandNode) => Range;
  /** The element of a list operand; undefined when the operand's type has none. */
  elementOf: (operand: OperandNode) => OperandNode | undefined;
}

export interface CallEstimate {
  /** Without the operands, which are counted apart. */
  cost: Range;
  /** Size of the result, for lists, maps, strings and bytes. */
  size?: Range;
}

export type CallEstimator = (call: CallSite) => CallEstimate | undefined;
