import {
  OP,
  qualifiedName,
  type CallExpr,
  type ComprehensionExpr,
  type Expr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  type StructExpr,
} from '../syntax/ast.ts';
import type { ParsedExpression } from '../syntax/parser.ts';
import type { FunctionDeclaration } from '../types/declaration.ts';
import { MAX_TYPE_SIZE } from '../types/substitution.ts';
import {
  BOOL,
  DYN,
  ERROR,
  formatArguments,
  formatType,
  isOptional,
  listType,
  mapType,
  optionalType,
  unwrapOptional,
} from '../value/type.ts';
import type { CheckedExpression } from './checked.ts';
import { literalType } from './literal.ts';
import { isLogic, resolveOverload } from './overload.ts';
import { candidateNames, type Declarations } from './scope.ts';
import { TypingContext } from './typing-context.ts';
import type { CelType } from '../value/cel-type.ts';

/**
 * Finds the type of every part of an expression and what every name in it means,
 * by the rules of the language definition. What does not fit goes to `parsed.issues`
 * and the result is undefined.
 */
export function check(
  parsed: ParsedExpression,
  declarations: Declarations,
): CheckedExpression | undefined {
  if (parsed.root === undefined) return undefined;
  const checker = new Checker(parsed, declarations);
  checker.check(parsed.root);
  if (parsed.issues.count > 0) return undefined;
  return checker.result(parsed.root);
}

class Checker extends TypingContext {
  result(root: Expr): CheckedExpression {
    const types = new Map<number, CelType>();
    for (const [id, type] of this.types) types.set(id, this.substitution.resolve(type, true));
    const type = types.get(root.id) ?? DYN;
    return { parsed: this.parsed, root, type, types, references: this.references };
  }

  check(expr: Expr): CelType {
    let type = this.#check(expr);
    if (type.size > MAX_TYPE_SIZE) {
      this.report(expr.id, 'type of the expression is too complex');
      type = ERROR;
    }
    this.types.set(expr.id, type);
    return type;
  }

