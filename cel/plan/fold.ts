import { describe } from '../value/describe.ts';
import { ArrayList, CelList } from '../value/list.ts';
import { CelMap, EntryMap, mapKey } from '../value/map.ts';
import { runtimeType } from '../value/type-of.ts';
import { formatType } from '../types/type.ts';
import {
  CelError,
  CelUnknown,
  isFailure,
  mergeUnknowns,
  NO_SUCH_OVERLOAD,
  noSuchOverload,
  type CelValue,
} from '../value/value.ts';
import type { Frame } from './frame.ts';
import { charged, isConstant, type Plan } from './plan.ts';

/** The range of a fold and the slots its variables live in. */
export interface FoldLoop {
  range: Plan;
  slot: number;
  /** Set for the two-variable macros, whose first variable is the index or key. */
  slot2: number | undefined;
}

/**
 * Sets the variables to each element in turn until `visit` returns false.
 * Returns the failure when the range is no list or map.
 */
function iterate(
  frame: Frame,
  loop: FoldLoop,
  range: CelValue,
  visit: () => boolean,
): CelValue | undefined {
  const { slot, slot2 } = loop;
  const { slots } = frame;
  if (range instanceof CelList) {
    for (let i = 0; i < range.length; i++) {
      frame.checkInterrupt();
      if (slot2 === undefined) {
        slots[slot] = range.at(i);
      } else {
        slots[slot] = i;
        slots[slot2] = range.at(i);
      }
      if (!visit()) return undefined;
    }
    return undefined;
  }
  if (!(range instanceof CelMap)) return notIterable(range);
  for (const key of range.keys()) {
    frame.checkInterrupt();
    slots[slot] = key;
    if (slot2 !== undefined) slots[slot2] = range.get(key) ?? null;
    if (!visit()) return undefined;
  }
  return undefined;
}

function notIterable(range: CelValue): CelValue {
  if (isFailure(range)) return range;
  return new CelError(`got '${formatType(runtimeType(range))}', expected iterable type`);
}

/** Reading the accumulator and testing whether to go on, per element. */
const ALL_STEP = 2 + 1;
const EXISTS_STEP = 3 + 1;
/** Reading the result at the end. */
const RESULT = 1;

/** `all` and `exists`: an element that decides ends the loop and outweighs every error. */
export function planQuantifier(loop: FoldLoop, predicate: Plan, deciding: boolean): Plan {
  const { run } = predicate;
  const range = loop.range.run;
  const step = (deciding ? EXISTS_STEP : ALL_STEP) + predicate.cost;
  return {
    cost: loop.range.cost + RESULT,
    run: (frame) => {
      let result: CelValue = !deciding;
      const failed = iterate(frame, loop, range(frame), () => {
        frame.charge(step);
        const value = run(frame);
        if (value === !deciding) return true;
        result = value === deciding ? deciding : absorb(result, value);
        return value !== deciding;
      });
      return failed ?? result;
    },
  };
}

/** What is left of an element that does not decide: unknowns come together, of errors the first stays. */
function absorb(result: CelValue, value: CelValue): CelValue {
  if (value instanceof CelUnknown) {
    return mergeUnknowns(result instanceof CelUnknown ? result : undefined, value);
  }
  if (typeof result !== 'boolean') return result;
  return value instanceof CelError ? value : NO_SUCH_OVERLOAD;
}

/** Counting a match, and comparing the count at the end. */
const COUNT_STEP = 2;
const COUNT_RESULT = 2;

/** `exists_one` looks at every element, so one error is the result. */
export function planExistsOne(loop: FoldLoop, predicate: Plan): Plan {
  const { run } = predicate;
  const range = loop.range.run;
  return {
    cost: loop.range.cost + COUNT_RESULT,
    run: (frame) => {
      let count = 0;
      let failure: CelValue | undefined;
      const failed = iterate(frame, loop, range(frame), () => {
        frame.charge(predicate.cost);
        const value = run(frame);
        if (value === true) {
          frame.charge(COUNT_STEP);
          count++;
        } else if (value !== false) {
          failure = noSuchOverload(value);
        }
        return failure === undefined;
      });
      return failed ?? failure ?? count === 1;
    },
  };
}

/** Reading the accumulator and adding to it, per element that is kept. */
const APPEND_STEP = 2;
const LIST_STEP = 10;

/** `map`, `filter` and `transformList`. */
export function planListFold(loop: FoldLoop, filter: Plan | undefined, element: Plan): Plan {
  const keep = filter === undefined ? undefined : charged(filter);
  const { run } = element;
  const range = loop.range.run;
  const step = APPEND_STEP + (isConstant(element) ? 0 : LIST_STEP + element.cost);
  return {
    cost: loop.range.cost + RESULT,
    run: (frame) => {
      const elements: CelValue[] = [];
      let failure: CelValue | undefined;
      const failed = iterate(frame, loop, range(frame), () => {
        const kept = keep === undefined ? true : keep(frame);
        if (kept === false) return true;
        if (kept !== true) {
          failure = noSuchOverload(kept);
          return false;
        }
        frame.charge(step);
        const value = run(frame);
        if (isFailure(value)) {
          failure = value;
          return false;
        }
        elements.push(value);
        return true;
      });
      return failed ?? failure ?? new ArrayList(elements);
    },
  };
}

/** Adds to the map under construction; a failure ends the loop. */
export type Insert = (frame: Frame, map: EntryMap) => CelValue | undefined;

/** `transformMap` and `transformMapEntry`. */
export function planMapFold(
  loop: FoldLoop,
  filter: Plan | undefined,
  cost: number,
  insert: Insert,
): Plan {
  const keep = filter === undefined ? undefined : charged(filter);
  const range = loop.range.run;
  const step = APPEND_STEP + cost;
  return {
    cost: loop.range.cost + RESULT,
    run: (frame) => {
      const map = new EntryMap();
      let failure: CelValue | undefined;
      const failed = iterate(frame, loop, range(frame), () => {
        const kept = keep === undefined ? true : keep(frame);
        if (kept === false) return true;
        if (kept === true) {
          frame.charge(step);
          failure = insert(frame, map);
        } else {
          failure = noSuchOverload(kept);
        }
        return failure === undefined;
      });
      return failed ?? failure ?? map;
    },
  };
}

/** Puts one entry into a map; an error when the key is there already or can be none. */
export function insertEntry(map: EntryMap, key: CelValue, value: CelValue): CelValue | undefined {
  const look = mapKey(key);
  if (look === undefined)
    return new CelError(`unsupported key type: ${formatType(runtimeType(key))}`);
  if (map.insert(look, key, value)) return undefined;
  return new CelError(`insert failed: key ${describe(key)} already exists`);
}

/** Puts all entries of one map into another. */
export function insertAll(map: EntryMap, entries: CelValue): CelValue | undefined {
  if (!(entries instanceof CelMap)) return noSuchOverload(entries);
  for (const key of entries.keys()) {
    const failure = insertEntry(map, key, entries.get(key) ?? null);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
