import type { Clock } from '../api/clock.ts';
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
 * The result of asking a webhook or evaluating a policy. `noted`: a rule is
 * broken, and the binding only warns or audits. `failed`: it could not be asked
 * or evaluated; its failurePolicy says whether the request goes on.
 */
export type Outcome = 'allowed' | 'noted' | 'refused' | 'failed';

/** One decision about a request that the webhook or policy has matched. */
export interface Decision {
  readonly outcome: Outcome;
  readonly seconds: number;
  /** What the client is told; undefined: the request went on. May hold parts of the object. */
  readonly refusal?: string | undefined;
}

/** Receives each decision, on the path of requests: it must neither wait nor throw. */
export type DecisionReport = (
  extension: Extension,
  attributes: AdmissionAttributes,
  decision: Decision,
) => void;

export interface DecisionParts {
  readonly onDecision: DecisionReport;
  readonly clock: Clock;
}

/**
 * Begins a decision. The returned function reports its end and the time since the
 * beginning; `refusal` is what the client is told.
 */
export function beginDecision(
  { onDecision, clock }: DecisionParts,
  extension: Extension,
  attributes: AdmissionAttributes,
): (outcome: Outcome, refusal?: string) => void {
  const start = clock.monotonic();
  return (outcome, refusal) => {
    const seconds = (clock.monotonic() - start) / 1000;
    onDecision(extension, attributes, { outcome, seconds, refusal });
  };
}
