import type { Expr } from '../syntax/ast.ts';
import { MAP_INSERT } from '../plan/fold-shape.ts';
import { argument, MacroError, type Macro, type MacroCall } from '../syntax/macro.ts';
import {
  foldAll,
  foldExists,
  foldExistsOne,
  foldInto,
  foldList,
  iterationVariable,
  type FoldVariables,
} from '../syntax/standard-macros.ts';
import { declareFunction } from '../types/declaration.ts';
import { mapType, typeParam } from '../value/type.ts';
import type { Library } from './library.ts';
import { operatorOverload } from './standard-operators.ts';

const SIMPLE_NAME = 'argument must be a simple name';

/** Index or key, and value. */
function variables(call: MacroCall): FoldVariables {
  const variable = iterationVariable(argument(call, 0), SIMPLE_NAME);
  const second = argument(call, 1);
  const variable2 = iterationVariable(second, SIMPLE_NAME);
  if (variable === variable2) {
    throw new MacroError(second, `duplicate variable name: ${variable}`);
  }
  return { variable, variable2 };
}

function quantifier(name: string, fold: typeof foldAll): Macro {
  return {
    name,
    argCount: 3,
    receiver: true,
    expand: (call) => fold(call, variables(call), argument(call, 2)),
  };
}

type Transform = (
  call: MacroCall,
  variables: FoldVariables,
  transform: Expr,
  filter: Expr | undefined,
) => Expr;

/** With three arguments every element is transformed, with four those that pass the filter. */
function transformation(name: string, expand: Transform): Macro[] {
  return [3, 4].map((argCount) => ({
    name,
    argCount,
    receiver: true,
    expand: (call) =>
      expand(
        call,
        variables(call),
        argument(call, argCount - 1),
        argCount === 4 ? argument(call, 2) : undefined,
      ),
  }));
}

const transformMap: Transform = (call, vars, transform, filter) => {
  const { builder: b, offset: at } = call;
  const key = b.ident(at, vars.variable);
  const step = b.call(at, MAP_INSERT, b.accumulator(at), key, transform);
  return foldInto(call, vars, { init: b.map(at, []), step, filter });
};

const transformMapEntry: Transform = (call, vars, transform, filter) => {
  const { builder: b, offset: at } = call;
  const step = b.call(at, MAP_INSERT, b.accumulator(at), transform);
  return foldInto(call, vars, { init: b.map(at, []), step, filter });
};

const MAP = mapType(typeParam('K'), typeParam('V'));

/** Macros over index and value of a list, or key and value of a map. */
export const TWO_VARIABLE_LIBRARY: Library = {
  functions: [
    declareFunction(
      MAP_INSERT,
      operatorOverload('@mapInsert_map_key_value', [MAP, typeParam('K'), typeParam('V')], MAP),
      operatorOverload('@mapInsert_map_map', [MAP, MAP], MAP),
    ),
  ],
  macros: [
    quantifier('all', foldAll),
    quantifier('exists', foldExists),
    quantifier('existsOne', foldExistsOne),
    quantifier('exists_one', foldExistsOne),
    ...transformation('transformList', foldList),
    ...transformation('transformMap', transformMap),
    ...transformation('transformMapEntry', transformMapEntry),
  ],
};
