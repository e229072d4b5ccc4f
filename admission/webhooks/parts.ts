import type { AdmissionAuthorizer } from '../expressions/authorization.ts';
import type { FailureReport } from '../failure-report.ts';
import type { NamespaceReader } from '../namespaces.ts';
import type { AskerParts } from './asker.ts';
import type { Webhook } from './webhook.ts';

/** What the plugins that ask webhooks are made of. */
export interface WebhookParts extends AskerParts {
  /** In the order in which they are asked; the same list until a configuration changes. */
  readonly webhooks: () => readonly Webhook[];
  readonly namespaces: NamespaceReader;
  readonly authorizer: AdmissionAuthorizer;
  readonly onFailure: FailureReport;
  /** Receives failures that are reported nowhere else. */
  readonly onProblem: (message: string, error: unknown) => void;
}
