/** The kinds of type that the checker tells apart. */
export type TypeKind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'function'
  | 'param';

/** A type of the language. Structural: two types are equal when kind, name and parameters are. */
export interface CelType {
  readonly kind: TypeKind;
  /** Name at run time, as `type(x)` compares it and conversion errors print it. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** A primitive that may also be null (protobuf calls it a wrapper). */
  readonly nullable?: boolean;
  /** Number of nodes in the type, which bounds the work of comparing it. */
  readonly size: number;
  /** True when a type parameter occurs in it. */
  readonly open: boolean;
  /** Fields of a struct; absent on structs without accessible fields. */
  readonly field?: (name: string) => CelType | undefined;
}
