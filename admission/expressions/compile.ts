import type { Environment } from '../../cel/environment.ts';
import type { Program } from '../../cel/program.ts';
import { formatType, sameType } from '../../cel/value/type.ts';
import type { CelType } from '../../cel/value/cel-type.ts';

/** An expression of a webhook or policy, ready to be evaluated, or why it is not. */
export type CompiledExpression =
  | { readonly text: string; readonly program: Program; readonly type: CelType }
  /** Stored expressions may be older than the rules that they were checked by. */
  | { readonly text: string; readonly problem: string };

/** `results`: the types that the expression may have; empty: any. */
export function compileExpression(
  environment: Environment,
  source: string,
  results: readonly CelType[],
): CompiledExpression {
  const text = source.trim();
  const compiled = environment.compile(text);
  if (!compiled.ok) return { text, problem: `compilation failed: ${compiled.message}` };
  const { program, type } = compiled;
  if (results.length > 0 && !results.some((wanted) => sameType(wanted, type))) {
    const wanted = results.map(formatType).join(' or ');
    return { text, problem: `must evaluate to ${wanted} but got ${formatType(type)}` };
  }
  return { text, program, type };
}
