import { createHash } from 'node:crypto';
import type { JsonObject } from '../api/json.ts';
import { AUTHENTICATION_GROUP } from '../resources/authentication/identity-reviews.ts';
import type { ServedResource } from '../registry/served-resource.ts';

/** A resource below another one, as discovery describes it. */
interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Set when its kind is not the one of the resource. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

const UPDATE_VERBS: readonly string[] = ['get', 'patch', 'update'];
const SCALE: Subresource = {
  name: 'scale',
  verbs: UPDATE_VERBS,
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
};

const TOKEN: Subresource = {
  name: 'token',
  verbs: ['create'],
  kind: { group: AUTHENTICATION_GROUP, version: 'v1', kind: 'TokenRequest' },
};

function subresourcesOf({ version }: ServedResource): Subresource[] {
  const { status, scale, approval, finalize, token } = version.subresources;
  return [
    ...(approval === undefined ? [] : [{ name: 'approval', verbs: UPDATE_VERBS }]),
    ...(finalize === undefined ? [] : [{ name: 'finalize', verbs: ['update'] }]),
    ...(status === undefined ? [] : [{ name: 'status', verbs: UPDATE_VERBS }]),
    ...(scale === undefined ? [] : [SCALE]),
    ...(token === undefined ? [] : [TOKEN]),
  ];
}

const WHILE_TERMINATING = new Set(['create', 'patch', 'update']);

/** What may be done at this moment: nothing new comes into a resource that is being removed. */
function verbsOf({ definition }: ServedResource): readonly string[] {
  if (definition.custom?.terminating !== true) return definition.verbs;
  return definition.verbs.filter((verb) => !WHILE_TERMINATING.has(verb));
}

/** The entries of an APIResourceList: the resource, and each of its subresources. Source: behaviours 1.3. */
export function apiResources(resource: ServedResource): JsonObject[] {
  const { definition, kind } = resource;
  const { names, namespaced } = definition;
  const hash = storageVersionHash(resource);
  const own: JsonObject = {
    name: names.plural,
    singularName: names.singular,
    namespaced,
    kind: kind.kind,
    verbs: [...verbsOf(resource)],
    ...optional('shortNames', names.shortNames),
    ...optional('categories', names.categories),
    ...(hash === undefined ? {} : { storageVersionHash: hash }),
  };
  const subresources = subresourcesOf(resource).map((sub): JsonObject => ({
    name: `${names.plural}/${sub.name}`,
    singularName: '',
    namespaced,
    ...(sub.kind === undefined ? {} : { group: sub.kind.group, version: sub.kind.version }),
    kind: sub.kind?.kind ?? kind.kind,
    verbs: [...sub.verbs],
  }));
  return [own, ...subresources];
}

/**
 * The entry of a resource in aggregated discovery. Source: behaviours 1.4. For
 * built-in kinds group and version of the kind stay empty, which stands for
 * those of the list.
 */
export function apiResourceDiscovery(resource: ServedResource): JsonObject {
  const { definition } = resource;
  const { names, namespaced, builtin } = definition;
  const kind = builtin ? { group: '', version: '', kind: names.kind } : resource.kind;
  const subresources = subresourcesOf(resource).map((sub): JsonObject => ({
    subresource: sub.name,
    responseKind: responseKind(sub.kind ?? kind),
    verbs: [...sub.verbs],
  }));
  return {
    resource: names.plural,
    responseKind: responseKind(kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: names.singular,
    verbs: [...verbsOf(resource)],
    ...optional('shortNames', names.shortNames),
    ...optional('categories', names.categories),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function responseKind(kind: { group: string; version: string; kind: string }): JsonObject {
  return { group: kind.group, version: kind.version, kind: kind.kind };
}

function optional(key: string, values: readonly string[]): JsonObject {
  return values.length === 0 ? {} : { [key]: [...values] };
}

/**
 * Tells clients whether objects are stored as before: a hash of group, version
 * and kind that are stored. Undefined for what is never stored; that cannot be
 * watched either.
 */
function storageVersionHash({ definition }: ServedResource): string | undefined {
  if (!definition.verbs.includes('watch')) return undefined;
  const { group, storageVersion, names } = definition;
  const digest = createHash('sha256').update(`${group}/${storageVersion}/${names.kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}
