import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT } from '../value/type.ts';
import { CelDouble, CelUint, type CelValue } from '../value/value.ts';
import type { CelType } from '../value/cel-type.ts';

/** Type of a literal, of which the grammar has these kinds only. */
export function literalType(value: CelValue): CelType {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'number':
    case 'bigint':
      return INT;
    case 'string':
      return STRING;
    default:
      if (value instanceof CelUint) return UINT;
      return value instanceof CelDouble ? DOUBLE : BYTES;
  }
}
