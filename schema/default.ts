import { deepClone, getOwn, hasOwn, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { DefaultBudget } from './default-budget.ts';
import type { StructuralSchema } from './structure/structural.ts';

interface DefaultOptions {
  /** Nulls that are not allowed and have no default stay: validation refuses them. */
  readonly keepNulls?: boolean;
  /** How much defaults may add; that of one object unless given. */
  readonly budget?: DefaultBudget;
}

/**
 * Fills in the schema's defaults, in place, also inside what a default has just
 * brought in. A null where nullable is false counts as absent: it becomes the
 * default, or goes. Each place gets a copy of its own.
 *
 * Undefined when done. Otherwise the defaults are larger than the budget: the
 * path of the field that had no room, innermost step last; the value is then as
 * it was.
 *
 * Source: behaviours 7.4, apiextensions-apiserver pkg/apiserver/schema/defaulting.
 */
export function applyDefaults(
  value: JsonValue,
  schema: StructuralSchema,
  { keepNulls = false, budget = new DefaultBudget() }: DefaultOptions = {},
): string | undefined {
  const defaulting = new Defaulting(keepNulls, budget);
  const steps = defaulting.fill(value, schema);
  if (steps === undefined) return undefined;
  defaulting.undo();
  return pathOf(steps);
}

/** The steps to the field without room, innermost first; undefined when there was room for all. */
type Outcome = (string | number)[] | undefined;

/** A field or item that defaulting has changed; `before` undefined: it was not there. */
interface Change {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
  readonly before: JsonValue | undefined;
}

class Defaulting {
  readonly #keepNulls: boolean;
  readonly #budget: DefaultBudget;
  readonly #changes: Change[] = [];

  constructor(keepNulls: boolean, budget: DefaultBudget) {
    this.#keepNulls = keepNulls;
    this.#budget = budget;
  }

  fill(value: JsonValue, schema: StructuralSchema): Outcome {
    if (typeof value !== 'object' || value === null) return undefined;
    return Array.isArray(value) ? this.#fillList(value, schema) : this.#fillObject(value, schema);
  }

  undo(): void {
    for (const { container, key, before } of this.#changes.reverse()) {
      if (before === undefined) Reflect.deleteProperty(container, key);
      else if (Array.isArray(container)) container[Number(key)] = before;
      else setOwn(container, key, before);
    }
  }

  /** `value` undefined: the field goes. */
  #set(container: JsonObject, key: string, value: JsonValue | undefined): void {
    this.#changes.push({ container, key, before: getOwn(container, key) });
    if (value === undefined) Reflect.deleteProperty(container, key);
    else setOwn(container, key, deepClone(value));
  }

  #fillList(value: JsonValue[], { items }: StructuralSchema): Outcome {
    if (items === undefined) return undefined;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null) {
        if (items.nullable || items.default === undefined) continue;
        if (!this.#budget.take(items.defaultSize)) return [i];
        this.#changes.push({ container: value, key: String(i), before: null });
        value[i] = deepClone(items.default);
      }
      const full = this.fill(value[i] as JsonValue, items);
      if (full !== undefined) {
        full.push(i);
        return full;
      }
    }
    return undefined;
  }

  #fillObject(value: JsonObject, schema: StructuralSchema): Outcome {
    for (const { name, schema: property } of schema.defaulted) {
      if (!hasOwn(value, name) || (value[name] === null && !property.nullable)) {
        if (!this.#budget.take(property.defaultSize)) return [name];
        this.#set(value, name, property.default);
      }
    }
    for (const key in value) {
      const child = schema.child(key);
      if (child === undefined) continue;
      if (value[key] === null && !child.nullable) {
        // only keys of additionalProperties still have a default to get here
        if (child.default === undefined) {
          if (this.#keepNulls) continue;
          this.#set(value, key, undefined);
          continue;
        }
        if (!this.#budget.take(child.defaultSize)) return [key];
        this.#set(value, key, child.default);
      }
      const full = this.fill(value[key] as JsonValue, child);
      if (full !== undefined) {
        full.push(key);
        return full;
      }
    }
    return undefined;
  }
}

function pathOf(innermostFirst: readonly (string | number)[]): string {
  let path = '';
  for (const step of [...innermostFirst].reverse()) {
    if (typeof step === 'number') path += `[${step}]`;
    else path = path === '' ? step : `${path}.${step}`;
  }
  return path;
}
