import { Quantity } from '../../api/quantity.ts';
import { constantEstimate } from '../cost/estimators.ts';
import {
  declareFunction,
  globalOverload,
  memberOverload,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import { BOOL, DOUBLE, INT, STRING, structType, type Typed } from '../value/type.ts';
import { intOf, type CelInt } from '../value/int.ts';
import { CelDouble, CelError, CelObject, type CelValue } from '../value/value.ts';
import { walking } from './ip.ts';
import type { Library } from './library.ts';
import type { CelType } from '../value/cel-type.ts';

export const QUANTITY_TYPE: Typed<CelQuantity> = structType('kubernetes.Quantity');

class CelQuantity extends CelObject {
  override readonly type = QUANTITY_TYPE;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelQuantity && this.quantity.equals(other.quantity);
  }
}

function fromString(text: string): CelValue {
  const quantity = Quantity.parse(text);
  if (quantity !== undefined) return new CelQuantity(quantity);
  return new CelError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function asInteger({ quantity }: CelQuantity): CelValue {
  const value = quantity.toInt64();
  return value === undefined ? new CelError('cannot convert value to integer') : intOf(value);
}

const ofInt = (value: CelInt): Quantity => Quantity.fromInt64(BigInt(value), 'DecimalExponent');
const nominal = { estimate: constantEstimate };

function accessor(
  name: string,
  id: string,
  result: CelType,
  get: (quantity: CelQuantity) => CelValue,
): FunctionDeclaration {
  return declareFunction(name, memberOverload(id, [QUANTITY_TYPE], result, get, nominal));
}

function comparison(
  name: string,
  id: string,
  result: CelType,
  compare: (a: Quantity, b: Quantity) => CelValue,
): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      id,
      [QUANTITY_TYPE, QUANTITY_TYPE],
      result,
      (a, b) => compare(a.quantity, b.quantity),
      nominal,
    ),
  );
}

function arithmetic(
  name: string,
  id: string,
  apply: (a: Quantity, b: Quantity) => Quantity,
): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      id,
      [QUANTITY_TYPE, QUANTITY_TYPE],
      QUANTITY_TYPE,
      (a, b) => new CelQuantity(apply(a.quantity, b.quantity)),
      nominal,
    ),
    memberOverload(
      `${id}_int`,
      [QUANTITY_TYPE, INT],
      QUANTITY_TYPE,
      (a, b) => new CelQuantity(apply(a.quantity, ofInt(b))),
      nominal,
    ),
  );
}

/** Resource quantities. */
export const QUANTITY_LIBRARY: Library = {
  functions: [
    declareFunction(
      'quantity',
      globalOverload('string_to_quantity', [STRING], QUANTITY_TYPE, fromString, walking()),
    ),
    declareFunction(
      'isQuantity',
      globalOverload(
        'is_quantity_string',
        [STRING],
        BOOL,
        (text) => Quantity.parse(text) !== undefined,
        walking(),
      ),
    ),
    declareFunction(
      'sign',
      globalOverload(
        'quantity_sign',
        [QUANTITY_TYPE],
        INT,
        ({ quantity }) => quantity.sign(),
        nominal,
      ),
    ),
    comparison('isGreaterThan', 'quantity_is_greater_than', BOOL, (a, b) => a.isGreaterThan(b)),
    comparison('isLessThan', 'quantity_is_less_than', BOOL, (a, b) => a.isLessThan(b)),
    comparison('compareTo', 'quantity_compare_to', INT, (a, b) => a.compare(b)),
    accessor(
      'asApproximateFloat',
      'quantity_get_float',
      DOUBLE,
      ({ quantity }) => new CelDouble(quantity.toNumber()),
    ),
    accessor('asInteger', 'quantity_get_int', INT, asInteger),
    accessor(
      'isInteger',
      'quantity_is_integer',
      BOOL,
      ({ quantity }) => quantity.toInt64() !== undefined,
    ),
    arithmetic('add', 'quantity_add', (a, b) => a.add(b)),
    arithmetic('sub', 'quantity_sub', (a, b) => a.sub(b)),
  ],
};
