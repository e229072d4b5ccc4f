import type { JsonValue } from '../../api/json.ts';
import type { StructuralSchema } from './structural.ts';

/** How the value of a built-in kind's field is decoded; each names what a Go server holds there. */
export type TypedKind =
  | 'boolean'
  | 'bytes'
  | 'float64'
  | 'int32'
  | 'int64'
  | 'intOrString'
  | 'json'
  | 'list'
  | 'map'
  | 'microTime'
  | 'quantity'
  | 'raw'
  | 'string'
  | 'struct'
  | 'time'
  | 'union';

/**
 * When a field without a pointer is left out of what is served:
 * `empty`: an empty text, list or map, 0 and false (never a struct, which shows as `{}`, or a time, which shows as null);
 * `zero`: also a struct or time that holds nothing;
 * `never`: it always appears, with its zero value if need be.
 */
export type Omit = 'empty' | 'zero' | 'never';

/** What a field of a built-in kind has beyond its structure. */
export interface TypedField {
  readonly kind: TypedKind;
  /** A pointer keeps the zero value that is given, and vanishes on null. */
  readonly pointer: boolean;
  readonly omit: Omit;
  /** Listed among the required fields in documents. */
  readonly required: boolean;
  readonly description: string;
  /** Shown in documents only; decoding neither checks an enum nor fills in a default. */
  readonly enum: readonly string[] | undefined;
  readonly publishedDefault: JsonValue | undefined;
  /** For strategic merge patch: `merge`, `replace`, `retainKeys`, or several with commas. */
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  /** Kind `struct`: the full name of the type in documents (`io.cluster.coordination.v1.LeaseSpec`). */
  readonly structName: string | undefined;
  /** Kind `union`: the schema for each JSON type that is allowed. */
  readonly variants: UnionVariants | undefined;
  /** Kinds `struct` and `union`: the protobuf numbers of the fields or variants, by their names. */
  readonly numbers: FieldNumbers | undefined;
}

/**
 * Protobuf numbers by the name of a field, as Kubernetes' API has them; clients
 * send them, so that a number never changes. A field of an embedded Go struct,
 * which is a message of its own, has the number of the message before its own.
 */
export type FieldNumbers = Readonly<Record<string, number | readonly number[]>>;

export interface UnionVariants {
  readonly boolean?: StructuralSchema;
  readonly array?: StructuralSchema;
  readonly object?: StructuralSchema;
}
