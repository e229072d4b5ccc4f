import type { HttpsClient } from '../../outbound/https-client.ts';
import { AdmissionChain } from '../../admission/chain.ts';
import type { DecisionReport } from '../../admission/decisions.ts';
import type { FailureReport } from '../../admission/failure-report.ts';
import type { AdmissionObserver } from '../../admission/observer.ts';
import { NamespaceLifecycle } from '../../admission/plugins/namespace-lifecycle.ts';
import type { ParamSource } from '../../admission/policies/params.ts';
import type { Clock } from '../../api/clock.ts';
import { immortalNamespaces, type KubernetesNames } from '../../api/naming.ts';
import type { Catalog } from '../../registry/catalog.ts';
import { namespaceReader } from '../../registry/namespaces.ts';
import type { Store } from '../../storage/interface.ts';
import type { Replica } from '../../watch/replica.ts';
import type { Access } from '../../access/access.ts';
import { admissionAuthorizer } from './authorizer.ts';
import { policyPlugins } from './policies.ts';
import { UnknownGroups } from './unknown-groups.ts';
import { webhookPlugins } from './webhooks.ts';

interface AdmissionParts {
  readonly store: Store;
  readonly replica: Replica;
  readonly catalog: Catalog;
  readonly access: Access;
  /** Finds the parameters of policies. */
  readonly params: ParamSource;
  /** Calls the webhooks. */
  readonly client: HttpsClient;
  readonly observer: AdmissionObserver;
  /** Told of webhooks and policies that do not work. */
  readonly onFailure: FailureReport;
  /** Told of what they decide. */
  readonly onDecision: DecisionReport;
  readonly clock: Clock;
  readonly kubernetesNames: KubernetesNames;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/** The plugins in the order in which they see a write (behaviours 8.1). */
export function admissionChain(parts: AdmissionParts): AdmissionChain {
  const { store, replica, catalog, access, observer, clock } = parts;
  const namespaces = namespaceReader(store, replica);
  const authorizer = admissionAuthorizer(access.authorizer);
  const webhooks = webhookPlugins({ ...parts, namespaces, authorizer });
  const policies = policyPlugins({ ...parts, namespaces, authorizer });
  return new AdmissionChain(
    [
      new NamespaceLifecycle(namespaces, immortalNamespaces(parts.kubernetesNames)),
      policies.mutating,
      webhooks.mutating,
      policies.validating,
      webhooks.validating,
      ...access.plugins,
      new UnknownGroups(catalog),
    ],
    { observer, clock },
  );
}
