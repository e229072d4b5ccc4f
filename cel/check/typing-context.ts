import type { IssueList } from '../issue.ts';
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { ParsedExpression } from '../syntax/parser.ts';
import type { FunctionDeclaration } from '../types/declaration.ts';
import { moreGeneral, Substitution } from '../types/substitution.ts';
import {
  DYN,
  ERROR,
  formatType,
  INT,
  isDyn,
  isDynOrError,
  isOptional,
  optionalType,
  parameter,
  unwrapOptional,
} from '../value/type.ts';
import type { Reference } from './checked.ts';
import { candidateNames, LocalScope, type Declaration, type Declarations } from './scope.ts';
import type { CelType } from '../value/cel-type.ts';

/** What the checker knows and the questions it asks about it, apart from walking the tree. */
export class TypingContext {
  protected readonly parsed: ParsedExpression;
  protected readonly substitution = new Substitution();
  protected readonly scope = new LocalScope();
  protected readonly types = new Map<number, CelType>();
  protected readonly references = new Map<number, Reference>();
  readonly #issues: IssueList;
  protected readonly declarations: Declarations;

  constructor(parsed: ParsedExpression, declarations: Declarations) {
    this.parsed = parsed;
    this.#issues = parsed.issues;
    this.declarations = declarations;
  }

  protected report(id: number, message: string): void {
    this.#issues.report(this.parsed.offsets[id] ?? 0, message);
  }

  protected undeclared(id: number, name: string): CelType {
    const container = this.declarations.container;
    this.report(id, `undeclared reference to '${name}' (in container '${container}')`);
    return ERROR;
  }

  protected mismatch(id: number, expected: CelType, actual: CelType): void {
    this.report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  /** Finds a global name and remembers what it means. */
  protected global(id: number, name: string): Declaration | undefined {
    for (const candidate of candidateNames(this.declarations.container, name)) {
      const found = this.declarations.variable(candidate);
      if (found === undefined) continue;
      this.references.set(
        id,
        found.value === undefined
          ? { kind: 'variable', name: candidate }
          : { kind: 'constant', name: candidate, value: found.value },
      );
      return found;
    }
    return undefined;
  }

  protected fieldType(id: number, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return parameter(target, 1);
      case 'struct': {
        const type = target.field?.(field);
        if (type === undefined) this.report(id, `undefined field '${field}'`);
        return type ?? ERROR;
      }
      case 'param':
        // Whatever has fields of unknown type is itself of unknown type.
        this.substitution.isAssignable(DYN, target);
        return DYN;
      default:
        if (!isDynOrError(target)) {
          this.report(id, `type '${formatType(target)}' does not support field selection`);
        }
        return DYN;
    }
  }

  protected function(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.declarations.container, name)) {
      const found = this.declarations.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** An element written with `?` must be an optional. */
  protected optionalElement(expr: Expr, type: CelType): CelType {
    const resolved = this.substitution.resolve(type);
    if (!isOptional(resolved) && !isDyn(resolved)) {
      this.mismatch(expr.id, optionalType(resolved), resolved);
    }
    return unwrapOptional(resolved);
  }

  /** Common type of what is in one list or map; `dyn` when there is none. */
  protected join(joined: CelType | undefined, next: CelType): CelType {
    if (joined === undefined) return next;
    return this.substitution.isAssignable(joined, next) ? moreGeneral(joined, next) : DYN;
  }

  protected iterationTypes(expr: ComprehensionExpr, range: CelType): [CelType, CelType] {
    const two = expr.variable2 !== undefined;
    switch (range.kind) {
      case 'list':
        return two ? [INT, parameter(range, 0)] : [parameter(range, 0), DYN];
      case 'map':
        return [parameter(range, 0), parameter(range, 1)];
      case 'dyn':
      case 'any':
      case 'error':
      case 'param':
        this.substitution.isAssignable(DYN, range);
        return [DYN, DYN];
      default:
        this.report(
          expr.range.id,
          `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [ERROR, ERROR];
    }
  }
}