  #check(expr: Expr): CelType {
    switch (expr.kind) {
      case 'constant':
        return literalType(expr.value);
      case 'ident':
        return this.#ident(expr.id, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.function === OP.optSelect ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
      case 'error':
        return ERROR;
    }
  }

  #ident(id: number, name: string): CelType {
    const local = name.startsWith('.') ? undefined : this.scope.find(name);
    return local ?? this.global(id, name)?.type ?? this.undeclared(id, name);
  }

  #select(expr: SelectExpr): CelType {
    const name = qualifiedName(expr);
    if (name !== undefined && this.scope.find(name.slice(0, name.indexOf('.'))) === undefined) {
      const found = this.global(expr.id, name);
      if (found !== undefined) return found.type;
    }
    const type = this.#selectField(expr.id, expr.operand, expr.field, false);
    return expr.testOnly ? BOOL : this.substitution.resolve(type);
  }

  #optionalSelect(expr: CallExpr): CelType {
    const [operand, field] = expr.args;
    if (operand === undefined || field?.kind !== 'constant' || typeof field.value !== 'string') {
      this.report(expr.id, 'unsupported optional field selection');
      return ERROR;
    }
    this.types.set(field.id, literalType(field.value));
    return this.substitution.resolve(this.#selectField(expr.id, operand, field.value, true));
  }

  /** Type of a field; of an optional operand, the optional of the field. */
  #selectField(id: number, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = this.substitution.resolve(this.check(operand));
    const target = unwrapOptional(operandType);
    const type = this.fieldType(id, target, field);
    return optional || isOptional(operandType) ? optionalType(type) : type;
  }

  #call(expr: CallExpr): CelType {
    for (const arg of expr.args) this.check(arg);
    const { target } = expr;
    if (target === undefined) {
      const declaration = this.function(expr.function);
      if (declaration === undefined) return this.undeclared(expr.id, expr.function);
      return this.#resolve(expr, declaration, undefined, false);
    }
    const prefix = qualifiedName(target);
    const namespaced =
      prefix === undefined ? undefined : this.function(`${prefix}.${expr.function}`);
    if (namespaced !== undefined) return this.#resolve(expr, namespaced, undefined, true);
    this.check(target);
    const declaration = this.function(expr.function);
    if (declaration === undefined) return this.undeclared(expr.id, expr.function);
    return this.#resolve(expr, declaration, target, false);
  }

  #resolve(
    expr: CallExpr,
    declaration: FunctionDeclaration,
    target: Expr | undefined,
    namespaced: boolean,
  ): CelType {
    const operands = target === undefined ? expr.args : [target, ...expr.args];
    const types = operands.map((operand) => this.types.get(operand.id) ?? ERROR);
    if (isLogic(declaration.name) && !this.#areBools(operands, types)) return ERROR;
    const found = resolveOverload(this.substitution, declaration, types, target !== undefined);
    if (found === undefined) {
      const shown = types.map((type) => this.substitution.resolve(type, true));
      const applied = formatArguments(shown, target !== undefined);
      this.report(
        expr.id,
        `found no matching overload for '${declaration.name}' applied to '${applied}'`,
      );
      return ERROR;
    }
    const { overloads, type } = found;
    this.references.set(expr.id, {
      kind: 'function',
      name: declaration.name,
      overloads,
      namespaced,
    });
    return type;
  }

  #areBools(operands: readonly Expr[], types: readonly CelType[]): boolean {
    let ok = true;
    operands.forEach((operand, i) => {
      const type = types[i] ?? ERROR;
      if (this.substitution.isAssignable(type, BOOL)) return;
      this.mismatch(operand.id, BOOL, this.substitution.resolve(type, true));
      ok = false;
    });
    return ok;
  }

  #list(expr: ListExpr): CelType {
    let joined: CelType | undefined;
    expr.elements.forEach((element, i) => {
      let type = this.check(element);
      if (expr.optional.has(i)) type = this.optionalElement(element, type);
      joined = this.join(joined, type);
    });
    return listType(joined ?? this.substitution.newVariable());
  }

  #map(expr: MapExpr): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keys = this.join(keys, this.check(key));
      let type = this.check(value);
      if (optional) type = this.optionalElement(value, type);
      values = this.join(values, type);
    }
    const variable = (): CelType => this.substitution.newVariable();
    return mapType(keys ?? variable(), values ?? variable());
  }

  #struct(expr: StructExpr): CelType {
    const type = this.#structType(expr);
    if (type === undefined) return ERROR;
    for (const field of expr.fields) {
      let valueType = this.check(field.value);
      if (field.optional) valueType = this.optionalElement(field.value, valueType);
      const fieldType = type.kind === 'struct' ? this.fieldType(field.id, type, field.name) : ERROR;
      if (!this.substitution.isAssignable(fieldType, valueType)) {
        this.report(
          field.id,
          `expected type of field '${field.name}' is '${formatType(fieldType)}' but provided type is '${formatType(valueType)}'`,
        );
      }
    }
    return type;
  }

  /** The type that is constructed; undefined when nothing has that name. */
  #structType(expr: StructExpr): CelType | undefined {
    for (const candidate of candidateNames(this.declarations.container, expr.typeName)) {
      const type = this.declarations.struct(candidate);
      if (type === undefined) continue;
      this.references.set(expr.id, { kind: 'struct', name: candidate, type });
      return type;
    }
    const found = this.global(expr.id, expr.typeName);
    if (found === undefined) {
      this.undeclared(expr.id, expr.typeName);
      return undefined;
    }
    this.report(
      expr.id,
      found.type.kind === 'type'
        ? `'${expr.typeName}' is not a message type`
        : `'${formatType(found.type)}' is not a type`,
    );
    return ERROR;
  }

  #comprehension(expr: ComprehensionExpr): CelType {
    const range = this.substitution.resolve(this.check(expr.range));
    const accumulator = this.check(expr.init);
    const [first, second] = this.iterationTypes(expr, range);
    this.scope.push(expr.accumulator, accumulator);
    this.scope.push(expr.variable, first);
    if (expr.variable2 !== undefined) this.scope.push(expr.variable2, second);
    this.#assert(expr.condition, BOOL);
    this.#assert(expr.step, accumulator);
    this.scope.pop(expr.variable2 === undefined ? 1 : 2);
    const result = this.check(expr.result);
    this.scope.pop(1);
    return this.substitution.resolve(result);
  }

  #assert(expr: Expr, expected: CelType): void {
    const actual = this.check(expr);
    if (!this.substitution.isAssignable(expected, actual)) {
      this.mismatch(
        expr.id,
        this.substitution.resolve(expected, true),
        this.substitution.resolve(actual, true),
      );
    }
  }
}
