import type { JsonObject, JsonValue } from '../api/json.ts';
import type { StructOf, Typed, ValueOf, Zero, ZeroOf } from './shape.ts';
import { EMPTY_KEYWORDS } from './structure/keywords.ts';
import {
  type ListType,
  type MapType,
  type SchemaInit,
  type SchemaType,
  StructuralSchema,
  type TypedField,
  type UnionVariants,
} from './structure/structural.ts';
import type { FieldNumbers, Omit, TypedKind } from './structure/typed-field.ts';

/**
 * The words in which built-in kinds are described, one call per field:
 *
 * ```ts
 * const LeaseSpec = struct('io.cluster.coordination.v1.LeaseSpec', {
 *   holderIdentity: string({ description: 'Who holds the lease.', pointer: true }),
 *   renewTime: microTime({ description: '…', pointer: true }),
 * });
 * export const Lease = kind('io.cluster.coordination.v1.Lease', {
 *   spec: use(LeaseSpec, { description: '…' }),
 * });
 * ```
 *
 * The result is a {@link StructuralSchema} that knows the type of its values
 * (`type Lease = ValueOf<typeof Lease>`): merging and documents treat a
 * built-in kind as they treat a CRD. Decoding follows Go: see typed/decode.ts.
 */
export interface FieldOptions {
  description?: string;
  /** Required in documents and always present in what is served (Go: no `omitempty`). */
  required?: boolean;
  /** Go: a pointer. A zero value that is given is kept. */
  pointer?: boolean;
  /** Overrides what `required` implies (`never`) and the default (`empty`). */
  omit?: Omit;
  /** Shown in documents as the default; filling it in is the kind's own function. */
  default?: JsonValue;
}
export interface StringOptions extends FieldOptions {
  enum?: readonly string[];
}
interface ListOptions extends FieldOptions {
  /** How apply merges the list; atomic unless said. */
  listType?: ListType;
  listMapKeys?: readonly string[];
  patchStrategy?: string;
  patchMergeKey?: string;
}
interface StructOptions extends FieldOptions {
  /** How apply merges the fields; granular unless said. */
  mapType?: MapType;
  patchStrategy?: string;
}
interface NumberedOptions<Name extends string> extends StructOptions {
  /** The protobuf number of each field. */
  numbers?: NumbersOf<Name>;
}
export type NumbersOf<Name extends string> = Readonly<
  Partial<Record<Name, number | readonly number[]>>
>;
export type Fields = Readonly<Record<string, StructuralSchema>>;

const scalar =
  <T extends JsonValue, Z extends Zero = 'empty'>(
    kind: TypedKind,
    type: SchemaType | '',
    format = '',
  ) =>
  <const O extends StringOptions>(options?: O): Typed<T, Z, O> =>
    new StructuralSchema({
      type,
      intOrString: kind === 'intOrString',
      keywords: format === '' ? undefined : { ...EMPTY_KEYWORDS, format },
      typed: typedField(kind, options ?? {}),
    });

export const string = scalar<string>('string', 'string');
export const boolean = scalar<boolean>('boolean', 'boolean');
export const int32 = scalar<number>('int32', 'integer', 'int32');
export const int64 = scalar<number | bigint>('int64', 'integer', 'int64');
export const float64 = scalar<number>('float64', 'number', 'double');
/** Base64 on the wire. */
export const bytes = scalar<string, 'nothing'>('bytes', 'string', 'byte');
/** A time with whole seconds. */
export const time = scalar<string, 'moment'>('time', 'string', 'date-time');
export const microTime = scalar<string, 'moment'>('microTime', 'string', 'date-time');
export const quantity = scalar<string, 'struct'>('quantity', 'string');
export const intOrString = scalar<number | string, 'struct'>('intOrString', '', 'int-or-string');

