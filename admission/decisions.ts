import type { AdmissionAttributes } from './attributes.ts';
import type { ExtensionFailure } from './failure-report.ts';

/** A webhook or policy, by the configuration that it stands in. */
export interface Extension {
  readonly kind: ExtensionFailure['kind'];
  /** Of the configuration or policy. */
  readonly name: string;
  readonly uid: string;
  /** Of the webhook within its configuration; empty for a policy. */
  readonly webhook: string;
}

/**
 * What came of asking a webhook or evaluating a policy. `noted`: a rule is
 * broken, and the binding only warns or audits. `failed`: it could not be asked
 * or evaluated; what then happens to the request is for its failurePolicy to say.
 */
export type Outcome = 'allowed' | 'noted' | 'refused' | 'failed';

/** One decision about a request that the webhook or policy has matched. */
export interface Decision {
  readonly outcome: Outcome;
  readonly seconds: number;
  /** What the client is told; undefined: the request went on. May hold parts of the object. */
  readonly refusal?: string | undefined;
}

/** Told of each decision; on the path of requests, so it must neither wait nor throw. */
export type DecisionReport = (
  extension: Extension,
  attributes: AdmissionAttributes,
  decision: Decision,
) => void;
