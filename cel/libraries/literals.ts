import { walk } from '../check/walk.ts';
import type { CallExpr } from '../syntax/ast.ts';
import { parseDuration } from '../value/duration.ts';
import { writtenPattern } from '../value/pattern.ts';
import { parseTimestamp, timestampOfSeconds } from '../value/timestamp.ts';
import { CelError, type CelValue } from '../value/value.ts';
import type { Library, Validator } from './library.ts';

/** Reports calls of a function whose literal argument will always be an error. */
function literalValidator(name: string, isValid: (value: CelValue) => boolean): Validator {
  return (checked, report) => {
    walk(checked.root, (expr) => {
      if (expr.kind !== 'call' || expr.function !== name) return;
      const argument = lastArgument(expr);
      if (argument?.kind === 'constant' && !isValid(argument.value)) {
        report(argument.id, `invalid ${name} argument`);
      }
    });
  };
}

/** The only one, or the pattern after the text that `matches(text, pattern)` looks at. */
function lastArgument(call: CallExpr): CallExpr['args'][number] | undefined {
  return call.args.at(-1);
}

function isDuration(value: CelValue): boolean {
  return typeof value !== 'string' || parseDuration(value) !== undefined;
}

function isTimestamp(value: CelValue): boolean {
  if (typeof value === 'string') {
    const timestamp = parseTimestamp(value);
    return timestamp !== undefined && !(timestamp instanceof CelError);
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return true;
  return !(timestampOfSeconds(BigInt(value)) instanceof CelError);
}

function isPattern(value: CelValue): boolean {
  return typeof value !== 'string' || typeof writtenPattern(value).compile() !== 'string';
}

/**
 * Finds durations, timestamps and patterns that are wrong while an expression
 * is checked, so that its author hears of it rather than its users.
 */
export const LITERALS_LIBRARY: Library = {
  validators: [
    literalValidator('duration', isDuration),
    literalValidator('timestamp', isTimestamp),
    literalValidator('matches', isPattern),
  ],
};
