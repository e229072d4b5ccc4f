import type { StructuralSchema } from '../structure/structural.ts';

/** More values than this are as good as unbounded. */
const MAX_CARDINALITY = 2n ** 64n - 1n;

/**
 * How many values the children of a node can have in one object, given how many
 * the node itself can have; undefined where no limit is declared. What a rule
 * may cost in all is its cost times this.
 *
 * Source: apiextensions-apiserver pkg/apis/apiextensions/validation, MaxCardinality.
 */
export function cardinalityBelow(
  node: StructuralSchema | undefined,
  own: bigint | undefined,
): bigint | undefined {
  if (node === undefined || own === undefined) return own;
  let factor: number | undefined = 1;
  if (node.type === 'object' && node.additionalProperties !== undefined) {
    factor = node.keywords?.maxProperties;
  } else if (node.type === 'array') factor = node.keywords?.maxItems;
  if (factor === undefined) return undefined;
  const product = own * BigInt(Math.max(0, Math.trunc(factor)));
  return product > MAX_CARDINALITY ? MAX_CARDINALITY : product;
}
