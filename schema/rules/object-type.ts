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
  const root = new Map<string, StructuralSchema>(schema.properties);
  root.set('metadata', metadata);
  const texts = new Map([
    ['apiVersion', STRING],
    ['kind', STRING],
  ]);
  return struct('object', root, namesOf, texts);
}

type NamesOf = (property: string) => readonly string[];

function typeOf(schema: StructuralSchema, name: string, namesOf: NamesOf): CelType {
  if (schema.intOrString || schema.preserveUnknown) return DYN;
  switch (schema.type) {
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'string':
      return STRING;
    case 'array':
      return schema.items === undefined
        ? DYN
        : listType(typeOf(schema.items, `${name}.item`, namesOf));
    case 'object':
      return typeOfObject(schema, name, namesOf);
    case 'number':
    case '':
      return DYN;
  }
}

function typeOfObject(schema: StructuralSchema, name: string, namesOf: NamesOf): CelType {
  const { properties, additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    return mapType(STRING, typeOf(additionalProperties, `${name}.value`, namesOf));
  }
  return properties === undefined || additionalProperties === true
    ? DYN
    : struct(name, properties, namesOf);
}

/** Types of fields are made when they are asked for: schemas may contain themselves. */
function struct(
  name: string,
  properties: ReadonlyMap<string, StructuralSchema>,
  namesOf: NamesOf,
  known: ReadonlyMap<string, CelType> = new Map(),
): CelType {
  const fields = new Map<string, StructuralSchema>();
  for (const [property, schema] of properties) {
    for (const identifier of namesOf(property)) fields.set(identifier, schema);
  }
  const types = new Map(known);
  return structType(name, (field) => {
    const schema = fields.get(field);
    if (schema !== undefined && !types.has(field))
      types.set(field, typeOf(schema, `${name}.${field}`, namesOf));
    return types.get(field);
  });
}
