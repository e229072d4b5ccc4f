import { at, listAt, textAt, type Json } from './json.ts';
import { apiVersionOf, type Kind } from './kind.ts';

/** Accept header of the discovery document that has everything in one answer. */
export const DISCOVERY =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

const ALIAS = '.k8s.io';
const OWN = '.cluster.io';

/**
 * The kinds of two aggregated discovery documents (`/api` and `/apis`), each in
 * the version that its group prefers. A group that is another name of one that
 * is there as well is left out.
 */
export function kindsOf(documents: readonly Json[]): Kind[] {
  const groups = documents.flatMap((document) => listAt(document, 'items'));
  const names = new Set(groups.map((group) => textAt(group, 'metadata', 'name')));
  const kinds: Kind[] = [];
  for (const group of groups) {
    const name = textAt(group, 'metadata', 'name');
    if (name.endsWith(ALIAS) && names.has(name.slice(0, -ALIAS.length) + OWN)) continue;
    const seen = new Set<string>();
    for (const version of listAt(group, 'versions')) {
      for (const resource of listAt(version, 'resources')) {
        const kind = kindOf(name, textAt(version, 'version'), resource);
        if (kind === undefined || seen.has(kind.plural)) continue;
        seen.add(kind.plural);
        kinds.push(kind);
      }
    }
  }
  return kinds;
}

function kindOf(group: string, version: string, resource: Json): Kind | undefined {
  const plural = textAt(resource, 'resource');
  const kind = textAt(resource, 'responseKind', 'kind');
  if (plural === '' || kind === '') return undefined;
  return {
    ...{ group, version, plural, kind },
    singular: textAt(resource, 'singularResource'),
    namespaced: textAt(resource, 'scope') === 'Namespaced',
    verbs: new Set(texts(at(resource, 'verbs'))),
    shortNames: texts(at(resource, 'shortNames')),
    subresources: listAt(resource, 'subresources').map((each) => textAt(each, 'subresource')),
  };
}

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** The kind that an object says it is of; undefined: the server does not serve it. */
export function kindOfObject(
  kinds: readonly Kind[],
  apiVersion: string,
  name: string,
): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const own = group.endsWith(ALIAS) ? group.slice(0, -ALIAS.length) + OWN : group;
  return (
    kinds.find((each) => apiVersionOf(each) === apiVersion && each.kind === name) ??
    kinds.find((each) => (each.group === group || each.group === own) && each.kind === name)
  );
}
