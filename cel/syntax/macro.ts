import { qualifiedName, type Expr } from './ast.ts';
import type { ExprBuilder } from './builder.ts';

/** What a macro is given: its call, already parsed, and the means to build another expression. */
export interface MacroCall {
  builder: ExprBuilder;
  /** Offset of the call, where generated nodes are said to stand. */
  offset: number;
  target: Expr | undefined;
  args: readonly Expr[];
}

/** The call matched the macro but its arguments do not fit; points at the wrong argument. */
export class MacroError extends Error {
  override readonly name = 'MacroError';
  readonly expr: Expr;

  constructor(expr: Expr, message: string) {
    super(message);
    this.expr = expr;
  }
}

/** A call that becomes another expression while parsing. */
export interface Macro {
  name: string;
  argCount: number;
  /** True for `range.all(…)`, false for `has(…)`. */
  receiver: boolean;
  /**
   * The expansion, or undefined when this is an ordinary call after all.
   *
   * @throws MacroError
   */
  expand: (call: MacroCall) => Expr | undefined;
}

/** What a macro is looked up by: arguments are counted without the receiver. */
export function macroKey(name: string, argCount: number, receiver: boolean): string {
  return `${name}:${argCount}:${receiver}`;
}

/** Macros of an environment by name, number of arguments and call style; later ones replace earlier. */
export function macroTable(macros: Iterable<Macro>): ReadonlyMap<string, Macro> {
  const table = new Map<string, Macro>();
  for (const macro of macros) {
    table.set(macroKey(macro.name, macro.argCount, macro.receiver), macro);
  }
  return table;
}

/** An argument by position. Macros are looked up by their number of arguments, so it is there. */
export function argument(call: MacroCall, index: number): Expr {
  const arg = call.args[index];
  if (arg === undefined) throw new RangeError(`macro has no argument ${index}`);
  return arg;
}

/** The range a receiver macro iterates over. */
export function macroTarget(call: MacroCall): Expr {
  if (call.target === undefined) throw new RangeError('receiver macro without a receiver');
  return call.target;
}

/** True when a call's target is the name of a namespace, as in `cel.bind(…)`. */
export function isNamespace(target: Expr | undefined, name: string): boolean {
  return target !== undefined && qualifiedName(target) === name;
}
