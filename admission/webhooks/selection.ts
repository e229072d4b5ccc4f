import { forbidden } from '../../api/api-error.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { Authorizations, type AdmissionAuthorizer } from '../expressions/authorization.ts';
import type { ResourceVersion } from '../kind-access.ts';
import { matchedVersion } from '../match/matched-version.ts';
import type { NamespaceReader } from '../namespaces.ts';
import type { ShownRequest } from '../shown-request.ts';
import type { Webhook } from './webhook.ts';

/** Decides whether a webhook is asked about a request: rules, selectors, match conditions. */
export class Selection {
  readonly #namespaces: NamespaceReader;
  readonly #authorizer: AdmissionAuthorizer;

  constructor(namespaces: NamespaceReader, authorizer: AdmissionAuthorizer) {
    this.#namespaces = namespaces;
    this.#authorizer = authorizer;
  }

  /**
   * The version in which the webhook is to be asked; undefined: it is not.
   *
   * @throws ApiError 403 when its match conditions cannot be evaluated and its
   *   failurePolicy is Fail; 404 when the namespace has gone
   */
  async matched(
    webhook: Webhook,
    attributes: AdmissionAttributes,
    shown: ShownRequest,
  ): Promise<ResourceVersion | undefined> {
    const { rules, matchPolicy, selectors, conditions } = webhook;
    const matched = matchedVersion(rules, matchPolicy, attributes);
    if (matched === undefined) return undefined;
    if (!(await selectors.matches(attributes, shown, this.#namespaces))) return undefined;
    if (conditions.isEmpty) return matched;
    const { object, oldObject } = await shown.showIn(matched.kind);
    const authorizations = new Authorizations(this.#authorizer, attributes.user);
    const result = await authorizations.settle(() =>
      conditions.evaluateSteps({ attributes, matched, object, oldObject, authorizations }),
    );
    if ('matches' in result) return result.matches ? matched : undefined;
    if (webhook.ignoresFailure) return undefined;
    throw forbidden(attributes.resource, attributes.name, result.error);
  }
}
