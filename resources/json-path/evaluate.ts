import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Filter, JsonPath, Operand, Operator, Step } from './steps.ts';

/** Values that one evaluation may look at; a path over a large object ends without a result there. */
const MAX_STEPS = 10_000;

/**
 * The first value that a path leads to, which is all that a column shows;
 * undefined when there is none, when the path does not fit the object (an index
 * into something that is not a list, a comparison of a text with a number), or when
 * finding it would take too long.
 */
export function firstAt(path: JsonPath, object: JsonObject): JsonValue | undefined {
  try {
    for (const value of new Evaluation(object).values(path, 0, object)) return value;
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
  }
  return undefined;
}

class Misfit extends Error {}

class Evaluation {
  readonly #root: JsonObject;
  #steps = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** What the steps from `at` on lead to from a value, in order, as far as the caller reads. */
  *values(path: JsonPath, at: number, value: JsonValue): Generator<JsonValue> {
    if (++this.#steps > MAX_STEPS) throw new Misfit();
    const step = path[at];
    if (step === undefined) {
      yield value;
      return;
    }
    for (const next of this.#next(step, value)) yield* this.values(path, at + 1, next);
  }

  *#next(step: Step, value: JsonValue): Generator<JsonValue> {
    switch (step.step) {
      case 'field': {
        const field = isObject(value) ? getOwn(value, step.name) : undefined;
        if (field !== undefined) yield field;
        return;
      }
      case 'index': {
        const item = listOf(value).at(step.index);
        if (item !== undefined) yield item;
        return;
      }
      case 'slice':
        yield* slice(listOf(value), step);
        return;
      case 'wildcard':
        if (Array.isArray(value)) yield* value;
        else if (isObject(value)) yield* Object.values(value);
        return;
      case 'descend':
        yield* this.#descend(value);
        return;
      case 'union':
        for (const choice of step.choices) yield* this.#next(choice, value);
        return;
      case 'filter':
        for (const item of listOf(value)) if (this.#passes(step.filter, item)) yield item;
    }
  }

  *#descend(value: JsonValue): Generator<JsonValue> {
    if (++this.#steps > MAX_STEPS) throw new Misfit();
    yield value;
    if (typeof value !== 'object' || value === null) return;
    for (const child of childrenOf(value)) yield* this.#descend(child);
  }

  #passes(filter: Filter, item: JsonValue): boolean {
    if (filter.test === 'exists') {
      return this.values(filter.path, 0, item).next().done !== true;
    }
    const left = this.#operand(filter.left, item);
    const right = this.#operand(filter.right, item);
    if (left === undefined || right === undefined) return false;
    return compare(left, filter.operator, right);
  }

  #operand(operand: Operand, item: JsonValue): JsonValue | undefined {
    if (operand.operand === 'constant') return operand.value;
    const start = operand.from === 'root' ? this.#root : item;
    for (const value of this.values(operand.path, 0, start)) return value;
    return undefined;
  }
}

function childrenOf(value: JsonObject | JsonValue[]): JsonValue[] {
  return Array.isArray(value) ? value : Object.values(value);
}

function listOf(value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw new Misfit();
  return value;
}

function* slice(
  list: JsonValue[],
  { from, to, by }: { from: number; to?: number; by: number },
): Generator<JsonValue> {
  const position = (index: number): number => (index < 0 ? index + list.length : index);
  const end = Math.min(to === undefined ? list.length : position(to), list.length);
  if (by <= 0) throw new Misfit();
  for (let at = Math.max(0, position(from)); at < end; at += by) yield list[at] as JsonValue;
}

function compare(left: JsonValue, operator: Operator, right: JsonValue): boolean {
  const order = orderOf(left, right);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Negative, 0 or positive; only scalars of one kind can be compared. */
function orderOf(left: JsonValue, right: JsonValue): number {
  const areNumbers = isNumber(left) && isNumber(right);
  const areTexts = typeof left === 'string' && typeof right === 'string';
  if (areNumbers || areTexts) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  throw new Misfit();
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
