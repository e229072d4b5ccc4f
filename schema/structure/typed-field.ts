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

/**
 * Protobuf numbers by the name of a field, as Kubernetes' API has them; clients
 * send them, so that a number never changes. A field of an embedded Go struct,
 * which is a message of its own, has the number of the message before its own.
 */
export type FieldNumbers = Readonly<Record<string, number | readonly number[]>>;
