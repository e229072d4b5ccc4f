import { ACCUMULATOR, OP, type ComprehensionExpr, type Expr } from '../syntax/ast.ts';

/** Name of the function that adds an entry to a map under construction. */
export const MAP_INSERT = 'cel.@mapInsert';

/**
 * What a comprehension does, recognised from its parts. Only macros can name the
 * accumulator, so a match is certain; each shape has a loop of its own that does
 * without the detour over an accumulating variable.
 */
export type FoldShape =
  | { kind: 'all' | 'exists' | 'existsOne'; predicate: Expr }
  | { kind: 'list'; filter: Expr | undefined; element: Expr }
  | { kind: 'map'; filter: Expr | undefined; key: Expr; value: Expr }
  | { kind: 'entries'; filter: Expr | undefined; entries: Expr };

/** The shape of a comprehension that a standard macro has made; undefined: of another one. */
export function foldShape(expr: ComprehensionExpr): FoldShape | undefined {
  if (expr.accumulator !== ACCUMULATOR || expr.step.kind !== 'call') return undefined;
  const { function: name, args } = expr.step;
  const [first, second, third] = args;
  if (first === undefined || second === undefined) return undefined;
  if (name === OP.and && isAccumulator(first)) return { kind: 'all', predicate: second };
  if (name === OP.or && isAccumulator(first)) return { kind: 'exists', predicate: second };
  if (name === OP.conditional && isAccumulator(third)) {
    if (expr.init.kind === 'constant') return { kind: 'existsOne', predicate: first };
    return building(second, first);
  }
  return building(expr.step, undefined);
}

function building(step: Expr, filter: Expr | undefined): FoldShape | undefined {
  if (step.kind !== 'call' || !isAccumulator(step.args[0])) return undefined;
  const [, second, third] = step.args;
  if (step.function === OP.add && second?.kind === 'list' && second.elements.length === 1) {
    const element = second.elements[0];
    return element === undefined ? undefined : { kind: 'list', filter, element };
  }
  if (step.function !== MAP_INSERT || second === undefined) return undefined;
  return third === undefined
    ? { kind: 'entries', filter, entries: second }
    : { kind: 'map', filter, key: second, value: third };
}

function isAccumulator(expr: Expr | undefined): boolean {
  return expr?.kind === 'ident' && expr.name === ACCUMULATOR;
}
