import type { Expr } from '../syntax/ast.ts';
import { isNamespace, MacroError, type Macro, type MacroCall } from '../syntax/macro.ts';
import { declareFunction, globalOverload, type FunctionDeclaration } from '../types/declaration.ts';
import { BOOL, DOUBLE, DYN, INT, listType, UINT } from '../value/type.ts';
import { compare } from '../value/compare.ts';
import { INT64_MIN, INT_OVERFLOW, intOf, negateInt, type CelInt } from '../value/int.ts';
import { listElements } from '../value/list.ts';
import {
  CelDouble,
  CelError,
  type CelList,
  CelUint,
  type CelValue,
  isFailure,
} from '../value/value.ts';
import type { Library } from './library.ts';
import type { CelType } from '../value/cel-type.ts';

/** Macros that take any number of arguments are looked up by each number up to this one. */
const MAX_MACRO_ARGUMENTS = 100;

const NUMBERS: readonly [string, CelType][] = [
  ['double', DOUBLE],
  ['int', INT],
  ['uint', UINT],
];

/** The smaller or larger of two numbers of any kinds. */
function pick(a: CelValue, b: CelValue, wanted: -1 | 1): CelValue {
  if (isFailure(a)) return a;
  const order = compare(a, b);
  if (typeof order !== 'number') return order;
  return order * wanted < 0 ? b : a;
}

function pickFrom(name: string, list: CelList, wanted: -1 | 1): CelValue {
  const [first, ...rest] = listElements(list);
  if (first === undefined) return new CelError(`${name}(list) argument must not be empty`);
  return rest.reduce((best, value) => pick(best, value, wanted), first);
}

function extreme(name: string, wanted: -1 | 1): FunctionDeclaration {
  const id = name.replace('.', '_');
  return declareFunction(
    name,
    ...NUMBERS.map(([kind, type]) => globalOverload(`${id}_${kind}`, [type], type, (x) => x)),
    ...NUMBERS.flatMap(([left, leftType]) =>
      NUMBERS.map(([right, rightType]) =>
        globalOverload(
          `${id}_${left}_${right}`,
          [leftType, rightType],
          left === right ? leftType : DYN,
          (a, b) => pick(a, b, wanted),
        ),
      ),
    ),
    ...NUMBERS.map(([kind, type]) =>
      globalOverload(`${id}_list_${kind}`, [listType(type)], type, (list) =>
        pickFrom(name, list, wanted),
      ),
    ),
  );
}

function isNumeric(expr: Expr): boolean {
  if (expr.kind === 'constant') {
    const { value } = expr;
    return (
      typeof value === 'number' ||
      typeof value === 'bigint' ||
      value instanceof CelUint ||
      value instanceof CelDouble
    );
  }
  return expr.kind !== 'list' && expr.kind !== 'map' && expr.kind !== 'struct';
}

/** `math.least(a, b, …)` and `math.greatest(…)`: any number of numbers, or a list of them. */
function extremeMacros(name: string, target: string): Macro[] {
  const expand = (call: MacroCall): Expr | undefined => {
    if (!isNamespace(call.target, 'math')) return undefined;
    const { builder: b, offset: at, args } = call;
    const [first, second, ...more] = args;
    if (first === undefined) {
      if (call.target === undefined) return undefined;
      throw new MacroError(call.target, `math.${name}() requires at least one argument`);
    }
    if (second === undefined) {
      const isList =
        first.kind === 'list' && first.elements.length > 0 && first.elements.every(isNumeric);
      if (isList || isNumeric(first)) return b.call(at, target, first);
      throw new MacroError(first, `math.${name}() invalid single argument value`);
    }
    for (const arg of args) {
      if (isNumeric(arg)) continue;
      throw new MacroError(arg, `math.${name}() simple literal arguments must be numeric`);
    }
    return more.length === 0
      ? b.call(at, target, first, second)
      : b.call(at, target, b.list(at, args));
  };
  return Array.from({ length: MAX_MACRO_ARGUMENTS + 1 }, (_, argCount) => ({
    name,
    argCount,
    receiver: true,
    expand,
  }));
}

/** Half away from zero, unlike Math.round. */
function round(value: number): number {
  return Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
}

function doubleFunction(name: string, apply: (value: number) => number): FunctionDeclaration {
  return declareFunction(
    `math.${name}`,
    globalOverload(`math_${name}_double`, [DOUBLE], DOUBLE, (d) => new CelDouble(apply(d.value))),
  );
}

