import { groupResourceName } from '../../../api/group-version.ts';
import { neutralGroup } from '../../../api/naming.ts';
import type { UserInfo } from '../../../api/user.ts';
import { RBAC_GROUP } from '../../../resources/rbac/roles.ts';
import {
  NO_OPINION,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type UserRules,
} from '../authorizer.ts';
import { bindingText } from './bindings.ts';
import type { RbacIndex } from './rbac-index.ts';
import type { PolicyRule } from '../../../resources/rbac/rules.ts';
import type { Grant } from './subject-grants.ts';

/** Decides by roles and bindings. It never denies: another authorizer may still allow. Source: behaviours 10.5. */
export class RbacAuthorizer implements Authorizer {
  readonly name = 'RBAC';
  readonly #index: RbacIndex;
  /** The sentences that say why; most requests never ask. */
  readonly #allowed = new WeakMap<Grant, AuthorizationDecision>();

  constructor(index: RbacIndex) {
    this.#index = index;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    const grant = this.#find(attributes);
    if (grant !== undefined) return this.#allowedBy(grant);
    const { user, namespace } = attributes;
    const missing = missingRoles(this.#index.danglingGrantsTo(user, namespace));
    if (missing.length === 0) return NO_OPINION;
    return { decision: 'noOpinion', reason: `RBAC: ${aggregate(missing)}` };
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const grants = this.#index.grantsTo(user, namespace);
    const rules = rulesIn(grants);
    const missing = missingRoles(this.#index.danglingGrantsTo(user, namespace));
    return {
      resourceRules: rules.filter(({ resources }) => resources.length > 0),
      pathRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0),
      incomplete: false,
      errors: missing.length === 0 ? [] : [aggregate(missing)],
    };
  }

  #allowedBy(grant: Grant): AuthorizationDecision {
    let decision = this.#allowed.get(grant);
    if (decision === undefined) {
      const reason = `RBAC: allowed by ${bindingText(grant.binding, grant.subject)}`;
      decision = { decision: 'allow', reason };
      this.#allowed.set(grant, decision);
    }
    return decision;
  }

  #find(attributes: AuthorizationAttributes): Grant | undefined {
    const { user, verb, isResource, path, group, resource, subresource } = attributes;
    if (!isResource) return this.#index.findPath(user, verb, path);
    const isWhole = subresource === '';
    return this.#index.findResource(user, attributes.namespace, {
      verb,
      group: neutralGroup(group),
      combined: isWhole ? resource : `${resource}/${subresource}`,
      anySubresource: isWhole ? '' : `*/${subresource}`,
      name: attributes.name,
    });
  }
}

/** The rules of the roles that grants refer to, in their order; equal rules are not merged. */
export function rulesIn(grants: readonly Grant[]): PolicyRule[] {
  return grants.flatMap(({ role }) => role.rules ?? []);
}

/** A binding to a missing role grants nothing; the refusal names the role. */
function missingRoles(grants: readonly Grant[]): string[] {
  const texts = new Set<string>();
  for (const { binding } of grants) {
    const resource = binding.role.kind.toLowerCase();
    const name = groupResourceName({ group: RBAC_GROUP, resource });
    texts.add(`${name} ${JSON.stringify(binding.role.name)} not found`);
    if (texts.size >= MAX_MISSING_ROLES) break;
  }
  return [...texts];
}

const MAX_MISSING_ROLES = 10;

function aggregate(texts: readonly string[]): string {
  return texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
}
