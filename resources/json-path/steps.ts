import type { JsonValue } from '../../api/json.ts';

/** A path, taken apart; each step leads from a value to any number of values in it. */
export type JsonPath = readonly Step[];

export type Step =
  | { readonly step: 'field'; readonly name: string }
  /** An item of a list; counted from the end when negative. */
  | { readonly step: 'index'; readonly index: number }
  | { readonly step: 'slice'; readonly from: number; readonly to?: number; readonly by: number }
  | { readonly step: 'wildcard' }
  /** The value itself and everything below it. */
  | { readonly step: 'descend' }
  | { readonly step: 'union'; readonly choices: readonly Step[] }
  | { readonly step: 'filter'; readonly filter: Filter };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Filter =
  | { readonly test: 'exists'; readonly path: JsonPath }
  | {
      readonly test: 'compare';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand;
    };

/** A constant, or a path from the item that is tried or from the root of the object. */
export type Operand =
  | { readonly operand: 'constant'; readonly value: JsonValue }
  | { readonly operand: 'path'; readonly from: 'item' | 'root'; readonly path: JsonPath };
