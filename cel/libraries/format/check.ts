import { typeOf, type CheckedExpression } from '../../check/checked.ts';
import { walk } from '../../check/walk.ts';
import type { CallExpr, Expr, ListExpr } from '../../syntax/ast.ts';
import type { TypeKind } from '../../value/cel-type.ts';
import type { Validator } from '../library.ts';
import {
  CLASSIC_WORDING,
  FormatError,
  formatParts,
  PLAIN_WORDING,
  wrongArgument,
  type Conversion,
  type Wording,
} from './clause.ts';

/** Types an argument of a conversion may have; `dyn` is always let through. */
export interface Accepted {
  kinds: Readonly<Record<Exclude<Conversion, 's'>, readonly TypeKind[]>>;
  wording: Wording;
}

const INTEGERS: readonly TypeKind[] = ['int', 'uint'];
const NUMBERS: readonly TypeKind[] = ['int', 'uint', 'double'];
const HEXADECIMAL: readonly TypeKind[] = ['int', 'uint', 'string', 'bytes'];

const CLASSIC_KINDS: Accepted['kinds'] = {
  d: INTEGERS,
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: HEXADECIMAL,
  X: HEXADECIMAL,
  o: INTEGERS,
};

export const CLASSIC_ACCEPTED: Accepted = { kinds: CLASSIC_KINDS, wording: CLASSIC_WORDING };
export const PLAIN_ACCEPTED: Accepted = {
  kinds: { ...CLASSIC_KINDS, d: NUMBERS, f: NUMBERS, e: NUMBERS },
  wording: PLAIN_WORDING,
};

const PRINTABLE: ReadonlySet<TypeKind> = new Set<TypeKind>([
  'dyn',
  'any',
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
]);

/** Checks calls of `format` whose format and list of arguments are both written out. */
export function formatValidator(accepted: Accepted): Validator {
  return (checked, report) => {
    walk(checked.root, (expr) => {
      const literal = literalCall(expr);
      if (literal === undefined) return;
      try {
        const used = checkArguments(checked, literal.format, literal.args, accepted);
        const given = literal.args.elements.length;
        if (given > used) {
          report(
            expr.id,
            `too many arguments supplied to string.format (expected ${used}, got ${given})`,
          );
        }
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        report(error.id ?? expr.id, error.message);
      }
    });
  };
}

function literalCall(expr: Expr): { format: string; args: ListExpr } | undefined {
  if (expr.kind !== 'call' || expr.function !== 'format') return undefined;
  const { target, args }: CallExpr = expr;
  const [list] = args;
  if (target?.kind !== 'constant' || typeof target.value !== 'string') return undefined;
  return list?.kind === 'list' && args.length === 1
    ? { format: target.value, args: list }
    : undefined;
}

/** @throws FormatError for the first argument that does not fit */
function checkArguments(
  checked: CheckedExpression,
  format: string,
  list: ListExpr,
  accepted: Accepted,
): number {
  let used = 0;
  for (const part of formatParts(format, list.elements.length)) {
    if (part.kind === 'text') continue;
    const arg = list.elements[used++];
    if (arg === undefined) break;
    const { conversion } = part;
    const wrong =
      conversion === 's'
        ? firstUnprintable(checked, arg)
        : fits(checked, arg, accepted.kinds[conversion])
          ? undefined
          : arg;
    if (wrong !== undefined) {
      throw wrongArgument(accepted.wording[conversion], typeOf(checked, wrong).name, wrong.id);
    }
  }
  return used;
}

function fits(checked: CheckedExpression, arg: Expr, kinds: readonly TypeKind[]): boolean {
  const { kind } = typeOf(checked, arg);
  return kind === 'dyn' || kind === 'any' || kinds.includes(kind);
}

/** The first part of an argument that has no text, looking into lists and maps written out. */
function firstUnprintable(checked: CheckedExpression, arg: Expr): Expr | undefined {
  if (!PRINTABLE.has(typeOf(checked, arg).kind)) return arg;
  const parts =
    arg.kind === 'list'
      ? arg.elements
      : arg.kind === 'map'
        ? arg.entries.flatMap(({ key, value }) => [key, value])
        : [];
  for (const part of parts) {
    const wrong = firstUnprintable(checked, part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
