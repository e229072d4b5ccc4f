import { badRequest, internalError, notFound, type ApiError } from '../api/api-error.ts';
import { AUDIT_RESOURCES_ANNOTATION, isAlias, neutralGroup } from '../api/naming.ts';
import type { UserInfo } from '../api/user.ts';
import { attributesOf } from '../access/authorization/attributes.ts';
import type { AuthorizationAttributes, Authorizer } from '../access/authorization/authorizer.ts';
import { isPartAsked } from '../access/authorization/parts/asks-for-part.ts';
import { refusalOf } from '../access/authorization/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { requestInfoOf } from '../http/request-info.ts';
import { underAlias } from '../registry/alias.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { ServedResource, Target } from '../registry/served-resource.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { quoted, type Question } from './question.ts';

/** A question, and what it is about. */
export interface Asked {
  readonly question: Question;
  /** Of what the client is shown: under the name of the group that it has asked by. */
  readonly target: Target;
  /** As the resource's own path would be authorized. */
  readonly attributes: AuthorizationAttributes;
}

interface Asking {
  readonly catalog: Catalog;
  readonly user: UserInfo | undefined;
  /** Whether groups also go by the names of Kubernetes. */
  readonly aliases: boolean;
}

/**
 * Finds the resource of a question.
 *
 * @throws ApiError 404 for one that is not served, 400 for one that cannot be asked so
 */
export function askedOf(asking: Asking, question: Question, verb: 'list' | 'watch'): Asked {
  const { user, aliases } = asking;
  if (user === undefined) throw internalError('no user');
  const found = resourceNamed(asking.catalog, question.resource, aliases);
  if (found === undefined) throw notFound({ group: '', resource: 'resources' }, question.resource);
  const { resource, isAliased } = found;
  const { definition, groupResource } = resource;
  if (!definition.verbs.includes(verb) || definition.computed === true) {
    throw badRequest(`the resource ${quoted(question.resource)} does not support ${verb}`);
  }
  const { namespace } = question;
  if (namespace !== '' && !definition.namespaced) {
    throw badRequest(`the resource ${quoted(question.resource)} has no namespaces`);
  }
  const shown = isAliased ? underAlias(resource) : resource;
  const { group, version } = resource.resource;
  const root = group === '' ? '/api' : `/apis/${shown.resource.group}`;
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const path = `${root}/${version}${within}/${groupResource.resource}`;
  const info = requestInfoOf('GET', path, question.query, aliases);
  if (info === undefined || info.namespace !== namespace) {
    throw badRequest(`namespace: ${quoted(namespace)} is not a valid namespace name`);
  }
  return {
    question,
    target: { resource: shown, namespace, name: '' },
    attributes: attributesOf({ ...info, verb }, question.query, user),
  };
}

interface Found {
  readonly resource: ServedResource;
  /** It was named by the alias of its group. */
  readonly isAliased: boolean;
}

/** `plural`, `plural.group`, or `plural.version.group`. */
export function resourceNamed(catalog: Catalog, text: string, aliases: boolean): Found | undefined {
  const [plural = '', ...rest] = text.split('.');
  const [version = '', ...group] = rest;
  return (
    served(catalog, plural, rest.join('.'), undefined, aliases) ??
    served(catalog, plural, group.join('.'), version, aliases)
  );
}

function served(
  catalog: Catalog,
  plural: string,
  asked: string,
  version: string | undefined,
  aliases: boolean,
): Found | undefined {
  const isAliased = aliases && isAlias(asked);
  const group = isAliased ? neutralGroup(asked) : asked;
  const definition = catalog.findStored(group, plural)?.definition;
  // what a definition adds to a group has one name
  if (definition === undefined || (isAliased && !definition.builtin)) return undefined;
  const name = version ?? preferredVersion(definition);
  const resource = name === undefined ? undefined : catalog.find(group, name, plural);
  return resource && { resource, isAliased };
}

function preferredVersion({ versions }: ResourceDefinition): string | undefined {
  return versions.find((version) => version.served)?.name;
}

/** Characters of the note for the audit log; what does not fit is left out. */
const MAX_NOTE_LENGTH = 4_096;

/** Has the audit event of the request name what it reads. */
export function noteForAudit({ annotations }: Exchange, { attributes, target }: Asked): void {
  const { group, namespace } = attributes;
  const { resource } = target.resource.groupResource;
  const name = `${resource}${group === '' ? '' : `.${group}`}`;
  const what = namespace === '' ? name : `${name}/${namespace}`;
  const noted = annotations.get(AUDIT_RESOURCES_ANNOTATION);
  if (noted?.split(',').includes(what) === true) return;
  const note = noted === undefined ? what : `${noted},${what}`;
  if (note.length <= MAX_NOTE_LENGTH) annotations.set(AUDIT_RESOURCES_ANNOTATION, note);
}

/** The question asks for the part that the user may see (`authorized=true`). */
export function isForPart({ question, attributes }: Asked): boolean {
  return isPartAsked(question.query, attributes.user);
}

/** Why the user may not ask it; undefined: allowed. */
export async function refusalFor(
  authorizer: Authorizer,
  { attributes }: Asked,
): Promise<ApiError | undefined> {
  const decision = await authorizer.authorize(attributes);
  return decision.decision === 'allow' ? undefined : refusalOf(attributes, decision);
}
