import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { mapSchemaExtensions } from '../../api/schema-extensions.ts';
import type { Steps } from '../../api/steps.ts';
import { schemaRef } from './names.ts';

/** Keywords that a CRD may carry and that say nothing about its objects. */
const UNPUBLISHED = ['example', 'externalDocs', 'id', '$schema'];

/**
 * The schema of a custom resource as documents show it: the one of its CRD in
 * Kubernetes' spelling, with type and metadata where objects have them. Without
 * a schema nothing is said of the fields, for clients take a list of fields to
 * be complete. `json` becomes part of the result.
 *
 * `objectMeta` is the name of the schema of metadata. Source: behaviours 1.9.
 */
export function* customSchema(json: JsonObject | undefined, objectMeta: string): Steps<JsonObject> {
  if (json === undefined) return { type: 'object' };
  yield;
  const schema = mapSchemaExtensions(json, 'kubernetes');
  yield;
  publish(schema, objectMeta);
  yield;
  addObjectFields(schema, objectMeta);
  return schema;
}

/** In place; the depth is bounded by the parser's limit. */
function publish(schema: JsonObject, objectMeta: string): void {
  for (const key of UNPUBLISHED) Reflect.deleteProperty(schema, key);
  if (schema['x-kubernetes-int-or-string'] === true) {
    schema['anyOf'] ??= [{ type: 'integer' }, { type: 'string' }];
  }
  const { properties } = schema;
  const children: (JsonValue | undefined)[] = [schema['items'], schema['additionalProperties']];
  if (isObject(properties)) {
    for (const name of Object.keys(properties)) children.push(getOwn(properties, name));
  }
  for (const child of children) {
    if (!isObject(child)) continue;
    publish(child, objectMeta);
    if (child['x-kubernetes-embedded-resource'] !== true) continue;
    addObjectFields(child, objectMeta);
    const required = Array.isArray(child['required']) ? child['required'] : [];
    child['required'] = [...new Set([...required, 'kind', 'apiVersion'])];
  }
}

function addObjectFields(schema: JsonObject, objectMeta: string): void {
  if (!isObject(schema['properties'])) schema['properties'] = {};
  Object.assign(schema['properties'], objectFields(objectMeta));
}

/** The fields that every object begins with. */
export function objectFields(metadata: string): JsonObject {
  return {
    apiVersion: {
      type: 'string',
      description:
        'Group and version of the schema in which this object is written. The server converts what it recognises and refuses the rest.',
    },
    kind: {
      type: 'string',
      description:
        'The REST resource that this object stands for, in CamelCase. The server may take it from the path; it cannot be changed.',
    },
    metadata: { description: 'Standard metadata.', allOf: [schemaRef(metadata)] },
  };
}
