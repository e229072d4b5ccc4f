import { exactText } from '../../client/exact.ts';
import { isMap, type Json } from '../api/json.ts';

/** A schema of an OpenAPI v3 document, as far as the console reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly multipleOf?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  /** The neutral spellings. */
  readonly 'x-cluster-list-type'?: string;
  readonly 'x-cluster-list-map-keys'?: readonly string[];
  readonly 'x-cluster-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly Rule[];
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

interface Rule {
  readonly rule?: string;
  readonly message?: string;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The schemas of a document, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

const REF = '#/components/schemas/';
/** References that are followed one after the other. */
const MOST_REFERENCES = 20;

/** The schemas of an OpenAPI v3 document. */
export function schemasOf(document: Json): Schemas {
  const components = isMap(document) ? document.components : undefined;
  const schemas = isMap(components) ? components.schemas : undefined;
  return isMap(schemas) ? (schemas as unknown as Schemas) : {};
}

/** The schema of a kind; undefined: the document does not have it. */
export function schemaOfKind(
  schemas: Schemas,
  { group, version, kind }: GroupVersionKind,
): Schema | undefined {
  return Object.values(schemas).find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (each) => each.group === group && each.version === version && each.kind === kind,
    ),
  );
}

/** A schema with what it refers to in its place. */
export function resolved(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  let here = schema;
  for (let i = 0; here !== undefined && i < MOST_REFERENCES; i++) {
    const [only] = here.allOf ?? [];
    const ref = here.$ref ?? (here.type === undefined ? only?.$ref : undefined);
    if (ref === undefined) return here;
    const name = ref.startsWith(REF) ? ref.slice(REF.length) : ref;
    const target: Schema | undefined = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (target === undefined) return here;
    // What stands next to the reference says more about this place than its target does.
    const { $ref: _ref, allOf: _all, ...own } = here;
    const { $ref, allOf, ...rest } = target;
    here = {
      ...rest,
      ...own,
      ...($ref === undefined ? {} : { $ref }),
      ...(allOf === undefined ? {} : { allOf }),
    };
  }
  return here;
}

/** The schema of a field; undefined where the schema says nothing about it. */
export function propertyOf(
  schema: Schema | undefined,
  key: string,
  schemas: Schemas,
): Schema | undefined {
  const { properties, additionalProperties } = resolved(schema, schemas) ?? {};
  if (properties !== undefined && Object.hasOwn(properties, key)) {
    return resolved(properties[key], schemas);
  }
  return typeof additionalProperties === 'object'
    ? resolved(additionalProperties, schemas)
    : undefined;
}

/** The schema of the items of a list. */
export function itemOf(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  return resolved(resolved(schema, schemas)?.items, schemas);
}

/** The schema at a path of keys and positions. */
export function schemaAt(
  schema: Schema | undefined,
  path: readonly (string | number)[],
  schemas: Schemas,
): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (here, step) =>
      typeof step === 'number' ? itemOf(here, schemas) : propertyOf(here, step, schemas),
    resolved(schema, schemas),
  );
}

/** Whether fields that the schema does not list are kept. */
export function isOpen(schema: Schema): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    (schema.properties === undefined && schema.additionalProperties !== false)
  );
}

/** What a schema says, as words. */
interface Description {
  /** `string`, `list of integer`, `map of string`. */
  readonly type: string;
  readonly description: string;
  /** `at least 1`, `one of a, b`. */
  readonly bounds: readonly string[];
}

/** What a schema says, as words. */
export function describe(schema: Schema | undefined): Description {
  if (schema === undefined) return { type: '', description: '', bounds: [] };
  return {
    type: typeName(schema),
    description: schema.description ?? schema.title ?? '',
    bounds: boundsOf(schema),
  };
}

function typeName(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  switch (schema.type) {
    case 'array': {
      const { items } = schema;
      return `list of ${items === undefined ? 'anything' : nameOr(items, 'object')}`;
    }
    case 'object': {
      if (typeof schema.additionalProperties === 'object')
        return `map of ${nameOr(schema.additionalProperties, 'object')}`;
      const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
      return isOpen ? 'object with any fields' : 'object';
    }
    case undefined:
      return nameOr(schema, 'anything');
    default:
      return schema.format === undefined ? schema.type : `${schema.type} (${schema.format})`;
  }
}

/** A short name for a schema that may only be a reference. */
function nameOr(schema: Schema, otherwise: string): string {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref !== undefined) return ref.slice(ref.lastIndexOf('.') + 1);
  return schema.type === undefined ? otherwise : typeName(schema);
}

/** A value of a list as one word: in quotes where its end would not be seen. */
function wordOf(value: Json): string {
  return typeof value === 'string' && /^[^\s,"]+$/.test(value) ? value : exactText(value);
}

function boundsOf(schema: Schema): string[] {
  const words: (readonly [unknown, (value: string) => string])[] = [
    [schema.minimum, (value) => `at least ${value}`],
    [schema.maximum, (value) => `at most ${value}`],
    [schema.multipleOf, (value) => `a multiple of ${value}`],
    [schema.minLength, (value) => `at least ${value} characters`],
    [schema.maxLength, (value) => `at most ${value} characters`],
    [schema.minItems, (value) => `at least ${value} items`],
    [schema.maxItems, (value) => `at most ${value} items`],
    [schema.pattern, (value) => `matches ${value}`],
  ];
  const bounds = words.flatMap(([value, say]) =>
    ['string', 'number', 'bigint'].includes(typeof value) ? [say(String(value))] : [],
  );
  bounds.push(...mergingOf(schema));
  if (schema.enum !== undefined) bounds.push(`one of ${schema.enum.map(wordOf).join(', ')}`);
  if (schema.default !== undefined && schema.default !== '') {
    const text = exactText(schema.default);
    if (text !== '{}') bounds.push(`by default ${text}`);
  }
  if (schema.nullable === true) bounds.push('may be null');
  return bounds;
}

/** How the items of a list, or the fields of a map, are told apart and merged by an apply. */
function mergingOf(schema: Schema): string[] {
  const listType = schema['x-kubernetes-list-type'] ?? schema['x-cluster-list-type'];
  const mapType = schema['x-kubernetes-map-type'] ?? schema['x-cluster-map-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? schema['x-cluster-list-map-keys'] ?? [];
  if (listType === 'set') return ['a set: no item twice'];
  if (listType === 'map') return [`each item has another ${keys.join(' and ')}`];
  return [listType, mapType].includes('atomic') ? ['replaced as a whole'] : [];
}
