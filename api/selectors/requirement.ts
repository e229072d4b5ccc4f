/** Labels of one object; absent is like empty. */
export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. `values` has one element for `=`, `==`, `!=`, `gt` and `lt`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

const INTEGER = /^[+-]?\d+$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A decimal int64 with an optional sign, exact; undefined for anything else. */
export function parseInt64(text: string): number | bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  if (text.length <= 15) return Number(text);
  const digits = text.replace(/^\+/, '');
  const value = digits.length > 64 ? INT64_MAX + 1n : BigInt(digits);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}
