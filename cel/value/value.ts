import type { CelType } from './cel-type.ts';

/**
 * A value of the language at run time.
 *
 * An int is a `number` while it is a safe integer and a `bigint` beyond, never
 * both for one value; a JavaScript number is therefore always an int, and a
 * double is a {@link CelDouble}. Errors and unknowns are values too: that is how
 * `&&`, `||` and `?:` can absorb them.
 */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | CelDouble
  | CelUint
  | CelBytes
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelObject
  | CelError
  | CelUnknown;

export class CelDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned integer of 64 bits. */
export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class CelBytes {
  readonly value: Uint8Array;
  constructor(value: Uint8Array) {
    this.value = value;
  }
}

/** An instant between the years 1 and 9999. */
export class CelTimestamp {
  /** Since 1970. */
  readonly nanoseconds: bigint;
  /** Zone the text was written in; only turning it into text again shows it. */
  readonly offsetSeconds: number;
  constructor(nanoseconds: bigint, offsetSeconds = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetSeconds = offsetSeconds;
  }
}

/** Nanoseconds within an int64. */
export class CelDuration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

export class CelOptional {
  static readonly none = new CelOptional(undefined);
  readonly value: CelValue | undefined;
  private constructor(value: CelValue | undefined) {
    this.value = value;
  }
  static of(value: CelValue): CelOptional {
    return new CelOptional(value);
  }
}

/** A type as a value: what `type(x)` and the name `int` give. */
export class CelTypeValue {
  readonly type: CelType;
  constructor(type: CelType) {
    this.type = type;
  }
}

/** A value of a library's own type: a quantity, an address, an authorizer. */
export abstract class CelObject {
  abstract readonly type: CelType;
  abstract equals(other: CelValue): boolean;
  /** What the cost model takes as the value's size. */
  get size(): number {
    return 1;
  }
}

/** Compares the parts of lists and maps, and counts the work. */
export interface Comparison {
  equal(a: CelValue, b: CelValue): boolean | Failure;
}

/** A list. Elements may be made on demand, so `at` can yield an error value. */
export abstract class CelList {
  abstract readonly length: number;
  /** The element at an index that the caller knows to be in range. */
  abstract at(index: number): CelValue;
  /** Elements as a list of this kind, when equality and `+` follow rules of their own. */
  get semantics(): ListSemantics | undefined {
    return undefined;
  }
}

/** How lists whose schema gives them a meaning compare and concatenate. */
export interface ListSemantics {
  /** The lists have the same length. */
  equals: (a: CelList, b: CelList, comparison: Comparison) => boolean | Failure;
  concat: (a: CelList, b: CelList) => CelValue;
}

/** A map, or an object whose fields are read like one. */
export abstract class CelMap {
  abstract readonly size: number;
  /** The value at a key, undefined when there is none. Numbers match across their types. */
  abstract get(key: CelValue): CelValue | undefined;
  abstract keys(): readonly CelValue[];
  /** The type of an object; absent on plain maps. */
  get type(): CelType | undefined {
    return undefined;
  }
  /** Equality by rules of its own, for objects whose fields are not all accessible. */
  equals?(other: CelMap, comparison: Comparison): boolean | Failure;
}

/** Evaluation went wrong. Not an Error: an expression may yield thousands and drop them all. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The value depends on something that is not known yet; carries the names it waits for. */
export class CelUnknown {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    this.names = names;
  }
}

export type Failure = CelError | CelUnknown;

/** An error, or an unknown: both end the expression unless `||`, `&&` or `?:` absorbs them. */
export function isFailure(value: CelValue): value is Failure {
  return value instanceof CelError || value instanceof CelUnknown;
}

export const NO_SUCH_OVERLOAD = new CelError('no such overload');

/** A failed argument stays the failure; any other value has no overload here. */
export function noSuchOverload(...args: CelValue[]): Failure {
  return firstFailure(args) ?? NO_SUCH_OVERLOAD;
}

/** Unknowns of all arguments together, or else the first error. */
export function firstFailure(args: readonly CelValue[]): Failure | undefined {
  let error: CelError | undefined;
  let unknown: CelUnknown | undefined;
  for (const arg of args) {
    if (arg instanceof CelUnknown) unknown = mergeUnknowns(unknown, arg);
    else if (arg instanceof CelError) error ??= arg;
  }
  return unknown ?? error;
}

/** Names of both, each once. */
export function mergeUnknowns(a: CelUnknown | undefined, b: CelUnknown): CelUnknown {
  if (a === undefined || a === b) return b;
  return new CelUnknown([...new Set([...a.names, ...b.names])]);
}
