import { typeOf, type CheckedExpression, type Reference } from '../check/checked.ts';
import {
  isBind,
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type SelectExpr,
} from '../syntax/ast.ts';
import type { CelType } from '../value/cel-type.ts';
import { CelError, isFailure, type CelValue } from '../value/value.ts';
import { planHas, planSelect } from './attribute.ts';
import { planCall } from './call.ts';
import { planList, planMap, planStruct, type StructFactory } from './construct.ts';
import {
  insertAll,
  insertEntry,
  planExistsOne,
  planListFold,
  planMapFold,
  planQuantifier,
  type FoldLoop,
} from './fold.ts';
import { foldShape, type FoldShape } from './fold-shape.ts';
import { planOperator } from './operators.ts';
import { Frame } from './frame.ts';
import { charged, constantPlan, isConstant, PlanError, type Plan } from './plan.ts';
import { SPECIAL_CALLS, type SpecialCall } from './special-calls.ts';

/** How values of struct types are made; undefined for types that expressions cannot construct. */
export type StructFactories = (type: CelType) => StructFactory | undefined;

/** A compiled expression with what it needs at run time. */
export interface CompiledExpression {
  plan: Plan;
  /** Names of the global variables, in the order in which a frame holds their values. */
  globals: readonly string[];
  slots: number;
}

/**
 * Compiles a checked expression into nested closures.
 *
 * @throws PlanError when a constant part of it always fails
 */
export function compile(checked: CheckedExpression, structs: StructFactories): CompiledExpression {
  const planner = new Planner(checked, structs);
  const plan = planner.plan(checked.root);
  return { plan, globals: planner.globals, slots: planner.slots };
}

/** A local variable of the expression; a bound one is evaluated when it is first needed. */
interface Local {
  name: string;
  slot: number;
  init: Plan | undefined;
}

class Planner {
  readonly globals: string[] = [];
  slots = 0;
  readonly #checked: CheckedExpression;
  readonly #structs: StructFactories;
  readonly #locals: Local[] = [];

