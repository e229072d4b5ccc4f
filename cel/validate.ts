import type { Library, Validator } from './libraries/library.ts';
import type { Expr } from './syntax/ast.ts';
import { formatType, parameter } from './value/type.ts';
import { typeOf, type CheckedExpression } from './check/checked.ts';
import { walk } from './check/walk.ts';
import type { CelType } from './value/cel-type.ts';

/** Runs the validators of an environment over a checked expression; findings go to its issues. */
export function validate(
  checked: CheckedExpression,
  validators: readonly Validator[],
  mixedLiterals: boolean,
  libraries: readonly Library[],
): void {
  const { issues, offsets } = checked.parsed;
  const report = (id: number, message: string): void => {
    issues.report(offsets[id] ?? 0, message);
  };
  for (const validator of validators) validator(checked, report);
  if (!mixedLiterals) {
    const exempt = new Set(libraries.flatMap(({ mixedArguments }) => mixedArguments ?? []));
    checkLiterals(checked, exempt, report);
  }
}

/** A list or map literal whose parts differ in type is more often a mistake than meant. */
function checkLiterals(
  checked: CheckedExpression,
  exempt: ReadonlySet<string>,
  report: (id: number, message: string) => void,
): void {
  const mismatch = (expr: Expr, expected: CelType, actual: CelType): void =>
    report(expr.id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  const part = (expr: Expr, optional: boolean): CelType => {
    const type = typeOf(checked, expr);
    return optional ? parameter(type, 0) : type;
  };
  walk(checked.root, (expr, parents) => {
    if (expr.kind !== 'list' && expr.kind !== 'map') return;
    if (parents.some((parent) => parent.kind === 'call' && exempt.has(parent.function))) return;
    if (expr.kind === 'list') {
      const types = expr.elements.map((element, i) => part(element, expr.optional.has(i)));
      const [first] = types;
      const wrong = types.findIndex((type) => first !== undefined && !isSameKind(first, type));
      const element = expr.elements[wrong];
      if (first !== undefined && element !== undefined) {
        mismatch(element, first, types[wrong] as CelType);
      }
      return;
    }
    const [head] = expr.entries;
    if (head === undefined) return;
    const key = typeOf(checked, head.key);
    const value = part(head.value, head.optional);
    for (const entry of expr.entries) {
      const entryKey = typeOf(checked, entry.key);
      const entryValue = part(entry.value, entry.optional);
      if (!isSameKind(key, entryKey)) mismatch(entry.key, key, entryKey);
      if (!isSameKind(value, entryValue)) mismatch(entry.value, value, entryValue);
    }
  });
}

/** Equality of types that lets any type parameter stand for any other. */
function isSameKind(a: CelType, b: CelType): boolean {
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if (a.kind !== 'param' && a.name !== b.name) return false;
  return a.params.every((param, i) => isSameKind(param, parameter(b, i)));
}