/** Any object of another API, kept as it is (Go: RawExtension). */
export function raw<const O extends FieldOptions>(options?: O): Typed<JsonObject, 'moment', O> {
  return new StructuralSchema({
    type: 'object',
    preserveUnknown: true,
    typed: typedField('raw', options ?? {}),
  });
}

/** Any JSON value, kept as it is. */
export function json<const O extends FieldOptions>(options?: O): Typed<JsonValue, 'moment', O> {
  return new StructuralSchema({
    preserveUnknown: true,
    typed: typedField('json', options ?? {}),
  });
}

/** A list of `items`. Apply merges it by `listType`; without one it is atomic. */
export function list<S extends StructuralSchema, const O extends ListOptions>(
  items: S,
  options?: O,
): Typed<ValueOf<S>[], 'nothing', O> {
  const init: SchemaInit = {
    type: 'array',
    items,
    listType: options?.listType,
    typed: typedField('list', options ?? {}),
  };
  if (options?.listMapKeys !== undefined) init.listMapKeys = options.listMapKeys;
  return new StructuralSchema(init);
}

/** A map with keys of the user's choice. */
export function map<S extends StructuralSchema, const O extends StructOptions>(
  values: S,
  options?: O,
): Typed<Record<string, ValueOf<S>>, 'nothing', O> {
  return new StructuralSchema({
    type: 'object',
    additionalProperties: values,
    mapType: options?.mapType,
    typed: typedField('map', options ?? {}),
  });
}

/**
 * A struct. `name` is its full name in documents. Fields that contain the struct itself come from a function.
 */
export function struct<F extends Fields>(
  name: string,
  fields: F | ((self: StructuralSchema) => F),
  options: NumberedOptions<Extract<keyof F, string>> = {},
): Typed<StructOf<F>, 'struct'> {
  const properties = new Map<string, StructuralSchema>();
  const required: string[] = [];
  const self = new StructuralSchema({
    type: 'object',
    properties,
    mapType: options.mapType,
    keywords: { ...EMPTY_KEYWORDS, required },
    typed: {
      ...typedField('struct', options),
      structName: name,
      numbers: options.numbers as FieldNumbers | undefined,
    },
  });
  for (const [field, schema] of Object.entries(
    typeof fields === 'function' ? fields(self) : fields,
  )) {
    properties.set(field, schema);
    if (schema.typed?.required === true) required.push(field);
  }
  return self;
}

/** A type of its own (a struct, mostly) as a field: with the description, pointer and so on of that place. */
export function use<S extends StructuralSchema, const O extends StructOptions & ListOptions>(
  schema: S,
  options: O,
): Typed<ValueOf<S>, ZeroOf<S>, O> {
  const own = schema.typed;
  if (own === undefined) throw new Error('only what the DSL made can be a field');
  return schema.with({
    mapType: options.mapType ?? schema.mapType,
    listType: options.listType ?? schema.listType,
    listMapKeys: options.listMapKeys ?? schema.listMapKeys,
    typed: {
      ...typedField(own.kind, options),
      description: options.description ?? own.description,
      structName: own.structName,
      variants: own.variants,
      numbers: own.numbers,
    },
  });
}

/** A value that may be of one of several JSON types, each with a schema of its own. */
export function union(
  variants: UnionVariants,
  options: FieldOptions & { numbers?: NumbersOf<keyof UnionVariants> } = {},
): StructuralSchema {
  return new StructuralSchema({
    preserveUnknown: true,
    typed: { ...typedField('union', options), variants, numbers: options.numbers },
  });
}

function typedField(kind: TypedKind, options: StringOptions & ListOptions): TypedField {
  const required = options.required ?? false;
  return {
    kind,
    pointer: options.pointer ?? false,
    omit: options.omit ?? (required ? 'never' : 'empty'),
    required,
    description: options.description ?? '',
    enum: options.enum,
    publishedDefault: options.default,
    patchStrategy: options.patchStrategy,
    patchMergeKey: options.patchMergeKey,
    structName: undefined,
    variants: undefined,
    numbers: undefined,
  };
}
