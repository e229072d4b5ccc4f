import { OP } from '../syntax/ast.ts';
import {
  planAdd,
  planDivide,
  planModulo,
  planMultiply,
  planNegate,
  planSubtract,
} from './arithmetic.ts';
import { planIndex, planOptionalIndex } from './attribute.ts';
import { planEquality, planIn, planOrder } from './comparison.ts';
import { planConditional, planLogic, planNot, planNotStrictlyFalse } from './logic.ts';
import type { Plan } from './plan.ts';

/** The plan of an operator; undefined when the name is that of a function. */
export function planOperator(name: string, args: readonly Plan[]): Plan | undefined {
  const [a, b, c] = args;
  if (a === undefined) return undefined;
  if (args.length === 1) {
    if (name === OP.not) return planNot(a);
    if (name === OP.negate) return planNegate(a);
    return name === OP.notStrictlyFalse ? planNotStrictlyFalse(a) : undefined;
  }
  if (b === undefined) return undefined;
  if (c !== undefined) return name === OP.conditional ? planConditional(a, b, c) : undefined;
  return BINARY.get(name)?.(a, b);
}

const BINARY: ReadonlyMap<string, (a: Plan, b: Plan) => Plan> = new Map([
  [OP.and, (a: Plan, b: Plan) => planLogic(a, b, false)],
  [OP.or, (a: Plan, b: Plan) => planLogic(a, b, true)],
  [OP.equals, (a: Plan, b: Plan) => planEquality(a, b, true)],
  [OP.notEquals, (a: Plan, b: Plan) => planEquality(a, b, false)],
  [OP.less, (a: Plan, b: Plan) => planOrder(a, b, (order) => order < 0)],
  [OP.lessEquals, (a: Plan, b: Plan) => planOrder(a, b, (order) => order <= 0)],
  [OP.greater, (a: Plan, b: Plan) => planOrder(a, b, (order) => order > 0)],
  [OP.greaterEquals, (a: Plan, b: Plan) => planOrder(a, b, (order) => order >= 0)],
  [OP.add, planAdd],
  [OP.subtract, planSubtract],
  [OP.multiply, planMultiply],
  [OP.divide, planDivide],
  [OP.modulo, planModulo],
  [OP.in, planIn],
  [OP.index, planIndex],
  [OP.optIndex, planOptionalIndex],
  [OP.optSelect, planOptionalIndex],
]);
