import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { servedResource, type ServedResource } from '../../registry/served-resource.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { resourcePaths } from '../../discovery/openapi/paths.ts';

/** One operation of a kind, as the server publishes it. */
export interface Operation {
  readonly kind: string;
  /** `list`, `get status`, `replace finalize`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** What is sent; undefined: nothing. */
  readonly body: string | undefined;
  readonly bodyRequired: boolean;
  /** Kinds of the answers by their codes; '' where there is nothing to say. */
  readonly answers: Readonly<Record<string, string>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly type: string;
  readonly description: string;
}

/** Every built-in kind, all features on, in the order of their names. */
export const KINDS: readonly ServedResource[] = builtinDefinitions(ALL_FEATURE_GATES)
  .map(inItsVersion)
  .sort((a, b) => (a.kind.kind < b.kind.kind ? -1 : 1));

function inItsVersion(definition: ResourceDefinition): ServedResource {
  const [version] = definition.versions;
  if (version === undefined) throw new Error(`${definition.names.kind} has no version`);
  return servedResource(definition, version);
}

const NAMES: Readonly<Record<string, string>> = {
  post: 'create',
  put: 'update',
};

/** The operations on the paths of a kind, in the order of the document. */
export function operationsOf(resource: ServedResource): Operation[] {
  const { kind, definition } = resource;
  const paths = resourcePaths(resource, {
    object: kind.kind,
    list: definition.names.listKind,
    status: 'Status',
    deleteOptions: 'DeleteOptions',
    patch: 'Patch',
    scale: 'Scale',
    tokenRequest: 'TokenRequest',
  });
  return [...paths].flatMap(([path, item]) => {
    const shared = parametersOf(item);
    return Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' || !isObject(operation)
        ? []
        : [operationAt(kind.kind, path, method, operation, shared)],
    );
  });
}

function operationAt(
  kind: string,
  path: string,
  method: string,
  operation: JsonObject,
  shared: readonly Parameter[],
): Operation {
  const action = textOf(operation['x-kubernetes-action']);
  const subresource = /\{name\}\/(\w+)$/.exec(path)?.[1];
  const name = NAMES[action] ?? action;
  const body = operation['requestBody'];
  return {
    kind,
    name: subresource === undefined ? name : `${name} ${subresource}`,
    method: method.toUpperCase(),
    path,
    parameters: [...shared, ...parametersOf(operation)],
    body: isObject(body) ? schemaNameIn(body) : undefined,
    bodyRequired: isObject(body) && body['required'] === true,
    answers: answersOf(operation),
  };
}

function parametersOf(item: JsonObject): Parameter[] {
  const parameters = item['parameters'];
  if (!Array.isArray(parameters)) return [];
  return parameters.filter(isObject).map((parameter) => {
    const schema = parameter['schema'];
    return {
      name: textOf(parameter['name']),
      in: textOf(parameter['in']),
      type: isObject(schema) ? textOf(schema['type']) : '',
      description: textOf(parameter['description']),
    };
  });
}

function answersOf(operation: JsonObject): Record<string, string> {
  const responses = operation['responses'];
  if (!isObject(responses)) return {};
  return Object.fromEntries(
    Object.entries(responses).map(([code, response]) => [code, schemaNameIn(response)]),
  );
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The schema that the content of a body or an answer refers to, the same in every format. */
function schemaNameIn(value: JsonValue): string {
  return /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(value))?.[1] ?? '';
}
