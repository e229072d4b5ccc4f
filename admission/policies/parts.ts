import type { DecisionParts } from '../decisions.ts';
import type { AdmissionAuthorizer } from '../expressions/authorization.ts';
import type { FailureReport } from '../failure-report.ts';
import type { InvocationParts } from './invocations.ts';
import type { BoundPolicy, Policy } from './policy.ts';

/** What the plugins that evaluate policies are made of. */
export interface PolicyParts<P extends Policy> extends InvocationParts, DecisionParts {
  /** In the order in which they are evaluated; the same list until something changes. */
  readonly policies: () => readonly BoundPolicy<P>[];
  readonly authorizer: AdmissionAuthorizer;
  readonly onFailure: FailureReport;
}
