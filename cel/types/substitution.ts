import { DYN, isDyn, isDynOrError, parameter, sameType, typeParam } from '../value/type.ts';
import type { CelType } from '../value/cel-type.ts';

/** Types larger than this come from no sensible expression; comparing them would take too long. */
export const MAX_TYPE_SIZE = 1_000;

/**
 * What is known so far about type variables while an expression is checked.
 *
 * The language unifies with `dyn`: it fits everything, and a variable bound to
 * two types that fit each other keeps the more general one. A failed attempt
 * leaves no trace, so that overloads can be tried one after the other; the
 * changes are therefore kept on a trail instead of copying what is known.
 */
export class Substitution {
  readonly #bound = new Map<string, CelType>();
  readonly #trail: { name: string; before: CelType | undefined }[] = [];
  #fresh = 0;

  newVariable(): CelType {
    return typeParam(`_var${this.#fresh++}`);
  }

  /** The type with every parameter of a declaration replaced by a variable of its own. */
  instantiate(types: readonly CelType[]): CelType[] {
    const variables = new Map<string, CelType>();
    return types.map((type) => this.#replace(type, variables));
  }

  #replace(type: CelType, variables: Map<string, CelType>): CelType {
    if (type.kind === 'param') {
      let variable = variables.get(type.name);
      if (variable === undefined) variables.set(type.name, (variable = this.newVariable()));
      return variable;
    }
    return mapParams(type, (param) => this.#replace(param, variables));
  }

  /** True when a value of `from` may stand where `to` is wanted; records what that implies. */
  isAssignable(to: CelType, from: CelType): boolean {
    const mark = this.#trail.length;
    if (this.#assignable(to, from)) return true;
    this.#undo(mark);
    return false;
  }

  isAssignableList(to: readonly CelType[], from: readonly CelType[]): boolean {
    const mark = this.#trail.length;
    if (this.#assignableList(to, from)) return true;
    this.#undo(mark);
    return false;
  }

  /** The type with bound variables replaced; with `unboundToDyn`, the others become `dyn`. */
  resolve(type: CelType, unboundToDyn = false): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.resolve(bound, unboundToDyn);
      return unboundToDyn ? DYN : type;
    }
    return mapParams(type, (param) => this.resolve(param, unboundToDyn));
  }

  #undo(mark: number): void {
    while (this.#trail.length > mark) {
      const step = this.#trail.pop();
      if (step === undefined) return;
      if (step.before === undefined) this.#bound.delete(step.name);
      else this.#bound.set(step.name, step.before);
    }
  }

  #bind(variable: CelType, type: CelType): void {
    this.#trail.push({ name: variable.name, before: this.#bound.get(variable.name) });
    this.#bound.set(variable.name, type);
  }

  #assignable(t1: CelType, t2: CelType): boolean {
    if (t2.kind === 'param') {
      const outcome = this.#substitutes(t1, t2);
      if (outcome === 'yes') return true;
      if (outcome === 'bound') return false;
    }
    if (t1.kind === 'param') return this.#substitutes(t2, t1) === 'yes';
    if (isDynOrError(t1) || isDynOrError(t2)) return true;
    if (t1.kind === 'null') return isNullable(t2);
    if (t2.kind === 'null') return isNullable(t1);
    switch (t1.kind) {
      case 'type':
        return t2.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return (
          t1.kind === t2.kind && t1.name === t2.name && this.#assignableList(t1.params, t2.params)
        );
      default:
        return t1.kind === t2.kind && t1.name === t2.name;
    }
  }

  #assignableList(l1: readonly CelType[], l2: readonly CelType[]): boolean {
    return l1.length === l2.length && l1.every((t1, i) => this.#assignable(t1, l2[i] ?? DYN));
  }

  /** Whether a variable can stand for a type; `bound` when it already means something else. */
  #substitutes(type: CelType, variable: CelType): 'yes' | 'no' | 'bound' {
    if (type.kind === 'param' && type.name === variable.name) return 'yes';
    const known = this.#bound.get(variable.name);
    if (known === undefined) {
      if (this.#occurs(variable, type)) return 'no';
      this.#bind(variable, type);
      return 'yes';
    }
    if (sameType(type, known)) return 'yes';
    if (!this.#assignable(type, known)) return 'bound';
    const general = moreGeneral(type, known);
    if (!this.#occurs(variable, general)) this.#bind(variable, general);
    return 'yes';
  }

  /** The occurs check: a variable must not be part of what it stands for. */
  #occurs(variable: CelType, type: CelType): boolean {
    if (type.kind === 'param') {
      if (type.name === variable.name) return true;
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#occurs(variable, bound);
    }
    return type.open && type.params.some((param) => this.#occurs(variable, param));
  }
}

function mapParams(type: CelType, map: (param: CelType) => CelType): CelType {
  if (!type.open) return type;
  let size = 1;
  let open = false;
  const params = type.params.map((param) => {
    const mapped = map(param);
    size += mapped.size;
    open ||= mapped.open;
    return mapped;
  });
  return { ...type, params, size, open };
}

/** Types of messages and library objects could always be null in this language. */
function isNullable(type: CelType): boolean {
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'struct':
    case 'any':
    case 'timestamp':
    case 'duration':
      return true;
    default:
      return type.nullable === true;
  }
}

/** The one of two types that fit each other which says less. */
export function moreGeneral(t1: CelType, t2: CelType): CelType {
  return isEqualOrLessSpecific(t1, t2) ? t1 : t2;
}

function isEqualOrLessSpecific(t1: CelType, t2: CelType): boolean {
  if (isDyn(t1) || t1.kind === 'param') return true;
  if (isDyn(t2) || t2.kind === 'param') return false;
  if (t1.kind !== t2.kind) return false;
  switch (t1.kind) {
    case 'type':
      return true;
    case 'opaque':
    case 'list':
    case 'map':
      return (
        t1.name === t2.name &&
        t1.params.length === t2.params.length &&
        t1.params.every((param, i) => isEqualOrLessSpecific(param, parameter(t2, i)))
      );
    default:
      return sameType(t1, t2);
  }
}
