import type { CheckedExpression } from '../check/checked.ts';
import type { Macro } from '../syntax/macro.ts';
import type { FunctionDeclaration } from '../types/declaration.ts';
import type { CelType } from '../value/cel-type.ts';
import { CelTypeValue, type CelValue } from '../value/value.ts';

/** Looks at a checked expression for mistakes that would only show when it runs. */
export type Validator = (
  checked: CheckedExpression,
  report: (id: number, message: string) => void,
) => void;

/** Functions, macros and names that an environment can have. */
export interface Library {
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Names with a fixed value; types are such. */
  readonly constants?: readonly Constant[];
  readonly validators?: readonly Validator[];
  /** Whether `a.?b`, `a[?b]` and the like may be written. */
  readonly optionalSyntax?: boolean;
  /** Functions in whose arguments lists and maps may mix types. */
  readonly mixedArguments?: readonly string[];
}

interface Constant {
  name: string;
  type: CelType;
  value: CelValue;
}

/** A type under its name, as `type(x) == name` uses it. */
export function typeConstant(name: string, type: CelType, typeOfType: CelType): Constant {
  return { name, type: typeOfType, value: new CelTypeValue(type) };
}
