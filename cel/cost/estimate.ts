import { typeOf, type CheckedExpression } from '../check/checked.ts';
import {
  isBind,
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type ListExpr,
  type MapExpr,
} from '../syntax/ast.ts';
import type { Overload } from '../types/declaration.ts';
import { parameter } from '../value/type.ts';
import type { CallEstimate, CallSite, OperandNode } from '../types/call-estimate.ts';
import { Range } from '../types/range.ts';
import { SizeTable, type EntrySizes, type SizeHook } from './sizes.ts';
import { standardCallCost } from './standard-calls.ts';
import type { CelType } from '../value/cel-type.ts';

const ONE = Range.fixed(1);
const LIST_COST = Range.fixed(10);
const MAP_COST = Range.fixed(30);
const STRUCT_COST = Range.fixed(40);

/**
 * Bounds of the steps that evaluating an expression takes, whatever the values.
 * `sizes` bounds the size of what a path from a variable leads to; what nothing
 * bounds counts as endless. Rules are accepted or refused by the upper bound, so
 * any change of it changes which rules an API takes.
 */
export function estimateCost(checked: CheckedExpression, sizes: SizeHook): Range {
  return new Estimator(checked, sizes).cost(checked.root);
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizes: SizeTable;

  constructor(checked: CheckedExpression, sizes: SizeHook) {
    this.#checked = checked;
    this.#sizes = new SizeTable(checked, sizes);
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'constant':
      case 'error':
        return Range.zero;
      case 'ident':
        return this.#ident(expr, expr.name);
      case 'select':
        return this.#select(expr, expr.operand, expr.field, expr.testOnly);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#sum(expr.fields.map(({ value }) => value)).add(STRUCT_COST);
      case 'comprehension':
        return isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
    }
  }

  #sum(exprs: readonly Expr[]): Range {
    return exprs.reduce((sum, expr) => sum.add(this.cost(expr)), Range.zero);
  }

  #ident(expr: Expr, name: string): Range {
    this.#sizes.setPath(expr, this.#sizes.local(name)?.path ?? [name]);
    return ONE;
  }

  #select(expr: Expr, operand: Expr, field: string, testOnly: boolean): Range {
    const reference = this.#checked.references.get(expr.id);
    // A name with dots in it is one variable, not a way into one.
    if (reference !== undefined) return this.#ident(expr, reference.name);
    const cost = this.cost(operand);
    if (testOnly) return cost;
    this.#sizes.setPath(expr, [...this.#sizes.path(operand), field]);
    const { kind } = typeOf(this.#checked, operand);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? cost.add(ONE) : cost;
  }

  #list(expr: ListExpr): Range {
    let element = expr.elements.length === 0 ? Range.zero : Range.none;
    let cost = LIST_COST;
    for (const item of expr.elements) {
      cost = cost.add(this.cost(item));
      element = element.union(this.#sizes.sizeOrUnknown(item));
    }
    this.#sizes.setEntries(expr, { kind: 'list', key: ONE, value: element });
    return cost;
  }

  #map(expr: MapExpr): Range {
    const empty = expr.entries.length === 0 ? Range.zero : Range.none;
    let keys = empty;
    let values = empty;
    let cost = MAP_COST;
    for (const { key, value } of expr.entries) {
      cost = cost.add(this.cost(key)).add(this.cost(value));
      keys = keys.union(this.#sizes.sizeOrUnknown(key));
      values = values.union(this.#sizes.sizeOrUnknown(value));
    }
    this.#sizes.setEntries(expr, { kind: 'map', key: keys, value: values });
    return cost;
  }

  #comprehension(expr: ComprehensionExpr): Range {
    const sizes = this.#sizes;
    const start = this.cost(expr.range).add(this.cost(expr.init));
    sizes.pushValue(expr.accumulator, expr.init);
    const variables = sizes.pushIteration(expr);
    const loop = this.cost(expr.condition).add(this.cost(expr.step));
    sizes.pop(variables);
    const total = start.add(this.cost(expr.result));
    sizes.pop(1);
    const count = sizes.sizeOrUnknown(expr.range);
    if (expr.init.kind === 'constant') {
      sizes.setSize(expr, sizes.size(expr.init));
    } else if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      sizes.setSize(expr, count);
      sizes.setEntries(expr, sizes.entries(expr.step));
    }
    return total.add(count.multiply(loop));
  }

  /** The value of a binding is counted once, however often the body uses it. */
  #bind(expr: ComprehensionExpr): Range {
    const cost = this.cost(expr.range).add(this.cost(expr.init));
    this.#sizes.pushValue(expr.accumulator, expr.init);
    const total = cost.add(this.cost(expr.result));
    this.#sizes.pop(1);
    this.#sizes.copy(expr, expr.result);
    return total;
  }

  #call(expr: CallExpr): Range {
    const [first] = expr.args;
    if (expr.function === 'dyn' && first !== undefined) {
      // Only switches type checks off, so the value keeps its size.
      const cost = this.cost(first).add(ONE);
      this.#sizes.copy(expr, first);
      return cost;
    }
    const reference = this.#checked.references.get(expr.id);
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    const namespaced = reference?.kind === 'function' && reference.namespaced;
    const argCosts = expr.args.map((arg) => this.cost(arg));
    if (overloads.length === 0) return this.#optionalSelect(expr, argCosts);
    const target = namespaced ? undefined : expr.target;
    const targetCost = target === undefined ? Range.zero : this.cost(target);
    const site: CallSite = {
      target: target === undefined ? undefined : this.#operand(target),
      args: expr.args.map((arg) => this.#operand(arg)),
      sizeOf: (operand) => this.#sizeOf(operand),
      elementOf,
    };
    let cost = Range.none;
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(expr, overload, site, argCosts);
      cost = cost.union(estimate.cost);
      if (estimate.size !== undefined) size = size?.union(estimate.size) ?? estimate.size;
      size = this.#indexed(expr, overload, size) ?? this.#sizes.size(expr);
    }
    this.#sizes.setSize(expr, size);
    return targetCost.add(cost);
  }

  /** `a.?b` has no overload of its own to look up. */
  #optionalSelect(expr: CallExpr, argCosts: readonly Range[]): Range {
    return expr.args.length === 0 ? Range.zero : total(argCosts).add(ONE);
  }

  /** Elements of lists and maps have a path and, from a literal, a size. */
  #indexed(expr: CallExpr, overload: Overload, size: Range | undefined): Range | undefined {
    const step =
      overload.id === 'index_list' ? '@items' : overload.id === 'index_map' ? '@values' : undefined;
    const [container] = expr.args;
    if (step === undefined || container === undefined) return size;
    this.#sizes.setPath(expr, [...this.#sizes.path(container), step]);
    return this.#sizes.entries(container)?.value;
  }

  #operand(expr: Expr): OperandNode {
    return { expr, type: typeOf(this.#checked, expr), path: this.#sizes.variablePath(expr) };
  }

  #sizeOf(operand: OperandNode): Range {
    if (operand.expr !== undefined) return this.#sizes.sizeOrUnknown(operand.expr);
    return this.#sizes.hook(operand.path, operand.type) ?? Range.unknown;
  }

  #overload(
    expr: CallExpr,
    overload: Overload,
    site: CallSite,
    argCosts: readonly Range[],
  ): CallEstimate {
    const own = overload.estimate?.(site);
    if (own !== undefined) return { ...own, cost: own.cost.add(total(argCosts)) };
    const entries = (at: number): EntrySizes | undefined => {
      const arg = expr.args[at];
      return arg === undefined ? undefined : this.#sizes.entries(arg);
    };
    const standard = standardCallCost(overload.id, site, argCosts, entries);
    this.#sizes.setEntries(expr, standard.entries);
    return standard;
  }
}

function total(costs: readonly Range[]): Range {
  return costs.reduce((sum, cost) => sum.add(cost), Range.zero);
}

function elementOf({ type, path }: OperandNode): OperandNode | undefined {
  const element: CelType | undefined = type.params[0];
  if (element === undefined) return undefined;
  return {
    expr: undefined,
    type: parameter(type, 0),
    path: path.length === 0 ? [] : [...path, '@items'],
  };
}
