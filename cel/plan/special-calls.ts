import type { Overload } from '../types/declaration.ts';
import { writtenPattern } from '../value/pattern.ts';
import { regexCost } from '../value/size.ts';
import { CelError, CelOptional, isFailure, noSuchOverload } from '../value/value.ts';
import { charged, isConstant, PlanError, type Plan } from './plan.ts';

/** Compiles a call in a way of its own, or declines. */
export type SpecialCall = (
  args: readonly Plan[],
  overloads: readonly Overload[],
) => Plan | undefined;

/** `a.or(b)`: the second optional is only computed when the first is empty. */
const planOr: SpecialCall = ([left, right], overloads) => {
  if (!isOptionalCall(overloads) || left === undefined || right === undefined) return undefined;
  const first = left.run;
  const second = charged(right);
  return {
    cost: left.cost,
    run: (frame) => {
      const optional = first(frame);
      if (!(optional instanceof CelOptional)) return noSuchOverload(optional);
      return optional.value === undefined ? second(frame) : optional;
    },
  };
};

/** `a.orValue(b)`: the default is only computed when it is needed. */
const planOrValue: SpecialCall = ([left, right], overloads) => {
  if (!isOptionalCall(overloads) || left === undefined || right === undefined) return undefined;
  const first = left.run;
  const second = charged(right);
  return {
    cost: left.cost,
    run: (frame) => {
      const optional = first(frame);
      if (!(optional instanceof CelOptional)) return noSuchOverload(optional);
      return optional.value === undefined ? second(frame) : optional.value;
    },
  };
};

function isOptionalCall(overloads: readonly Overload[]): boolean {
  return overloads.every(({ id }) => id.startsWith('optional_or'));
}

/** `s.matches(re)` with a literal pattern, which is compiled once and for all. */
const planMatches: SpecialCall = ([text, pattern]) => {
  if (text === undefined || pattern === undefined) return undefined;
  if (!isConstant(pattern) || typeof pattern.constant !== 'string') return undefined;
  const source = pattern.constant;
  const regex = writtenPattern(source).compileForExpression();
  if (regex instanceof CelError) throw new PlanError(regex.message);
  const { run } = text;
  return {
    cost: text.cost,
    run: (frame) => {
      const value = run(frame);
      if (typeof value !== 'string') return isFailure(value) ? value : noSuchOverload(value);
      frame.inspect(value);
      frame.charge(regexCost(value, source));
      frame.match(value.length, regex);
      return regex.compiled.test(value);
    },
  };
};

/** `s.find(re)` and `s.findAll(re)` with a literal pattern that is none never get to run. */
const checkPattern: SpecialCall = ([, pattern]) => {
  const source = pattern?.constant;
  if (typeof source !== 'string') return undefined;
  const regex = writtenPattern(source).compileForExpression();
  if (regex instanceof CelError) throw new PlanError(regex.message);
  return undefined;
};

export const SPECIAL_CALLS: ReadonlyMap<string, SpecialCall> = new Map([
  ['or', planOr],
  ['orValue', planOrValue],
  ['matches', planMatches],
  ['find', checkPattern],
  ['findAll', checkPattern],
]);
