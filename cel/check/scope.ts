import type { FunctionDeclaration } from '../types/declaration.ts';
import type { CelType } from '../value/cel-type.ts';
import type { CelValue } from '../value/value.ts';

/** What a global name stands for: a variable, or a constant when it has a value. */
export interface Declaration {
  type: CelType;
  value?: CelValue;
}

/** Everything an expression may refer to. */
export interface Declarations {
  /** Namespace that names are looked up in first, innermost part first. */
  container: string;
  variable: (name: string) => Declaration | undefined;
  functions: ReadonlyMap<string, FunctionDeclaration>;
  /** Types that `Name{field: value}` can make. */
  struct: (name: string) => CelType | undefined;
}

/** The names a name may mean, most specific first; a leading dot means the global one only. */
export function candidateNames(container: string, name: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const candidates: string[] = [];
  for (let prefix = container; prefix !== ''; prefix = parent(prefix)) {
    candidates.push(`${prefix}.${name}`);
  }
  candidates.push(name);
  return candidates;
}

function parent(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** Variables of the comprehensions around an expression, innermost last. */
export class LocalScope {
  readonly #variables: { name: string; type: CelType }[] = [];

  find(name: string): CelType | undefined {
    for (let i = this.#variables.length - 1; i >= 0; i--) {
      const variable = this.#variables[i];
      if (variable?.name === name) return variable.type;
    }
    return undefined;
  }

  push(name: string, type: CelType): void {
    this.#variables.push({ name, type });
  }

  pop(count: number): void {
    this.#variables.length -= count;
  }
}
