import { randomUUID } from 'node:crypto';
import type { AdmissionAuthorizer } from '../../admission/expressions/authorization.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import type { DecisionReport } from '../../admission/decisions.ts';
import type { FailureReport } from '../../admission/failure-report.ts';
import type { NamespaceReader } from '../../admission/namespaces.ts';
import type { AdmissionObserver } from '../../admission/observer.ts';
import { ReviewCaller } from '../../admission/webhooks/caller.ts';
import { MutatingWebhooks } from '../../admission/webhooks/mutating.ts';
import type { WebhookParts } from '../../admission/webhooks/parts.ts';
import { ValidatingWebhooks } from '../../admission/webhooks/validating.ts';
import { compileWebhooks, webhooksOf, type Webhook } from '../../admission/webhooks/webhook.ts';
import type { Clock } from '../../api/clock.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
  type WebhookConfiguration,
} from '../../resources/admissionregistration/webhook-schema.ts';
import type { ObjectSchema } from '../../resources/object-of.ts';
import type { Replica } from '../../watch/replica.ts';
import { FollowedList } from './followed-list.ts';

interface WebhookPluginParts {
  readonly replica: Replica;
  readonly namespaces: NamespaceReader;
  readonly authorizer: AdmissionAuthorizer;
  readonly client: HttpsClient;
  readonly observer: AdmissionObserver;
  readonly onFailure: FailureReport;
  readonly onDecision: DecisionReport;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

interface WebhookPlugins {
  readonly mutating: MutatingWebhooks;
  readonly validating: ValidatingWebhooks;
}

/** The plugins that ask the webhooks which the replica's configurations name. */
export function webhookPlugins(parts: WebhookPluginParts): WebhookPlugins {
  const { client, clock } = parts;
  const caller = new ReviewCaller(client, clock);
  const common = { ...parts, caller, newUid: randomUUID };
  const partsOf = (resource: string, schema: ObjectSchema<WebhookConfiguration>): WebhookParts => ({
    ...common,
    webhooks: configuredWebhooks(parts, resource, schema),
  });
  return {
    mutating: new MutatingWebhooks(
      partsOf('mutatingwebhookconfigurations', mutatingWebhookConfigurationSchema),
    ),
    validating: new ValidatingWebhooks(
      partsOf('validatingwebhookconfigurations', validatingWebhookConfigurationSchema),
    ),
  };
}

function configuredWebhooks(
  { replica, onProblem }: WebhookPluginParts,
  resource: string,
  schema: ObjectSchema<WebhookConfiguration>,
): () => readonly Webhook[] {
  const configurations = new FollowedList({
    replica,
    resource: { group: ADMISSIONREGISTRATION_GROUP, resource },
    schema,
    compile: compileWebhooks,
    onProblem,
  });
  let madeFrom: readonly (readonly Webhook[])[] = [];
  let webhooks: readonly Webhook[] = [];
  return () => {
    const current = configurations.current();
    if (current !== madeFrom) {
      madeFrom = current;
      webhooks = webhooksOf(current);
    }
    return webhooks;
  };
}
