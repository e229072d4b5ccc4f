import { KindAdorner, toDebugString } from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import { type Expr } from '../syntax/ast.ts';
import { CelBytes, CelDouble, CelUint, type CelValue } from '../value/value.ts';

type DebugExpr = Parameters<typeof toDebugString>[0];

/** The tree in the notation of the suites, through the printer they come with. */
export function debugAst(expr: Expr): string {
  return toDebugString(message(expr) as unknown as DebugExpr, KindAdorner.singleton);
}

/** The tree as the plain shape of the message that the printer walks. */
function message(expr: Expr): object {
  return { $typeName: 'cel.expr.Expr', id: BigInt(expr.id), exprKind: exprKind(expr) };
}

function exprKind(expr: Expr): { case: string; value: object } {
  switch (expr.kind) {
    case 'constant':
      return { case: 'constExpr', value: { constantKind: constant(expr.value) } };
    case 'ident':
      return { case: 'identExpr', value: { name: expr.name } };
    case 'select': {
      const { field, testOnly, operand } = expr;
      return { case: 'selectExpr', value: { field, testOnly, operand: message(operand) } };
    }
    case 'call': {
      const target = expr.target === undefined ? undefined : message(expr.target);
      const value = { function: expr.function, target, args: expr.args.map(message) };
      return { case: 'callExpr', value };
    }
    case 'list': {
      const optionalIndices = [...expr.optional];
      return { case: 'listExpr', value: { elements: expr.elements.map(message), optionalIndices } };
    }
    case 'map': {
      const entries = expr.entries.map((entry) =>
        structEntry({ case: 'mapKey', value: message(entry.key) }, entry.value, entry.optional),
      );
      return { case: 'structExpr', value: { messageName: '', entries } };
    }
    case 'struct': {
      const entries = expr.fields.map((field) =>
        structEntry({ case: 'fieldKey', value: field.name }, field.value, field.optional),
      );
      return { case: 'structExpr', value: { messageName: expr.typeName, entries } };
    }
    case 'comprehension':
      return {
        case: 'comprehensionExpr',
        value: {
          iterVar: expr.variable,
          iterVar2: expr.variable2 ?? '',
          iterRange: message(expr.range),
          accuVar: expr.accumulator,
          accuInit: message(expr.init),
          loopCondition: message(expr.condition),
          loopStep: message(expr.step),
          result: message(expr.result),
        },
      };
    case 'error':
      throw new Error('an expression with errors has no tree');
  }
}

function structEntry(keyKind: object, value: Expr, optionalEntry: boolean): object {
  return {
    $typeName: 'cel.expr.Expr.CreateStruct.Entry',
    keyKind,
    value: message(value),
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
