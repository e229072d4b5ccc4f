import { ACCUMULATOR, OP, type Expr } from './ast.ts';
import { argument, MacroError, macroTarget, type Macro, type MacroCall } from './macro.ts';

/** The accumulator's name in older tools; kept out of reach for the same reason. */
const OLD_ACCUMULATOR = '__result__';

/** Name of an iteration variable, checked as every macro of the standard does. */
export function iterationVariable(expr: Expr, message: string): string {
  if (expr.kind !== 'ident') throw new MacroError(expr, message);
  if (expr.name === ACCUMULATOR || expr.name === OLD_ACCUMULATOR) {
    throw new MacroError(expr, 'iteration variable overwrites accumulator variable');
  }
  return expr.name;
}

export interface FoldVariables {
  variable: string;
  variable2: string | undefined;
}

/** `all`: true until a predicate is false; errors are absorbed by a later false. */
export function foldAll(call: MacroCall, variables: FoldVariables, predicate: Expr): Expr {
  const { builder: b, offset: at } = call;
  return b.fold(at, {
    range: macroTarget(call),
    ...variables,
    accumulator: ACCUMULATOR,
    init: b.constant(at, true),
    condition: b.call(at, OP.notStrictlyFalse, b.accumulator(at)),
    step: b.call(at, OP.and, b.accumulator(at), predicate),
    result: b.accumulator(at),
  });
}

/** `exists`: false until a predicate is true; errors are absorbed by a later true. */
export function foldExists(call: MacroCall, variables: FoldVariables, predicate: Expr): Expr {
  const { builder: b, offset: at } = call;
  return b.fold(at, {
    range: macroTarget(call),
    ...variables,
    accumulator: ACCUMULATOR,
    init: b.constant(at, false),
    condition: b.call(at, OP.notStrictlyFalse, b.call(at, OP.not, b.accumulator(at))),
    step: b.call(at, OP.or, b.accumulator(at), predicate),
    result: b.accumulator(at),
  });
}

/** `exists_one` counts and looks at every element, so it never absorbs an error. */
export function foldExistsOne(call: MacroCall, variables: FoldVariables, predicate: Expr): Expr {
  const { builder: b, offset: at } = call;
  const increment = b.call(at, OP.add, b.accumulator(at), b.constant(at, 1));
  return b.fold(at, {
    range: macroTarget(call),
    ...variables,
    accumulator: ACCUMULATOR,
    init: b.constant(at, 0),
    condition: b.constant(at, true),
    step: b.call(at, OP.conditional, predicate, increment, b.accumulator(at)),
    result: b.call(at, OP.equals, b.accumulator(at), b.constant(at, 1)),
  });
}

/** A fold whose accumulator starts empty and grows by `step`, for elements that pass the filter. */
export function foldInto(
  call: MacroCall,
  variables: FoldVariables,
  parts: { init: Expr; step: Expr; filter: Expr | undefined },
): Expr {
  const { builder: b, offset: at } = call;
  const { init, step, filter } = parts;
  return b.fold(at, {
    range: macroTarget(call),
    ...variables,
    accumulator: ACCUMULATOR,
    init,
    condition: b.constant(at, true),
    step: filter === undefined ? step : b.call(at, OP.conditional, filter, step, b.accumulator(at)),
    result: b.accumulator(at),
  });
}

/** A fold into a list: appends `element` for elements that pass the filter. */
export function foldList(
  call: MacroCall,
  variables: FoldVariables,
  element: Expr,
  filter: Expr | undefined,
): Expr {
  const { builder: b, offset: at } = call;
  const init = b.list(at, []);
  const step = b.call(at, OP.add, b.accumulator(at), b.list(at, [element]));
  return foldInto(call, variables, { init, step, filter });
}

function oneVariable(call: MacroCall, message: string): FoldVariables {
  return { variable: iterationVariable(argument(call, 0), message), variable2: undefined };
}

const SIMPLE_NAME = 'argument must be a simple name';
const NOT_AN_IDENTIFIER = 'argument is not an identifier';

/** `list.map(x, e)`, and `list.map(x, condition, e)`, which filters first. */
export function expandMap(call: MacroCall): Expr {
  const variables = oneVariable(call, NOT_AN_IDENTIFIER);
  return call.args.length === 3
    ? foldList(call, variables, argument(call, 2), argument(call, 1))
    : foldList(call, variables, argument(call, 1), undefined);
}

function expandFilter(call: MacroCall): Expr {
  const variables = oneVariable(call, NOT_AN_IDENTIFIER);
  return foldList(call, variables, argument(call, 0), argument(call, 1));
}

function expandHas(call: MacroCall): Expr {
  const arg = argument(call, 0);
  if (arg.kind !== 'select') throw new MacroError(arg, 'invalid argument to has() macro');
  return call.builder.select(call.offset, arg.operand, arg.field, true);
}

function quantifier(fold: typeof foldAll): Macro['expand'] {
  return (call) => fold(call, oneVariable(call, SIMPLE_NAME), argument(call, 1));
}

/** The macros of the language definition. */
export const STANDARD_MACROS: readonly Macro[] = [
  { name: 'has', argCount: 1, receiver: false, expand: expandHas },
  { name: 'all', argCount: 2, receiver: true, expand: quantifier(foldAll) },
  { name: 'exists', argCount: 2, receiver: true, expand: quantifier(foldExists) },
  { name: 'exists_one', argCount: 2, receiver: true, expand: quantifier(foldExistsOne) },
  { name: 'existsOne', argCount: 2, receiver: true, expand: quantifier(foldExistsOne) },
  { name: 'map', argCount: 2, receiver: true, expand: expandMap },
  { name: 'map', argCount: 3, receiver: true, expand: expandMap },
  { name: 'filter', argCount: 2, receiver: true, expand: expandFilter },
];
