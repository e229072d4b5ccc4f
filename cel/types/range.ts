/** The largest cost or size; sums and products that would pass it stay there. */
export const MAX_COST = 2n ** 64n - 1n;

/** Lower and upper bound of a size or of a cost, saturating at {@link MAX_COST}. */
export class Range {
  static readonly zero = new Range(0n, 0n);
  /** Nothing is known. */
  static readonly unknown = new Range(0n, MAX_COST);
  /** The neutral element of {@link union}. */
  static readonly none = new Range(MAX_COST, 0n);

  readonly min: bigint;
  readonly max: bigint;

  constructor(min: bigint, max: bigint) {
    this.min = min;
    this.max = max;
  }

  static fixed(value: bigint | number): Range {
    const n = BigInt(value);
    return new Range(n, n);
  }

  add(other: Range): Range {
    return new Range(cap(this.min + other.min), cap(this.max + other.max));
  }

  multiply(other: Range): Range {
    return new Range(cap(this.min * other.min), cap(this.max * other.max));
  }

  /** Times a factor, rounded up. */
  scale(factor: number): Range {
    return new Range(scaled(this.min, factor), scaled(this.max, factor));
  }

  union(other: Range): Range {
    return new Range(
      other.min < this.min ? other.min : this.min,
      other.max > this.max ? other.max : this.max,
    );
  }
}

function cap(value: bigint): bigint {
  return value > MAX_COST ? MAX_COST : value;
}

/** In doubles, as the numbers that users compare with were made. */
function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? MAX_COST : BigInt(product);
}
