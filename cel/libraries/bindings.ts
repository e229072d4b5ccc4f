import { UNUSED_VARIABLE } from '../syntax/ast.ts';
import { argument, isNamespace, MacroError } from '../syntax/macro.ts';
import type { Library } from './library.ts';

/** `cel.bind(name, value, body)`: a name for a value that the body uses more than once. */
export const BINDINGS_LIBRARY: Library = {
  macros: [
    {
      name: 'bind',
      argCount: 3,
      receiver: true,
      expand: (call) => {
        if (!isNamespace(call.target, 'cel')) return undefined;
        const { builder: b, offset: at } = call;
        const variable = argument(call, 0);
        if (variable.kind !== 'ident') {
          throw new MacroError(variable, 'cel.bind() variable names must be simple identifiers');
        }
        return b.fold(at, {
          range: b.list(at, []),
          variable: UNUSED_VARIABLE,
          variable2: undefined,
          accumulator: variable.name,
          init: argument(call, 1),
          condition: b.constant(at, false),
          step: b.ident(at, variable.name),
          result: argument(call, 2),
        });
      },
    },
  ],
};