function doubleTest(name: string, test: (value: number) => boolean): FunctionDeclaration {
  return declareFunction(
    `math.${name}`,
    globalOverload(`math_${name}_double`, [DOUBLE], BOOL, (d) => test(d.value)),
  );
}

function absInt(value: CelInt): CelValue {
  if (value === INT64_MIN) return INT_OVERFLOW;
  return value < 0 ? negateInt(value) : value;
}

function bitwise(name: string, apply: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return declareFunction(
    `math.${name}`,
    globalOverload(`math_${name}_int_int`, [INT, INT], INT, (a, b) =>
      intOf(apply(BigInt(a), BigInt(b))),
    ),
    globalOverload(
      `math_${name}_uint_uint`,
      [UINT, UINT],
      UINT,
      (a, b) => new CelUint(apply(a.value, b.value)),
    ),
  );
}

/** Shifting by 64 bits and more leaves nothing, so longer ones need not be computed. */
function shift(
  name: string,
  ints: (value: bigint, by: bigint) => bigint,
  uints: (value: bigint, by: bigint) => bigint,
): FunctionDeclaration {
  const shifted = (by: CelInt, apply: (by: bigint) => CelValue): CelValue => {
    if (by < 0) return new CelError(`math.${name}() negative offset: ${by}`);
    return apply(by > 64 ? 64n : BigInt(by));
  };
  return declareFunction(
    `math.${name}`,
    globalOverload(`math_${name}_int_int`, [INT, INT], INT, (value, by) =>
      shifted(by, (n) => intOf(BigInt.asIntN(64, ints(BigInt(value), n)))),
    ),
    globalOverload(`math_${name}_uint_int`, [UINT, INT], UINT, (value, by) =>
      shifted(by, (n) => new CelUint(BigInt.asUintN(64, uints(value.value, n)))),
    ),
  );
}

const squareRoot = (value: number): CelDouble => new CelDouble(Math.sqrt(value));

/** Numbers: extremes, rounding, signs and bits. */
export const MATH_LIBRARY: Library = {
  macros: [...extremeMacros('least', 'math.@min'), ...extremeMacros('greatest', 'math.@max')],
  functions: [
    extreme('math.@min', -1),
    extreme('math.@max', 1),
    doubleFunction('ceil', Math.ceil),
    doubleFunction('floor', Math.floor),
    doubleFunction('round', round),
    doubleFunction('trunc', Math.trunc),
    doubleTest('isInf', (x) => x === Infinity || x === -Infinity),
    doubleTest('isNaN', Number.isNaN),
    doubleTest('isFinite', Number.isFinite),
    declareFunction(
      'math.abs',
      globalOverload('math_abs_double', [DOUBLE], DOUBLE, (d) => new CelDouble(Math.abs(d.value))),
      globalOverload('math_abs_int', [INT], INT, absInt),
      globalOverload('math_abs_uint', [UINT], UINT, (u) => u),
    ),
    declareFunction(
      'math.sign',
      globalOverload(
        'math_sign_double',
        [DOUBLE],
        DOUBLE,
        (d) => new CelDouble(Math.sign(d.value)),
      ),
      globalOverload('math_sign_int', [INT], INT, (i) => (i < 0 ? -1 : i > 0 ? 1 : 0)),
      globalOverload('math_sign_uint', [UINT], UINT, (u) => new CelUint(u.value > 0n ? 1n : 0n)),
    ),
    declareFunction(
      'math.sqrt',
      globalOverload('math_sqrt_double', [DOUBLE], DOUBLE, (d) => squareRoot(d.value)),
      globalOverload('math_sqrt_int', [INT], DOUBLE, (i) => squareRoot(Number(i))),
      globalOverload('math_sqrt_uint', [UINT], DOUBLE, (u) => squareRoot(Number(u.value))),
    ),
    bitwise('bitAnd', (a, b) => a & b),
    bitwise('bitOr', (a, b) => a | b),
    bitwise('bitXor', (a, b) => a ^ b),
    declareFunction(
      'math.bitNot',
      globalOverload('math_bitNot_int_int', [INT], INT, (i) => intOf(~BigInt(i))),
      globalOverload(
        'math_bitNot_uint_uint',
        [UINT],
        UINT,
        (u) => new CelUint(BigInt.asUintN(64, ~u.value)),
      ),
    ),
    shift(
      'bitShiftLeft',
      (a, n) => a << n,
      (a, n) => a << n,
    ),
    shift(
      'bitShiftRight',
      (a, n) => BigInt.asUintN(64, a) >> n,
      (a, n) => a >> n,
    ),
  ],
};
