import { REGEX_COST, STRING_COST } from '../value/size.ts';
import type { CallEstimator, CallSite, OperandNode } from '../types/call-estimate.ts';
import { Range } from '../types/range.ts';

const ONE = Range.fixed(1);

/** One step, whatever the operands. */
export const constantEstimate: CallEstimator = () => ({ cost: ONE });

/** The subject of a call: its receiver, or its first argument. */
function subject({ target, args }: CallSite): OperandNode | undefined {
  return target ?? args[0];
}

/** Walks the subject, `times` over. With `keepsSize` the result is as long as the subject. */
export function walkEstimate(times = 1, keepsSize = false): CallEstimator {
  return (call) => {
    const operand = subject(call);
    if (operand === undefined) return undefined;
    const size = call.sizeOf(operand);
    const cost = size.scale(times * STRING_COST);
    return keepsSize ? { cost, size } : { cost };
  };
}

/** Bounds of matching an operand against a pattern. */
export function regexEstimate(text: Range, pattern: Range): Range {
  return text.add(ONE).scale(STRING_COST).multiply(pattern.scale(REGEX_COST));
}

/** An int literal as an argument; the default when the argument is anything else. */
export function literalArgument(operand: OperandNode | undefined, otherwise: bigint): bigint {
  const expr = operand?.expr;
  if (expr?.kind !== 'constant') return otherwise;
  if (typeof expr.value !== 'number' && typeof expr.value !== 'bigint') return otherwise;
  return expr.value < 0 ? 0n : BigInt(expr.value);
}
