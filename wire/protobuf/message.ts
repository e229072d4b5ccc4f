/** What a field holds. Kinds that JSON writes as one value are types of their own. */
export type FieldType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  /** Seconds and nanoseconds, as RFC 3339 with whole seconds. */
  | 'time'
  /** The same with microseconds. */
  | 'microTime'
  /** A message with one text. */
  | 'quantity'
  /** A message with one field of JSON text. */
  | 'json'
  /** A message with one field of several texts. */
  | 'texts'
  | Message;

export interface Field {
  /** As JSON names it, in the neutral spelling. */
  readonly name: string;
  readonly type: FieldType;
  readonly label: Label;
}

/** `map`: from texts. */
type Label = 'one' | 'many' | 'map';

/** The fields of a message by their numbers. */
export interface Message {
  readonly fields: ReadonlyMap<number, Field>;
}

type FieldNumbers = Readonly<
  Record<string, readonly [number, FieldType] | readonly [number, FieldType, 'many' | 'map']>
>;

/**
 * A message, as names with numbers and types. The numbers are those that
 * clients of Kubernetes send: the facts of k8s.io/api generated.proto.
 */
export function message(numbers: FieldNumbers): Message {
  const fields = new Map<number, Field>();
  for (const [name, [number, type, label]] of Object.entries(numbers)) {
    fields.set(number, { name, type, label: label ?? 'one' });
  }
  return { fields };
}