  constructor(checked: CheckedExpression, structs: StructFactories) {
    this.#checked = checked;
    this.#structs = structs;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'constant':
        return constantPlan(expr.value);
      case 'ident':
        return this.#ident(expr.id, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return planList(
          expr.elements.map((element) => this.plan(element)),
          expr.optional,
        );
      case 'map':
        return planMap(
          expr.entries.map(({ key, value, optional }) => ({
            key: this.plan(key),
            value: this.plan(value),
            optional,
          })),
        );
      case 'struct': {
        const make = this.#structs(typeOf(this.#checked, expr));
        if (make === undefined) throw new PlanError(`unknown type: ${expr.typeName}`);
        const fields = expr.fields.map(({ name, value, optional }) => ({
          name,
          value: this.plan(value),
          optional,
        }));
        return planStruct(fields, make);
      }
      case 'comprehension':
        return this.#comprehension(expr);
      case 'error':
        throw new PlanError('the expression has errors');
    }
  }

  #reference(id: number): Reference | undefined {
    return this.#checked.references.get(id);
  }

  #ident(id: number, name: string): Plan {
    const reference = this.#reference(id);
    if (reference?.kind === 'constant') return constantPlan(reference.value);
    if (reference?.kind === 'variable') return this.#global(reference.name);
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      const local = this.#locals[i];
      if (local?.name === name) return localPlan(local);
    }
    return this.#global(name);
  }

  #global(name: string): Plan {
    let index = this.globals.indexOf(name);
    if (index < 0) index = this.globals.push(name) - 1;
    const missing = new CelError(`no such attribute(s): ${name}`);
    return {
      cost: 1,
      lookup: 1,
      run: (frame) => {
        const value = frame.globals[index];
        return value === undefined ? missing : value;
      },
    };
  }

  #select(expr: SelectExpr): Plan {
    const reference = this.#reference(expr.id);
    if (reference?.kind === 'constant') return constantPlan(reference.value);
    if (reference?.kind === 'variable') return this.#global(reference.name);
    const operand = this.plan(expr.operand);
    return expr.testOnly ? planHas(operand, expr.field) : planSelect(operand, expr.field);
  }

  #call(expr: CallExpr): Plan {
    const reference = this.#reference(expr.id);
    const namespaced = reference?.kind === 'function' && reference.namespaced;
    const operands =
      expr.target === undefined || namespaced ? expr.args : [expr.target, ...expr.args];
    const args = operands.map((operand) => this.plan(operand));
    const operator = planOperator(expr.function, args);
    if (operator !== undefined) return operator;
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    const name = reference?.kind === 'function' ? reference.name : expr.function;
    const special: SpecialCall | undefined = SPECIAL_CALLS.get(name);
    const plan = special?.(args, overloads) ?? planCall(name, overloads, args);
    return CONVERSIONS.has(name) && args.every(isConstant) ? folded(plan) : plan;
  }

  #comprehension(expr: ComprehensionExpr): Plan {
    if (isBind(expr)) return this.#bind(expr);
    const range = this.plan(expr.range);
    const shape = foldShape(expr);
    if (shape === undefined) throw new PlanError('unknown kind of comprehension');
    const slot = this.slots++;
    const slot2 = expr.variable2 === undefined ? undefined : this.slots++;
    const locals: Local[] = [{ name: expr.variable, slot, init: undefined }];
    if (expr.variable2 !== undefined && slot2 !== undefined) {
      locals.push({ name: expr.variable2, slot: slot2, init: undefined });
    }
    this.#locals.push(...locals);
    const plan = this.#fold(shape, { range, slot, slot2 });
    this.#locals.length -= locals.length;
    return plan;
  }

  #fold(shape: FoldShape, loop: FoldLoop): Plan {
    switch (shape.kind) {
      case 'all':
      case 'exists':
        return planQuantifier(loop, this.plan(shape.predicate), shape.kind === 'exists');
      case 'existsOne':
        return planExistsOne(loop, this.plan(shape.predicate));
      case 'list':
        return planListFold(loop, this.#optional(shape.filter), this.plan(shape.element));
      case 'map': {
        const key = this.plan(shape.key);
        const value = this.plan(shape.value);
        return planMapFold(
          loop,
          this.#optional(shape.filter),
          key.cost + value.cost,
          (frame, map) => {
            const v = value.run(frame);
            return isFailure(v) ? v : insertEntry(map, key.run(frame), v);
          },
        );
      }
      case 'entries': {
        const entries = this.plan(shape.entries);
        return planMapFold(loop, this.#optional(shape.filter), entries.cost, (frame, map) =>
          insertAll(map, entries.run(frame)),
        );
      }
    }
  }

  #optional(expr: Expr | undefined): Plan | undefined {
    return expr === undefined ? undefined : this.plan(expr);
  }

  /** `cel.bind`: the value is computed at most once, and only when it is needed. */
  #bind(expr: ComprehensionExpr): Plan {
    const init = this.plan(expr.init);
    const slot = this.slots++;
    this.#locals.push({ name: expr.accumulator, slot, init });
    const body = this.plan(expr.result);
    this.#locals.pop();
    const { run } = body;
    return {
      cost: body.cost,
      run: (frame) => {
        frame.slots[slot] = undefined;
        return run(frame);
      },
    };
  }
}

function localPlan({ slot, init }: Local): Plan {
  if (init === undefined) {
    return { cost: 1, lookup: 1, slot, run: (frame) => frame.slots[slot] as CelValue };
  }
  const compute = charged(init);
  return {
    cost: 1,
    lookup: 1,
    run: (frame) => {
      const known = frame.slots[slot];
      // A bound null is a value like any other.
      return known === undefined ? (frame.slots[slot] = compute(frame)) : known;
    },
  };
}

/** Conversions of literals are done while compiling, and one that fails fails there. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

function folded(plan: Plan): Plan {
  const value = charged(plan)(new Frame([], 0, Infinity));
  if (value instanceof CelError) throw new PlanError(value.message);
  return constantPlan(value);
}
