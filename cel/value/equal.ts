import type { Meter } from './meter.ts';
import { sameType } from './type.ts';
import { keyWork } from './map.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelObject,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  type Comparison,
  type Failure,
  isFailure,
} from './value.ts';

/** Work of comparing one part of a list or map. */
const PART_WORK = 50;
/** Work for each element of lists whose semantics look at all of them to compare or join them. */
export const SEMANTICS_WORK = 200;
/** Strings of one length are compared so many characters at a time. */
const CHARACTERS_AT_ONCE = 4;

/**
 * Equality of any two values: numbers compare across their types, values of
 * different kinds are unequal, a part that is an error makes the result one.
 *
 * Every part counts as work, because an expression can make a value that shares
 * one part a million times.
 */
export function equal(a: CelValue, b: CelValue, meter: Meter): boolean | Failure {
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  return new CountedComparison(meter).equal(a, b);
}

/** One comparison, which counts what it looks at. */
class CountedComparison implements Comparison {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  equal(a: CelValue, b: CelValue): boolean | Failure {
    if (a === null || b === null) return a === b;
    switch (typeof a) {
      case 'string':
        if (isFailure(b)) return b;
        if (typeof b !== 'string' || a.length !== b.length) return false;
        this.#meter.work(a.length / CHARACTERS_AT_ONCE);
        return a === b;
      case 'boolean':
        return isFailure(b) ? b : a === b;
      case 'number':
      case 'bigint':
        return isFailure(b) ? b : equalInt(a, b);
      default:
    }
    if (isFailure(a)) return a;
    if (isFailure(b)) return b;
    if (a instanceof CelList) return b instanceof CelList && this.#lists(a, b);
    if (a instanceof CelMap) return b instanceof CelMap && this.#maps(a, b);
    if (a instanceof CelOptional) return b instanceof CelOptional && this.#optionals(a, b);
    return equalScalar(a, b);
  }

  #lists(a: CelList, b: CelList): boolean | Failure {
    if (a.length !== b.length) return false;
    if (a.semantics !== undefined) {
      this.#meter.work(SEMANTICS_WORK * a.length);
      return a.semantics.equals(a, b, this);
    }
    for (let i = 0; i < a.length; i++) {
      this.#meter.work(PART_WORK);
      const same = this.equal(a.at(i), b.at(i));
      if (same !== true) return same;
    }
    return true;
  }

  #maps(a: CelMap, b: CelMap): boolean | Failure {
    const { size } = a;
    this.#meter.work(keyWork(size) + keyWork(b.size));
    if (a.equals !== undefined) {
      this.#meter.work(PART_WORK * size);
      return a.equals(b, this);
    }
    if (size !== b.size) return false;
    for (const key of a.keys()) {
      this.#meter.work(PART_WORK);
      const other = b.get(key);
      if (other === undefined) return false;
      const same = this.equal(a.get(key) ?? null, other);
      if (same !== true) return same;
    }
    return true;
  }

  #optionals(a: CelOptional, b: CelOptional): boolean | Failure {
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return this.equal(a.value, b.value);
  }
}

function equalInt(a: number | bigint, b: CelValue): boolean {
  if (typeof b === 'number' || typeof b === 'bigint') return a === b;
  return compareNumbers(a, b) === 0;
}

function equalScalar(a: Exclude<CelValue, null>, b: CelValue): boolean {
  if (a instanceof CelDouble || a instanceof CelUint) {
    return compareNumbers(a, b) === 0;
  }
  if (a instanceof CelBytes) return b instanceof CelBytes && equalBytes(a.value, b.value);
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp && a.nanoseconds === b.nanoseconds;
  }
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && sameNamedType(a, b);
  return a instanceof CelObject && a.equals(b);
}

/** Types as values are equal by their name: `type([1]) == list`. */
function sameNamedType(a: CelTypeValue, b: CelTypeValue): boolean {
  return a.type.name === b.type.name || sameType(a.type, b.type);
}

/**
 * Order of two numbers of any kinds; NaN when one is a NaN, undefined when one is
 * not a number. Against a double, an integer is compared as the double nearest to it.
 */
export function compareNumbers(a: CelValue, b: CelValue): number | undefined {
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === undefined || right === undefined) return undefined;
  const asDoubles = a instanceof CelDouble || b instanceof CelDouble;
  return asDoubles ? order(Number(left), Number(right)) : order(left, right);
}

function order(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  // oxlint-disable-next-line eqeqeq -- a number and a bigint are equal when they name one integer
  return a == b ? 0 : NaN;
}

function numberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof CelDouble || value instanceof CelUint) return value.value;
  return undefined;
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
