import type { AdmissionAttributes, Operation } from '../../../admission/attributes.ts';
import type { AdmissionPlugin } from '../../../admission/chain.ts';
import { forbidden, notFound } from '../../../api/api-error.ts';
import { deepEqual, getOwn, isObject, type JsonObject } from '../../../api/json.ts';
import { SUPERUSERS } from '../../../api/user.ts';
import { RBAC_GROUP } from '../../../resources/rbac/roles.ts';
import { NO_ATTRIBUTES, type AuthorizationAttributes, type Authorizer } from '../authorizer.ts';
import { bindingOf, type RoleReference } from './bindings.ts';
import { compactRules, missingRules } from '../../../resources/rbac/cover.ts';
import { rulesIn } from './rbac-authorizer.ts';
import type { RbacIndex } from './rbac-index.ts';
import {
  FULL_AUTHORITY,
  quotedList,
  rulesOf,
  ruleText,
  type PolicyRule,
} from '../../../resources/rbac/rules.ts';

const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];

/**
 * Users can grant only the permissions they hold: a role may contain only what its
 * author may do, and a binding may name only a role whose permissions its author
 * holds. The verbs `escalate` on roles and `bind` on roles lift that. The last
 * of the mutating plugins, so that it sees what will be stored and refuses
 * before anything else is said of the object; and once more at the very end, in
 * case a plugin has changed the object again. Source: behaviours 10.5.
 */
export class RbacEscalation implements AdmissionPlugin {
  readonly name = 'RbacEscalation';
  readonly #index: RbacIndex;
  readonly #authorizer: Authorizer;

  constructor(index: RbacIndex, authorizer: Authorizer) {
    this.#index = index;
    this.#authorizer = authorizer;
  }

  handles(operation: Operation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    return this.validate(attributes);
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const { resource, subresource, object } = attributes;
    if (resource.group !== RBAC_GROUP || subresource !== '' || object === undefined) {
      return undefined;
    }
    return this.#check(attributes, object);
  }

  async #check(attributes: AdmissionAttributes, object: JsonObject): Promise<void> {
    const { resource, user } = attributes;
    if (user.groups.includes(SUPERUSERS)) return;
    // a copy of the whole object: not for other kinds
    const { oldObject } = attributes;
    if (oldObject !== undefined && changesOnlyWhatDeletionNeeds(object, oldObject)) return;
    if (ROLES.includes(resource.resource)) await this.#checkRole(attributes, object);
    if (BINDINGS.includes(resource.resource)) await this.#checkBinding(attributes, object);
  }

  async #checkRole(attributes: AdmissionAttributes, object: JsonObject): Promise<void> {
    const { resource, namespace, oldObject, pathName } = attributes;
    // A POST is to the collection: it has no name that a right could be limited to.
    const what = { ...resource, namespace, name: pathName };
    if (await this.#may(attributes, 'escalate', what)) return;
    const aggregates = [object, oldObject ?? {}].some((each) => hasAggregation(each));
    if (aggregates && this.#missing(attributes, FULL_AUTHORITY).length > 0) {
      const why = 'must have cluster-admin privileges to use the aggregationRule';
      throw forbidden(resource, attributes.name, why);
    }
    this.#confirm(attributes, rulesOf(object));
  }

  async #checkBinding(attributes: AdmissionAttributes, object: JsonObject): Promise<void> {
    const { resource, namespace, name } = attributes;
    const { role } = bindingOf(object, namespace, name);
    const roles = resourceOf(role, namespace);
    // Such a reference names no role at all: validation has a word for it.
    if (roles === undefined) return;
    const { group, version } = resource;
    const what = { group, version, resource: roles, namespace, name: role.name };
    if (await this.#may(attributes, 'bind', what)) return;
    const rules = this.#index.rulesOfRole(role, namespace);
    if (rules === undefined) throw notFound(resource, role.name);
    this.#confirm(attributes, rules);
  }

  async #may(
    { user }: AdmissionAttributes,
    verb: string,
    what: Pick<AuthorizationAttributes, 'group' | 'version' | 'resource' | 'namespace' | 'name'>,
  ): Promise<boolean> {
    const attributes = { ...NO_ATTRIBUTES, ...what, user, verb, isResource: true };
    const { decision } = await this.#authorizer.authorize(attributes);
    return decision === 'allow';
  }

  #missing({ user, namespace }: AdmissionAttributes, rules: readonly PolicyRule[]): PolicyRule[] {
    return missingRules(rulesIn(this.#index.grantsTo(user, namespace)), rules);
  }

  #confirm(attributes: AdmissionAttributes, rules: readonly PolicyRule[]): void {
    const missing = this.#missing(attributes, rules);
    if (missing.length === 0) return;
    const { user, resource, name } = attributes;
    const texts = [...new Set(compactRules(missing).map(ruleText))].sort();
    throw forbidden(
      resource,
      name,
      `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}`,
    );
  }
}

function resourceOf({ kind, name }: RoleReference, namespace: string): string | undefined {
  if (name === '') return undefined;
  if (kind === 'ClusterRole') return 'clusterroles';
  return kind === 'Role' && namespace !== '' ? 'roles' : undefined;
}

function hasAggregation(role: JsonObject): boolean {
  return isObject(getOwn(role, 'aggregationRule'));
}

/** Owners and finalizers, which cleanup must be able to change. */
const FOR_DELETION = ['ownerReferences', 'finalizers', 'managedFields', 'resourceVersion'];

function changesOnlyWhatDeletionNeeds(object: JsonObject, old: JsonObject): boolean {
  return deepEqual(withoutThose(object), withoutThose(old));
}

function withoutThose(object: JsonObject): JsonObject {
  const metadata = isObject(object.metadata) ? { ...object.metadata } : {};
  for (const key of FOR_DELETION) Reflect.deleteProperty(metadata, key);
  return { ...object, metadata };
}
