import { OP } from '../syntax/ast.ts';
import type { FunctionDeclaration, Overload } from '../types/declaration.ts';
import type { Substitution } from '../types/substitution.ts';
import { DYN, isDyn, sameType } from '../value/type.ts';
import type { CelType } from '../value/cel-type.ts';

interface Resolution {
  overloads: readonly Overload[];
  type: CelType;
}

/**
 * Every signature that fits the arguments. Arguments of unknown type can fit
 * several; the call then has their common type, or `dyn` when they differ.
 */
export function resolveOverload(
  substitution: Substitution,
  declaration: FunctionDeclaration,
  args: readonly CelType[],
  isMember: boolean,
): Resolution | undefined {
  const fitting: Overload[] = [];
  let type: CelType | undefined;
  for (const overload of declaration.overloads) {
    if (overload.member !== isMember || overload.args.length !== args.length) continue;
    const [result = DYN, ...params] = substitution.instantiate([overload.result, ...overload.args]);
    if (!substitution.isAssignableList(args, params)) continue;
    fitting.push(overload);
    const resolved = substitution.resolve(result);
    if (type === undefined) type = resolved;
    else if (!isDyn(type) && !sameType(type, resolved)) type = DYN;
  }
  return type === undefined ? undefined : { overloads: fitting, type };
}

/** `&&` and `||` take bools one by one, so that the message names the term that is none. */
export function isLogic(name: string): boolean {
  return name === OP.and || name === OP.or;
}
