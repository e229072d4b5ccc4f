import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/** More resources of one version are not shown. */
const MAX_RESOURCES = 2_000;
/** The same for the verbs, short names and categories of one resource. */
const MAX_NAMES = 100;

/**
 * The resources of another server's APIResourceList as aggregated discovery
 * describes them; undefined when it is none. Source: behaviours 1.3, 1.4.
 */
export function discoveryItems(list: JsonValue): JsonObject[] | undefined {
  if (!isObject(list) || !Array.isArray(list.resources)) return undefined;
  const items = new Map<string, JsonObject>();
  const subresources = new Map<string, JsonObject[]>();
  for (const resource of list.resources.slice(0, MAX_RESOURCES)) {
    if (!isObject(resource) || typeof resource.name !== 'string') continue;
    const slash = resource.name.indexOf('/');
    if (slash < 0) {
      items.set(resource.name, itemOf(resource.name, resource));
      continue;
    }
    const parent = resource.name.slice(0, slash);
    const known = subresources.get(parent) ?? [];
    known.push({
      subresource: resource.name.slice(slash + 1),
      responseKind: kindOf(resource),
      verbs: strings(resource.verbs),
    });
    subresources.set(parent, known);
  }
  for (const [parent, known] of subresources) {
    const item = items.get(parent) ?? { resource: parent, verbs: [] };
    items.set(parent, { ...item, subresources: known });
  }
  return [...items.values()];
}

function itemOf(name: string, resource: JsonObject): JsonObject {
  const { namespaced, singularName = '' } = resource;
  return {
    resource: name,
    responseKind: kindOf(resource),
    scope: namespaced === true ? 'Namespaced' : 'Cluster',
    singularResource: typeof singularName === 'string' ? singularName : '',
    verbs: strings(resource.verbs),
    ...optional('shortNames', strings(resource.shortNames)),
    ...optional('categories', strings(resource.categories)),
  };
}

function kindOf(resource: JsonObject): JsonObject {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const { group, version, kind } = resource;
  return { group: text(group), version: text(version), kind: text(kind) };
}

function strings(value: JsonValue | undefined): string[] {
  const names = Array.isArray(value) ? value.slice(0, MAX_NAMES) : [];
  return names.filter((one) => typeof one === 'string');
}

function optional(key: string, values: readonly string[]): JsonObject {
  return values.length === 0 ? {} : { [key]: [...values] };
}
