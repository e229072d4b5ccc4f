import { typeOf, type CheckedExpression } from '../check/checked.ts';
import { countCodePoints } from '../source.ts';
import { ACCUMULATOR, type ComprehensionExpr, type Expr } from '../syntax/ast.ts';
import { isOptional, parameter } from '../value/type.ts';
import { CelBytes } from '../value/value.ts';
import { Range } from '../types/range.ts';
import type { CelType } from '../value/cel-type.ts';

/**
 * Bounds of the size of what a path leads to: the name of a variable, then names
 * of fields, `@items`, `@keys`, `@values` and `@indices`. Undefined when unknown.
 */
export type SizeHook = (path: readonly string[], type: CelType) => Range | undefined;

/** Sizes of the keys and values, or of the elements, of a list or map. */
export interface EntrySizes {
  kind: 'list' | 'map';
  key: Range;
  value: Range;
}

interface Local {
  name: string;
  path: readonly string[];
  size: Range | undefined;
  entries: EntrySizes | undefined;
}

/** Common bounds of two lists or maps, when both are known. */
export function unionEntries(
  a: EntrySizes | undefined,
  b: EntrySizes | undefined,
): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: a.key.union(b.key), value: a.value.union(b.value) };
}

/** What is known about the sizes of the parts of an expression while its cost is estimated. */
export class SizeTable {
  readonly #checked: CheckedExpression;
  readonly #hook: SizeHook;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals: Local[] = [];

  constructor(checked: CheckedExpression, hook: SizeHook) {
    this.#checked = checked;
    this.#hook = hook;
  }

  hook(path: readonly string[], type: CelType): Range | undefined {
    return path.length === 0 ? undefined : this.#hook(path, type);
  }

  local(name: string): Local | undefined {
    for (let i = this.#locals.length - 1; i >= 0; i--) {
      const local = this.#locals[i];
      if (local?.name === name) return local;
    }
    return undefined;
  }

  #localOf(expr: Expr): Local | undefined {
    return expr.kind === 'ident' ? this.local(expr.name) : undefined;
  }

  pop(count: number): void {
    this.#locals.length -= count;
  }

  /** A variable that stands for the value of an expression. */
  pushValue(name: string, expr: Expr): void {
    this.#locals.push({
      name,
      path: this.path(expr),
      size: this.size(expr),
      entries: this.entries(expr),
    });
  }

  /** The variables of a loop; returns how many there are. */
  pushIteration({ range, variable, variable2 }: ComprehensionExpr): number {
    const entries = this.entries(range);
    const path = this.path(range);
    const isList = (entries?.kind ?? typeOf(this.#checked, range).kind) === 'list';
    const push = (name: string, step: string, size: Range | undefined): void => {
      this.#locals.push({ name, path: [...path, step], size, entries: undefined });
    };
    if (variable2 === undefined) {
      if (isList) push(variable, '@items', entries?.value);
      else push(variable, '@keys', entries?.key);
      return 1;
    }
    push(variable, isList ? '@indices' : '@keys', entries?.key);
    push(variable2, isList ? '@items' : '@values', entries?.value);
    return 2;
  }

  path(expr: Expr): readonly string[] {
    return this.#localOf(expr)?.path ?? this.#paths.get(expr.id) ?? [];
  }

  /** The path for functions to look at; accumulators lead nowhere. */
  variablePath(expr: Expr): readonly string[] {
    const path = this.path(expr);
    return path[0] === ACCUMULATOR ? [] : path;
  }

  setPath(expr: Expr, path: readonly string[]): void {
    this.#paths.set(expr.id, path);
  }

  size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const type = typeOf(this.#checked, expr);
    const hooked = this.hook(this.path(expr), type);
    if (hooked !== undefined) {
      this.#sizes.set(expr.id, hooked);
      return hooked;
    }
    return isScalar(type) ? Range.fixed(1) : this.#localOf(expr)?.size;
  }

  sizeOrUnknown(expr: Expr): Range {
    return this.size(expr) ?? Range.unknown;
  }

  setSize(expr: Expr, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expr.id, size);
  }

  entries(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr.id) ?? this.#localOf(expr)?.entries;
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(expr.id, entries);
  }

  copy(to: Expr, from: Expr): void {
    this.setSize(to, this.size(from));
    this.setEntries(to, this.entries(from));
  }
}

/** Size that is plain from the text of the expression. */
function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return Range.fixed(expr.elements.length);
  if (expr.kind === 'map') return Range.fixed(expr.entries.length);
  if (expr.kind !== 'constant') return undefined;
  if (typeof expr.value === 'string') return Range.fixed(countCodePoints(expr.value));
  return Range.fixed(expr.value instanceof CelBytes ? expr.value.value.length : 1);
}

/** Types whose values all have the same size. */
function isScalar(type: CelType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default:
      return isOptional(type) && isScalar(parameter(type, 0));
  }
}
