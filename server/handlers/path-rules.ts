import { namespaceNotFound } from '../../admission/plugins/namespace-lifecycle.ts';
import {
  apiError,
  badRequest,
  methodNotAllowed,
  notFound,
  unknownResource,
} from '../../api/api-error.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';
import type { ResourceDefinition, Verb } from '../../resources/definition.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { RequestInfo } from '../../http/request-info.ts';

const NUL = '\u0000';

/** Verbs that a path without a namespace offers for a namespaced resource. */
const OVER_ALL_NAMESPACES = ['list', 'watch'];

/**
 * The path must fit the resource's scope and subresources.
 *
 * @throws ApiError 404 (405 where kube-apiserver says so)
 */
export function checkPath({ info }: Exchange, { resource, namespace, name }: Target): void {
  const { definition, version, groupResource } = resource;
  // No store has keys with NUL in them, nor looks for such: nothing is called so.
  if (name.includes(NUL)) throw notFound(groupResource, name);
  if (namespace.includes(NUL)) throw namespaceNotFound(namespace);
  const isNamespace = isNamespaceItself(info);
  if (!definition.namespaced && info.namespace !== '' && !isNamespace) throw unknownResource();
  if (definition.namespaced && info.namespace === '' && !OVER_ALL_NAMESPACES.includes(info.verb)) {
    if (name !== '' || !definition.builtin) throw unknownResource();
    throw methodUnknown();
  }
  if (info.subresource === '') return;
  const offered =
    Object.hasOwn(version.subresources, info.subresource) &&
    info.rest.length === 0 &&
    (info.namespace !== '') === (definition.namespaced || isNamespace);
  if (offered) return;
  throw definition.builtin ? unknownResource() : notFound(groupResource, name);
}

/**
 * Whether the path names a namespace in the place of an object. Below a namespace
 * there are no namespaces: rights in one must not reach the others.
 */
function isNamespaceItself({ group, resource, namespace, name, path }: RequestInfo): boolean {
  const isOne = group === '' && resource === 'namespaces' && namespace === name;
  return isOne && !path.includes(`/namespaces/${namespace}/namespaces/`);
}

const ONE_OBJECT = ['get', 'update', 'patch', 'delete'];

/**
 * What no object can be called cannot be asked for either: `.`, `..` and names with
 * a percent sign.
 *
 * @throws ApiError 400
 */
export function checkName({ info: { name, verb } }: Exchange): void {
  if (!ONE_OBJECT.includes(verb)) return;
  const problem =
    name === '.' || name === '..'
      ? `may not be '${name}'`
      : name.includes('%')
        ? "may not contain '%'"
        : undefined;
  if (problem === undefined) return;
  throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`);
}

/**
 * The resource must offer the verb on this path. Paths of built-in kinds are fixed,
 * each with its methods; those of custom resources go by the verb alone, so that
 * a write without a name is told that it needs one, and POST is a create wherever
 * it is sent: so clients have always been answered.
 *
 * @throws ApiError 405
 */
export function checkVerb(
  { info, request }: Exchange,
  { definition, groupResource }: ServedResource,
): void {
  const verb = info.verb as Verb;
  if (info.watchPath && definition.builtin) checkWatchPath(info, request.method, definition);
  if (info.subresource !== '') {
    const subresource = info.subresource;
    const verbs = subresource === 'finalize' ? ['update'] : ['get', 'update', 'patch'];
    if (verbs.includes(verb) && !isHeadOfBuiltin(request.method, definition.builtin)) return;
    throw definition.builtin ? methodUnknown() : methodNotAllowed(groupResource, verb);
  }
  if (verb === 'watch' && !definition.verbs.includes('watch')) {
    throw methodNotAllowed(groupResource, verb);
  }
  if (!definition.builtin) {
    if (definition.verbs.includes(verb)) return;
    throw methodNotAllowed(groupResource, verb);
  }
  // Only the path tells an item from a collection: POST to an item is not a create.
  const isOfItem = ONE_OBJECT.includes(verb);
  // reviews are only created: no path exists below them
  if (info.name !== '' && definition.verbs.every((offered) => offered === 'create')) {
    throw unknownResource();
  }
  const fits = verb === 'watch' || isOfItem === (info.name !== '');
  if (!fits || !definition.verbs.includes(verb) || isHeadOfBuiltin(request.method, true)) {
    throw methodUnknown();
  }
}

/**
 * The older watch paths of built-in kinds: one per collection and one per object,
 * of what can be watched, each with the one method.
 */
function checkWatchPath(info: RequestInfo, method: string, definition: ResourceDefinition): void {
  const nowhere = definition.namespaced && info.namespace === '' && info.name !== '';
  if (info.subresource !== '' || nowhere || !definition.verbs.includes('watch')) {
    throw unknownResource();
  }
  if (method !== 'GET') throw methodUnknown();
}

function isHeadOfBuiltin(method: string, builtin: boolean): boolean {
  return method === 'HEAD' && builtin;
}

function methodUnknown(): Error {
  return apiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}
