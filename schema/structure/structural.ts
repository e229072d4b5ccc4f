import { hasOwn, type JsonValue } from '../../api/json.ts';
import { sizeOf, type ValueSize } from '../default-budget.ts';
import { NO_RULES, type ValidationRule } from './rule.ts';
import type { FieldNumbers, Omit, TypedKind } from './typed-field.ts';

export type SchemaType = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
export type ListType = 'atomic' | 'set' | 'map';
export type MapType = 'atomic' | 'granular';

/** What a node may be made of; everything has a default. */
export interface SchemaInit {
  type?: SchemaType | '';
  properties?: ReadonlyMap<string, StructuralSchema> | undefined;
  items?: StructuralSchema | undefined;
  additionalProperties?: StructuralSchema | boolean | undefined;
  nullable?: boolean;
  default?: JsonValue | undefined;
  preserveUnknown?: boolean;
  embedded?: boolean;
  intOrString?: boolean;
  listType?: ListType | undefined;
  listMapKeys?: readonly string[];
  mapType?: MapType | undefined;
  rules?: readonly ValidationRule[];
  keywords?: Keywords | undefined;
  typed?: TypedField | undefined;
}

/**
 * The keywords that restrict a value without giving it structure. Absent ones
 * are undefined or empty. Source: specification 3, section 2.1, JSONSchemaProps.
 */
export interface Keywords {
  /** As written; whether it is enforced depends on the type, see formats/registry.ts. */
  readonly format: string;
  readonly maximum: number | bigint | undefined;
  readonly minimum: number | bigint | undefined;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | bigint | undefined;
  /** Lengths count characters (code points). */
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  /** RE2 syntax; matches anywhere in the text unless anchored. */
  readonly pattern: string;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[] | undefined;
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
}

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

export interface UnionVariants {
  readonly boolean?: StructuralSchema;
  readonly array?: StructuralSchema;
  readonly object?: StructuralSchema;
}

/**
 * A schema as the server works with it: one immutable node per place in an
 * object. It says what fields there are (pruning, defaulting, merging) and
 * what their values must be (`keywords`, `rules`). Built from the JSON of a CRD
 * (`from-json.ts`) or from the description of a built-in kind (`dsl.ts`), which
 * adds what decoding into a Go struct would do (`typed`).
 *
 * Nodes below allOf, anyOf, oneOf and not are of the same class, without type.
 * Titles and descriptions of CRDs are not kept: documents are made from the
 * JSON itself.
 */
export class StructuralSchema {
  /** Empty where the type is not said: int-or-string, preserve-unknown, and below junctors. */
  readonly type: SchemaType | '';
  readonly properties: ReadonlyMap<string, StructuralSchema> | undefined;
  readonly items: StructuralSchema | undefined;
  /** A schema for the values of other keys; `true` and `false` keep the keys but know nothing of the values. */
  readonly additionalProperties: StructuralSchema | boolean | undefined;
  readonly nullable: boolean;
  /** Frozen; copy it before it becomes part of an object. */
  readonly default: JsonValue | undefined;
  /** Of the default as it is written, without the defaults inside it. */
  readonly defaultSize: ValueSize;
  readonly preserveUnknown: boolean;
  /** The value is an object of the API with type and metadata of its own. */
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: ListType | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: MapType | undefined;
  readonly rules: readonly ValidationRule[];
  /** Undefined when nothing restricts the value. */
  readonly keywords: Keywords | undefined;
  /** Only on the fields of built-in kinds. */
  readonly typed: TypedField | undefined;
  /** The properties that have a default, so that defaulting need not look at the others. */
  readonly defaulted: readonly DefaultedProperty[];
  /** What occurs here or further down (bits of {@link CONTAINS}), so that walks may stop early. */
  readonly contains: number;

  constructor(init: SchemaInit) {
    this.type = init.type ?? '';
    this.properties = init.properties;
    this.items = init.items;
    this.additionalProperties = init.additionalProperties;
    this.nullable = init.nullable ?? false;
    this.default = init.default === undefined ? undefined : frozen(init.default);
    this.defaultSize = init.default === undefined ? NO_SIZE : sizeOf(init.default);
    this.preserveUnknown = init.preserveUnknown ?? false;
    this.embedded = init.embedded ?? false;
    this.intOrString = init.intOrString ?? false;
    this.listType = init.listType;
    this.listMapKeys = init.listMapKeys ?? NO_NAMES;
    this.mapType = init.mapType;
    this.rules = init.rules ?? NO_RULES;
    this.keywords = init.keywords;
    this.typed = init.typed;
    this.defaulted = defaultedProperties(init.properties);
    this.contains = containedIn(this);
  }

  /** The same node with some of its parts replaced. */
  with(changes: SchemaInit): StructuralSchema {
    return new StructuralSchema(
      Object.assign<SchemaInit, SchemaInit, SchemaInit>({}, this, changes),
    );
  }

  /** The schema of the value at `key` of an object; undefined when nothing is known of it. */
  child(key: string): StructuralSchema | undefined {
    const property = this.properties?.get(key);
    if (property !== undefined) return property;
    return typeof this.additionalProperties === 'object' ? this.additionalProperties : undefined;
  }
}

interface DefaultedProperty {
  readonly name: string;
  readonly schema: StructuralSchema;
}

/** Things that few schemas have anywhere. Typed schemas, which may contain themselves, do not use them. */
export const CONTAINS = { embedded: 1, uniqueItems: 2, rules: 4, default: 8 } as const;

function containedIn(schema: StructuralSchema): number {
  let bits = 0;
  if (schema.embedded) bits |= CONTAINS.embedded;
  if (schema.listType === 'map' || schema.listType === 'set') bits |= CONTAINS.uniqueItems;
  if (schema.rules.length > 0) bits |= CONTAINS.rules;
  if (schema.default !== undefined) bits |= CONTAINS.default;
  if (schema.items !== undefined) bits |= schema.items.contains;
  if (typeof schema.additionalProperties === 'object') {
    bits |= schema.additionalProperties.contains;
  }
  for (const property of schema.properties?.values() ?? []) bits |= property.contains;
  return bits;
}

const NO_SIZE: ValueSize = { fields: 0, bytes: 0 };
const NO_NAMES: readonly string[] = [];
const NO_DEFAULTS: readonly DefaultedProperty[] = [];

function defaultedProperties(
  properties: ReadonlyMap<string, StructuralSchema> | undefined,
): readonly DefaultedProperty[] {
  if (properties === undefined) return NO_DEFAULTS;
  const found: DefaultedProperty[] = [];
  for (const [name, schema] of properties) {
    if (schema.default !== undefined) found.push({ name, schema });
  }
  return found.length === 0 ? NO_DEFAULTS : found;
}

/** A default belongs to the schema for good: a change of it would reach every object that has it. */
function frozen(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    if (Array.isArray(value)) value.forEach(frozen);
    else for (const key in value) if (hasOwn(value, key)) frozen(value[key] as JsonValue);
  }
  return value;
}
