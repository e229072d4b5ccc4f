import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'patch']);

/**
 * Converts a path of an OpenAPI 3 document to OpenAPI 2: bodies become
 * parameters, media types become lists. Only for documents that this room
 * builds.
 */
export function pathV2(item: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(item)) {
    if (METHODS.has(key) && isObject(value)) result[key] = operationV2(value);
    else if (key === 'parameters') result[key] = objects(value).map(parameterV2);
  }
  return result;
}

function operationV2(operation: JsonObject): JsonObject {
  const { parameters, requestBody, responses, ...rest } = operation;
  const bodyContent = isObject(requestBody) ? contentOf(requestBody) : {};
  const all = isObject(responses) ? responses : {};
  const produces = new Set<string>();
  const responsesV2: JsonObject = {};
  for (const [code, response] of Object.entries(all)) {
    if (!isObject(response)) continue;
    const content = contentOf(response);
    for (const type of Object.keys(content)) produces.add(type);
    const schema = schemaOf(content);
    responsesV2[code] = {
      description: response['description'] ?? '',
      ...(schema === undefined ? {} : { schema }),
    };
  }
  const body = isObject(requestBody) ? [bodyParameter(requestBody, bodyContent)] : [];
  return {
    ...rest,
    // A request without a body says nothing of its type.
    ...(body.length === 0 ? {} : { consumes: Object.keys(bodyContent) }),
    produces: [...produces],
    parameters: [...body, ...objects(parameters).map(parameterV2)],
    responses: responsesV2,
  };
}

function bodyParameter(requestBody: JsonObject, content: JsonObject): JsonObject {
  return {
    name: 'body',
    in: 'body',
    ...(requestBody['required'] === true ? { required: true } : {}),
    schema: schemaOf(content) ?? {},
  };
}

function parameterV2({ schema, ...parameter }: JsonObject): JsonObject {
  return { ...parameter, ...(isObject(schema) ? schema : {}) };
}

function contentOf(holder: JsonObject): JsonObject {
  const content = holder['content'];
  return isObject(content) ? content : {};
}

/** All media types of one body have the same schema. */
function schemaOf(content: JsonObject): JsonObject | undefined {
  const [first] = Object.values(content);
  const schema = isObject(first) ? first['schema'] : undefined;
  if (!isObject(schema)) return undefined;
  const reference = schema['$ref'];
  return typeof reference === 'string'
    ? { $ref: reference.replace('#/components/schemas/', '#/definitions/') }
    : schema;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
