import { describe } from '../value/describe.ts';
import { ArrayList } from '../value/list.ts';
import { EntryMap, keyWork, mapKey } from '../value/map.ts';
import { runtimeType } from '../value/type-of.ts';
import { formatType } from '../value/type.ts';
import {
  CelError,
  CelList,
  CelMap,
  CelUnknown,
  type CelValue,
  isFailure,
  mergeUnknowns,
  NO_SUCH_OVERLOAD,
  noSuchOverload,
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

/** What a loop goes over: the elements of a list, the keys of a map. */
function elementsOf(frame: Frame, range: CelValue): CelList | CelError | CelUnknown {
  if (range instanceof CelList) return range;
  if (range instanceof CelMap) {
    const keys = range.keys();
    frame.work(keyWork(keys.length));
    return new ArrayList(keys);
  }
  if (isFailure(range)) return range;
  return new CelError(`got '${formatType(runtimeType(range))}', expected iterable type`);
}

/** Sets the variables for one iteration. */
function bind(frame: Frame, loop: FoldLoop, range: CelValue, elements: CelList, i: number): void {
  frame.checkInterrupt();
  const { slots } = frame;
  const { slot, slot2 } = loop;
  if (slot2 === undefined) {
    slots[slot] = elements.at(i);
  } else if (range instanceof CelMap) {
    const key = elements.at(i);
    slots[slot] = key;
    slots[slot2] = range.get(key) ?? null;
  } else {
    slots[slot] = i;
    slots[slot2] = elements.at(i);
  }
}

/** Testing whether to go on, per element: the accumulator, and what asks about it. */
const ALL_TEST = 2;
const EXISTS_TEST = 3;
/** Reading the accumulator, per element or at the end. */
const READ = 1;

/** `all` and `exists`: an element that decides ends the loop and outweighs every error. */
export function planQuantifier(loop: FoldLoop, predicate: Plan, deciding: boolean): Plan {
  const { run } = predicate;
  const rangeOf = loop.range.run;
  const test = deciding ? EXISTS_TEST : ALL_TEST;
  const step = test + READ + predicate.cost;
  return {
    cost: loop.range.cost + READ,
    run: (frame) => {
      const range = rangeOf(frame);
      const elements = elementsOf(frame, range);
      if (!(elements instanceof CelList)) return elements;
      const { length } = elements;
      let result: CelValue = !deciding;
      for (let i = 0; i < length; i++) {
        bind(frame, loop, range, elements, i);
        frame.charge(step);
        const value = run(frame);
        if (value === !deciding) continue;
        if (value === deciding) {
          // that the loop is over shows when it comes to the next element
          if (i + 1 < length) frame.charge(test);
          return deciding;
        }
        result = absorb(result, value);
      }
      return result;
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
const COUNT = 2;

/** `exists_one` looks at every element, so one error is the result. */
export function planExistsOne(loop: FoldLoop, predicate: Plan): Plan {
  const { run } = predicate;
  const rangeOf = loop.range.run;
  return {
    cost: loop.range.cost + COUNT,
    run: (frame) => {
      const range = rangeOf(frame);
      const elements = elementsOf(frame, range);
      if (!(elements instanceof CelList)) return elements;
      let count = 0;
      for (let i = 0; i < elements.length; i++) {
        bind(frame, loop, range, elements, i);
        frame.charge(predicate.cost);
        const value = run(frame);
        if (value === true) {
          frame.charge(COUNT);
          count++;
        } else if (value !== false) {
          return noSuchOverload(value);
        }
      }
      return count === 1;
    },
  };
}

/** Reading the accumulator and adding to it, per element that is kept. */
const APPEND = 2;
const LIST_STEP = 10;

/** `map`, `filter` and `transformList`. */
export function planListFold(loop: FoldLoop, filter: Plan | undefined, element: Plan): Plan {
  const keep = filter === undefined ? undefined : charged(filter);
  const { run } = element;
  const rangeOf = loop.range.run;
  const step = APPEND + (isConstant(element) ? 0 : LIST_STEP + element.cost);
  return {
    cost: loop.range.cost + READ,
    run: (frame) => {
      const range = rangeOf(frame);
      const elements = elementsOf(frame, range);
      if (!(elements instanceof CelList)) return elements;
      const result: CelValue[] = [];
      for (let i = 0; i < elements.length; i++) {
        bind(frame, loop, range, elements, i);
        const kept = keep === undefined ? true : keep(frame);
        if (kept === false) continue;
        if (kept !== true) return noSuchOverload(kept);
        frame.charge(step);
        const value = run(frame);
        if (isFailure(value)) return value;
        result.push(value);
      }
      return new ArrayList(result);
    },
  };
}

/** Adds to the map under construction; a failure ends the loop. */
type Insert = (frame: Frame, map: EntryMap) => CelValue | undefined;

/** `transformMap` and `transformMapEntry`. */
export function planMapFold(
  loop: FoldLoop,
  filter: Plan | undefined,
  cost: number,
  insert: Insert,
): Plan {
  const keep = filter === undefined ? undefined : charged(filter);
  const rangeOf = loop.range.run;
  const step = APPEND + cost;
  return {
    cost: loop.range.cost + READ,
    run: (frame) => {
      const range = rangeOf(frame);
      const elements = elementsOf(frame, range);
      if (!(elements instanceof CelList)) return elements;
      const map = new EntryMap();
      for (let i = 0; i < elements.length; i++) {
        bind(frame, loop, range, elements, i);
        const kept = keep === undefined ? true : keep(frame);
        if (kept === false) continue;
        if (kept !== true) return noSuchOverload(kept);
        frame.charge(step);
        const failure = insert(frame, map);
        if (failure !== undefined) return failure;
      }
      return map;
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
