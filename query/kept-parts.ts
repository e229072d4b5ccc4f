import {
  getOwn,
  isObject,
  scalarText,
  setOwn,
  type JsonObject,
  type JsonValue,
} from '../api/json.ts';
import type { PathStep } from './value-path.ts';

/** What is kept of a value: all of it, or what stands behind some steps. */
export class Kept {
  isWhole = false;
  readonly keys = new Map<string, Kept>();
  readonly items: { readonly step: Exclude<PathStep, { kind: 'key' }>; readonly kept: Kept }[] = [];

  add(steps: readonly PathStep[]): void {
    const [step, ...rest] = steps;
    if (step === undefined) {
      this.isWhole = true;
      return;
    }
    if (step.kind === 'key') {
      const next = this.keys.get(step.key) ?? new Kept();
      this.keys.set(step.key, next);
      next.add(rest);
      return;
    }
    const kept = new Kept();
    this.items.push({ step, kept });
    kept.add(rest);
    // the item says which one it is
    if (step.kind === 'item') kept.add([{ kind: 'key', key: step.key }]);
  }

  /** Undefined: nothing of it. */
  of(value: JsonValue): JsonValue | undefined {
    if (this.isWhole) return value;
    if (Array.isArray(value)) return this.#ofList(value);
    if (!isObject(value)) return undefined;
    const object: JsonObject = {};
    for (const [key, kept] of this.keys) {
      const child = getOwn(value, key);
      const shown = child === undefined ? undefined : kept.of(child);
      if (shown !== undefined) setOwn(object, key, shown);
    }
    return object;
  }

  #ofList(list: readonly JsonValue[]): JsonValue | undefined {
    if (this.items.length === 0) return undefined;
    const shown = new Map<number, JsonValue>();
    for (const { step, kept } of this.items) {
      const at =
        step.kind === 'index'
          ? step.index
          : list.findIndex(
              (item) => isObject(item) && scalarText(getOwn(item, step.key)) === step.value,
            );
      const item = list[at];
      const part = item === undefined ? undefined : kept.of(item);
      if (part !== undefined) shown.set(at, joined(shown.get(at), part));
    }
    return [...shown].sort(([a], [b]) => a - b).map(([, item]) => item);
  }
}

/** Two parts of one item. */
function joined(a: JsonValue | undefined, b: JsonValue): JsonValue {
  if (!isObject(a) || !isObject(b)) return b;
  const both = { ...a };
  for (const [key, value] of Object.entries(b)) setOwn(both, key, joined(getOwn(a, key), value));
  return both;
}
