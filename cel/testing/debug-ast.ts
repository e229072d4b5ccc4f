import { KindAdorner, toDebugString } from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import type { CheckedExpression } from '../check/checked.ts';
import type { Expr } from '../syntax/ast.ts';
import { formatType } from '../value/type.ts';
import { CelBytes, CelDouble, CelUint, type CelValue } from '../value/value.ts';

type DebugExpr = Parameters<typeof toDebugString>[0];

/** The tree in the notation of the suites, through the printer they come with. */
export function debugAst(expr: Expr): string {
  return toDebugString(message(expr) as unknown as DebugExpr, KindAdorner.singleton);
}

/** The tree with the type of every part, and what names and calls turned out to mean. */
export function debugChecked(checked: CheckedExpression): string {
  const adorner = {
    GetMetadata: (element: object): string =>
      'exprKind' in element ? meaning(checked, element as AnyExpr) : '',
  };
  return toDebugString(message(checked.root, checked) as unknown as DebugExpr, adorner);
}

interface AnyExpr {
  id: bigint;
  exprKind: { case: string; value: { name?: string } };
}

function meaning(
  checked: CheckedExpression,
  { id, exprKind: { case: kind, value } }: AnyExpr,
): string {
  const type = checked.types.get(Number(id));
  const shown = type === undefined ? '' : `~${formatType(type)}`;
  const reference = checked.references.get(Number(id));
  if (reference?.kind === 'function') {
    const ids = reference.overloads.map((overload) => overload.id).sort();
    return `${shown}^${ids.join('|')}`;
  }
  if (kind === 'identExpr') return `${shown}^${value.name ?? ''}`;
  return reference === undefined ? shown : `${shown}^${reference.name}`;
}

/** The tree as the plain shape of the message that the printer walks. */
function message(expr: Expr, checked?: CheckedExpression): object {
  return { $typeName: 'cel.expr.Expr', id: BigInt(expr.id), exprKind: exprKind(expr, checked) };
}

function exprKind(expr: Expr, checked?: CheckedExpression): { case: string; value: object } {
  const part = (inner: Expr): object => message(inner, checked);
  const reference = checked?.references.get(expr.id);
  // A checked tree has names in full, and namespaces are part of them.
  if (reference?.kind === 'variable' || reference?.kind === 'constant') {
    return { case: 'identExpr', value: { name: reference.name } };
  }
  switch (expr.kind) {
    case 'constant':
      return { case: 'constExpr', value: { constantKind: constant(expr.value) } };
    case 'ident':
      return { case: 'identExpr', value: { name: expr.name } };
    case 'select': {
      const { field, testOnly, operand } = expr;
      return { case: 'selectExpr', value: { field, testOnly, operand: part(operand) } };
    }
    case 'call': {
      const known = reference?.kind === 'function' ? reference : undefined;
      const hasTarget = expr.target !== undefined && known?.namespaced !== true;
      const target = hasTarget && expr.target !== undefined ? part(expr.target) : undefined;
      const args = expr.args.map(part);
      return { case: 'callExpr', value: { function: known?.name ?? expr.function, target, args } };
    }
    case 'list': {
      const optionalIndices = [...expr.optional];
      return { case: 'listExpr', value: { elements: expr.elements.map(part), optionalIndices } };
    }
    case 'map': {
      const entries = expr.entries.map((entry) =>
        structEntry({ case: 'mapKey', value: part(entry.key) }, part(entry.value), entry.optional),
      );
      return { case: 'structExpr', value: { messageName: '', entries } };
    }
    case 'struct': {
      const entries = expr.fields.map((field) =>
        structEntry({ case: 'fieldKey', value: field.name }, part(field.value), field.optional),
      );
      const messageName = reference?.name ?? expr.typeName;
      return { case: 'structExpr', value: { messageName, entries } };
    }
    case 'comprehension':
      return {
        case: 'comprehensionExpr',
        value: {
          iterVar: expr.variable,
          iterVar2: expr.variable2 ?? '',
          iterRange: part(expr.range),
          accuVar: expr.accumulator,
          accuInit: part(expr.init),
          loopCondition: part(expr.condition),
          loopStep: part(expr.step),
          result: part(expr.result),
        },
      };
    case 'error':
      throw new Error('an expression with errors has no tree');
  }
}

function structEntry(keyKind: object, value: object, optionalEntry: boolean): object {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    keyKind,
    value,
    optionalEntry,
  };
}

function constant(value: CelValue): { case: string; value: unknown } {
  if (value === null) return { case: 'nullValue', value: 0 };
  if (typeof value === 'boolean') return { case: 'boolValue', value };
  if (typeof value === 'string') return { case: 'stringValue', value };
  if (typeof value === 'number' || typeof value === 'bigint') {
    return { case: 'int64Value', value: BigInt(value) };
  }
  if (value instanceof CelUint) return { case: 'uint64Value', value: value.value };
  if (value instanceof CelDouble) return { case: 'doubleValue', value: value.value };
  if (value instanceof CelBytes) return { case: 'bytesValue', value: value.value };
  throw new Error('not a literal');
}
