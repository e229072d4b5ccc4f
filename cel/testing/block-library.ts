import { ACCUMULATOR, UNUSED_VARIABLE, type Expr } from '../syntax/ast.ts';
import { argument, isNamespace, type Macro, type MacroCall } from '../syntax/macro.ts';
import type { Library } from '../libraries/library.ts';

/**
 * The notation in which the suite writes what an optimizer makes of an
 * expression: `cel.block([a, b], body)` names its slots `cel.index(0)` and so on.
 * Each slot is computed at most once, which is what a binding does.
 */
export const BLOCK_LIBRARY: Library = {
  macros: [
    namespaced('block', 2, (call) => {
      const { builder: b, offset: at } = call;
      const slots = argument(call, 0);
      if (slots.kind !== 'list') return undefined;
      return slots.elements.reduceRight<Expr>(
        (body, init, i) =>
          b.fold(at, {
            range: b.list(at, []),
            variable: UNUSED_VARIABLE,
            variable2: undefined,
            accumulator: `@index${i}`,
            init,
            condition: b.constant(at, false),
            step: b.ident(at, `@index${i}`),
            result: body,
          }),
        argument(call, 1),
      );
    }),
    namespaced('index', 1, (call) => ident(call, `@index${number(call, 0)}`)),
    namespaced('iterVar', 2, (call) => ident(call, `@it:${number(call, 0)}:${number(call, 1)}`)),
    namespaced('accuVar', 2, (call) => ident(call, ACCUMULATOR)),
  ],
};

function namespaced(name: string, argCount: number, expand: Macro['expand']): Macro {
  return {
    name,
    argCount,
    receiver: true,
    expand: (call) => (isNamespace(call.target, 'cel') ? expand(call) : undefined),
  };
}

function ident(call: MacroCall, name: string): Expr {
  return call.builder.ident(call.offset, name);
}

function number(call: MacroCall, index: number): string {
  const expr = argument(call, index);
  return expr.kind === 'constant' && typeof expr.value === 'number' ? expr.value.toString() : '';
}
