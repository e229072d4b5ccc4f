import { BOOL, DYN, INT, listType, mapType, STRING, structType } from '../../cel/value/type.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { fieldNames } from './identifiers.ts';
import type { CelType } from '../../cel/value/cel-type.ts';

/**
 * The type of objects of a schema as policies and filters meet them: JSON, in
 * which times are texts and a number may be whole or not. What a schema does not
 * tell is anything. `namesOf`: the identifiers of a property.
 */
export function objectType(
  schema: StructuralSchema,
  metadata: StructuralSchema,
  namesOf: NamesOf = fieldNames,
): CelType {
  return wholeObject(schema, 'object', { metadata, namesOf });
}

/** Of the object, and of those within it (`x-kubernetes-embedded-resource`). */
function wholeObject(schema: StructuralSchema, name: string, as: Reading): CelType {
  const properties = new Map<string, StructuralSchema>(schema.properties);
  properties.set('metadata', as.metadata);
  const texts = new Map([
    ['apiVersion', STRING],
    ['kind', STRING],
  ]);
  return struct(name, properties, as, texts);
}

interface Reading {
  readonly metadata: StructuralSchema;
  readonly namesOf: NamesOf;
}

type NamesOf = (property: string) => readonly string[];

function typeOf(schema: StructuralSchema, name: string, as: Reading): CelType {
  if (schema.intOrString || schema.preserveUnknown) return DYN;
  switch (schema.type) {
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'string':
      return STRING;
    case 'array':
      return schema.items === undefined ? DYN : listType(typeOf(schema.items, `${name}.item`, as));
    case 'object':
      return schema.embedded ? wholeObject(schema, name, as) : typeOfObject(schema, name, as);
    case 'number':
    case '':
      return DYN;
  }
}

function typeOfObject(schema: StructuralSchema, name: string, as: Reading): CelType {
  const { properties, additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return mapType(STRING, typeOf(additionalProperties, `${name}.value`, as));
  }
  return properties === undefined || additionalProperties === true
    ? DYN
    : struct(name, properties, as);
}

/** Types of fields are made when they are asked for: schemas may contain themselves. */
function struct(
  name: string,
  properties: ReadonlyMap<string, StructuralSchema>,
  as: Reading,
  known: ReadonlyMap<string, CelType> = new Map(),
): CelType {
  const fields = new Map<string, StructuralSchema>();
  for (const [property, schema] of properties) {
    for (const identifier of as.namesOf(property)) fields.set(identifier, schema);
  }
  const types = new Map(known);
  return structType(name, (field) => {
    const schema = fields.get(field);
    if (schema !== undefined && !types.has(field))
      types.set(field, typeOf(schema, `${name}.${field}`, as));
    return types.get(field);
  });
}
