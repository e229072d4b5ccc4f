import { CelError, CelList, type CelValue } from './value.ts';

export class ArrayList extends CelList {
  readonly elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.elements = elements;
  }

  get length(): number {
    return this.elements.length;
  }

  at(index: number): CelValue {
    return this.elements[index] as CelValue;
  }
}

/**
 * `a + b` without copying either: concatenation costs one step however long the
 * lists are. Depth is bounded, because a chain of `+` is bounded by the parser.
 */
class ConcatList extends CelList {
  readonly length: number;
  readonly #left: CelList;
  readonly #right: CelList;

  constructor(left: CelList, right: CelList) {
    super();
    this.#left = left;
    this.#right = right;
    this.length = left.length + right.length;
  }

  at(index: number): CelValue {
    const split = this.#left.length;
    return index < split ? this.#left.at(index) : this.#right.at(index - split);
  }
}

/** Lists share their parts, so a few steps could make one longer than any memory. */
const MAX_LIST_LENGTH = 2 ** 32 - 1;

const LIST_TOO_LONG = new CelError('list is too long');

/**
 * A view of both lists, not a copy, or an error beyond `MAX_LIST_LENGTH`. Lists of a
 * schema join as their type says.
 */
export function concatLists(a: CelList, b: CelList): CelValue {
  const semantics = a.semantics;
  if (semantics !== undefined) return semantics.concat(a, b);
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return a.length + b.length > MAX_LIST_LENGTH ? LIST_TOO_LONG : new ConcatList(a, b);
}

/** All elements, for functions that need them at once. */
export function listElements(list: CelList): readonly CelValue[] {
  if (list instanceof ArrayList) return list.elements;
  return Array.from({ length: list.length }, (_, i) => list.at(i));
}
