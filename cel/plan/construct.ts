import { ArrayList } from '../value/list.ts';
import { EntryMap, mapKey } from '../value/map.ts';
import { describe } from '../value/describe.ts';
import { formatType } from '../value/type.ts';
import { runtimeType } from '../value/type-of.ts';
import { CelError, CelOptional, isFailure, type CelValue } from '../value/value.ts';
import { constantPlan, isConstant, type Plan } from './plan.ts';
import { Frame } from './frame.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

function totalCost(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => sum + plan.cost, 0);
}

/** `[a, ?b]`. A list of constants is itself one, and free. */
export function planList(elements: readonly Plan[], optional: ReadonlySet<number>): Plan {
  if (optional.size === 0 && elements.every(isConstant)) {
    return constantPlan(new ArrayList(elements.map((element) => element.constant)));
  }
  const runs = elements.map((element) => element.run);
  const isOptional = elements.map((_, i) => optional.has(i));
  return {
    cost: totalCost(elements) + LIST_COST,
    run: (frame) => {
      const values: CelValue[] = [];
      for (let i = 0; i < runs.length; i++) {
        const value = runs[i]?.(frame) ?? null;
        if (isFailure(value)) return value;
        if (isOptional[i] !== true) {
          values.push(value);
        } else if (!(value instanceof CelOptional)) {
          return new CelError(
            `cannot initialize optional list element from non-optional value ${describe(value)}`,
          );
        } else if (value.value !== undefined) {
          values.push(value.value);
        }
      }
      return new ArrayList(values);
    },
  };
}

interface EntryPlan {
  key: Plan;
  value: Plan;
  optional: boolean;
}

/** `{a: b, ?c: d}`. A map of constants is itself one, and free. */
export function planMap(entries: readonly EntryPlan[]): Plan {
  const plan: Plan = {
    cost: totalCost(entries.flatMap(({ key, value }) => [key, value])) + MAP_COST,
    run: (frame) => makeMap(frame, entries),
  };
  const constant = entries.every(
    ({ key, value, optional }) => !optional && isConstant(key) && isConstant(value),
  );
  if (!constant) return plan;
  const value = plan.run(new Frame([], 0, Infinity));
  return { cost: isFailure(value) ? plan.cost : 0, run: () => value, constant: value };
}

function makeMap(frame: Frame, entries: readonly EntryPlan[]): CelValue {
  const map = new EntryMap();
  for (const entry of entries) {
    const key = entry.key.run(frame);
    if (isFailure(key)) return key;
    let value = entry.value.run(frame);
    if (isFailure(value)) return value;
    const look = mapKey(key);
    if (look === undefined || typeof key === 'object') {
      const unsupported = unsupportedKey(key);
      if (unsupported !== undefined) return unsupported;
    }
    if (entry.optional) {
      if (!(value instanceof CelOptional)) {
        return new CelError(
          `cannot initialize optional entry '${describe(key)}' from non-optional value ${describe(value)}`,
        );
      }
      if (value.value === undefined) continue;
      value = value.value;
    }
    if (look !== undefined && !map.insert(look, key, value)) {
      return new CelError(`Failed with repeated key: ${describe(key)}`);
    }
  }
  return map;
}

/** Keys are bools, ints, uints and strings. */
function unsupportedKey(key: CelValue): CelError | undefined {
  const type = runtimeType(key);
  if (type.kind === 'uint') return undefined;
  return new CelError(`unsupported key type: ${formatType(type)}`);
}

interface FieldPlan {
  name: string;
  value: Plan;
  optional: boolean;
}

/** Makes the value of a struct from its fields. */
export type StructFactory = (fields: ReadonlyMap<string, CelValue>) => CelValue;

/** `Name{field: value}`. */
export function planStruct(fields: readonly FieldPlan[], make: StructFactory): Plan {
  return {
    cost: totalCost(fields.map(({ value }) => value)) + STRUCT_COST,
    run: (frame) => {
      const values = new Map<string, CelValue>();
      for (const field of fields) {
        let value = field.value.run(frame);
        if (isFailure(value)) return value;
        if (field.optional) {
          if (!(value instanceof CelOptional)) {
            return new CelError(
              `cannot initialize optional entry '${field.name}' from non-optional value ${describe(value)}`,
            );
          }
          if (value.value === undefined) continue;
          value = value.value;
        }
        values.set(field.name, value);
      }
      return make(values);
    },
  };
}
