import type { JsonObject } from '../../api/json.ts';
import { extensionKey } from '../../api/schema-extensions.ts';
import type { StructuralSchema, TypedField } from '../../schema/structure/structural.ts';
import { aliasSchemaName, schemaRef } from './names.ts';

/**
 * The schemas of built-in kinds as documents show them: each struct once, by
 * its name, and every field of its type as a reference. What apply and
 * strategic merge need to know stands in `x-kubernetes-…` keys, where clients
 * look for it.
 */
export class BuiltinSchemas {
  readonly #alias: boolean;

  /** By name; structs come in as they are referred to. */
  readonly all = new Map<string, JsonObject>();

  /** `alias`: for the documents of aliases, in the names of these. */
  constructor(alias = false) {
    this.#alias = alias;
  }

  /** Publishes a struct with everything that it refers to; its name. */
  add(struct: StructuralSchema, description?: string): string {
    const { structName: ownName } = typedOf(struct);
    if (ownName === undefined) throw new Error('only structs have names in documents');
    const structName = this.#alias ? aliasSchemaName(ownName) : ownName;
    if (this.all.has(structName)) return structName;
    const schema: JsonObject = {};
    // A struct may contain itself: it is known before its fields are.
    this.all.set(structName, schema);
    if (description !== undefined && description !== '') schema['description'] = description;
    schema['type'] = 'object';
    const properties: JsonObject = {};
    for (const [name, field] of struct.properties ?? []) {
      properties[this.#alias ? extensionKey(name, 'kubernetes') : name] = this.#field(field);
    }
    if (Object.keys(properties).length > 0) schema['properties'] = properties;
    const required = [...(struct.keywords?.required ?? [])].sort();
    if (required.length > 0) schema['required'] = required;
    if (struct.mapType === 'atomic') schema['x-kubernetes-map-type'] = 'atomic';
    return structName;
  }

  #field(schema: StructuralSchema): JsonObject {
    const field = typedOf(schema);
    const { description } = field;
    const type = this.#type(schema, field);
    // OpenAPI ignores other keywords next to a reference, so the reference stands in a list of one.
    const own = '$ref' in type && description !== '' ? { allOf: [type] } : type;
    return {
      ...(description === '' ? {} : { description }),
      ...own,
      ...(field.enum === undefined ? {} : { enum: [...field.enum] }),
      ...(field.publishedDefault === undefined ? {} : { default: field.publishedDefault }),
      ...extensions(schema, field),
    };
  }

  #type(schema: StructuralSchema, field: TypedField): JsonObject {
    switch (field.kind) {
      case 'struct':
        return schemaRef(this.add(schema));
      case 'list':
        return {
          type: 'array',
          ...(schema.items === undefined ? {} : { items: this.#field(schema.items) }),
        };
      case 'map':
        return {
          type: 'object',
          ...(typeof schema.additionalProperties === 'object'
            ? { additionalProperties: this.#field(schema.additionalProperties) }
            : {}),
        };
      case 'intOrString':
        return { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
      case 'raw':
        return { type: 'object' };
      case 'json':
      case 'union':
        return {};
      case 'boolean':
      case 'bytes':
      case 'float64':
      case 'int32':
      case 'int64':
      case 'microTime':
      case 'quantity':
      case 'string':
      case 'time': {
        const format = schema.keywords?.format ?? '';
        return { type: schema.type, ...(format === '' ? {} : { format }) };
      }
    }
  }
}

function extensions(schema: StructuralSchema, field: TypedField): JsonObject {
  const keys: JsonObject = {};
  if (schema.listType !== undefined) keys['x-kubernetes-list-type'] = schema.listType;
  if (schema.listMapKeys.length > 0) keys['x-kubernetes-list-map-keys'] = [...schema.listMapKeys];
  if (field.kind === 'map' && schema.mapType !== undefined) {
    keys['x-kubernetes-map-type'] = schema.mapType;
  }
  if (field.patchStrategy !== undefined) {
    keys['x-kubernetes-patch-strategy'] = field.patchStrategy;
  }
  if (field.patchMergeKey !== undefined) {
    keys['x-kubernetes-patch-merge-key'] = field.patchMergeKey;
  }
  return keys;
}

function typedOf(schema: StructuralSchema): TypedField {
  if (schema.typed === undefined) throw new Error('a built-in kind is made of typed fields');
  return schema.typed;
}
