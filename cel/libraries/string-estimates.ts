import type { CallEstimator } from '../types/call-estimate.ts';
import { literalArgument } from '../cost/estimators.ts';
import { MAX_COST, Range } from '../types/range.ts';
import { STRING_COST } from '../value/size.ts';

const NOTHING = Range.zero;

/** `indexOf` and the like walk a string once; a list element by element, see lists. */
export const searchEstimate: CallEstimator = ({ target, sizeOf }) =>
  target === undefined ? undefined : { cost: sizeOf(target).scale(STRING_COST) };

/** Splitting walks the string and builds the parts, of which there may be one per character. */
export const splitEstimate: CallEstimator = ({ target, args, sizeOf }) => {
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  const parts = args.length > 1 ? literalArgument(args[1], size.max) : size.max;
  return { cost: size.scale(2 * STRING_COST), size: new Range(0n, parts) };
};

/** Cost of `join`: the sizes of all elements, and of the separator between them. */
export const joinEstimate: CallEstimator = ({ target, args, sizeOf, elementOf }) => {
  if (target === undefined) return undefined;
  const count = sizeOf(target);
  const element = elementOf(target);
  let size = element === undefined ? NOTHING : count.multiply(sizeOf(element));
  const [separator] = args;
  if (separator !== undefined) {
    const gaps = new Range(lessOne(count.min), lessOne(count.max));
    size = size.add(sizeOf(separator).multiply(gaps));
  }
  return { cost: size.scale(STRING_COST), size };
};

function lessOne(value: bigint): bigint {
  return value > 0n ? value - 1n : 0n;
}

/**
 * The result is longest when the shortest thing that can be replaced is replaced
 * everywhere by the longest replacement, and shortest the other way round.
 */
export const replaceEstimate: CallEstimator = ({ target, args, sizeOf }) => {
  const [part, by] = args;
  if (target === undefined || part === undefined || by === undefined) return undefined;
  const text = sizeOf(target);
  const from = sizeOf(part);
  const to = sizeOf(by);
  const longest = extreme(text.max, from.min, to.max <= from.min);
  const shortest = extreme(text.min, from.max, from.max <= to.min);
  const size = new Range(shortest.count, longest.count)
    .multiply(to)
    .add(new Range(shortest.kept, longest.kept));
  return { cost: text.scale(2 * STRING_COST), size };
};

function extreme(text: bigint, from: bigint, keepsText: boolean): { count: bigint; kept: bigint } {
  // Replacing the empty string puts the replacement around every character.
  if (from === 0n) return { count: text < MAX_COST ? text + 1n : text, kept: text };
  if (keepsText) return { count: 0n, kept: text };
  return { count: BigInt(Math.ceil(Number(text) / Number(from))), kept: 0n };
}
